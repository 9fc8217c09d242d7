import type { ChatMessage } from '../../../../model/index.ts';
import type { ResearchResult, ResearchView, WriteQuestion } from '../../../roles/write-reasoner.ts';
import { cellText, dataBlock, longText, writerText } from '../blocks/data-block.ts';
import { brokenBlocks, writeBlocks } from '../blocks/write-blocks.ts';

export const REFLECT_PROMPT_VERSION = 3;

const ANSWER_CHARACTERS = 4_000;
const ARGUMENT_CHARACTERS = 300;

/** Whether research has found enough, and what to do with it (LinkedIn, sections 5.4 and 11). */
export function reflectPrompt(question: WriteQuestion, view: ResearchView): readonly ChatMessage[] {
  const found = view.turns.flat().map(foundText).join('\n');
  const blocks = [
    ...writeBlocks(question),
    ...brokenBlocks(view.broken),
    dataBlock('found out', found || '(nothing)'),
  ];
  return [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: `${blocks.join('\n')}\nCalls left: ${view.callsLeft}.` },
  ];
}

const SYSTEM = writerText(
  'judge whether what was found out about a broken query is enough to mend it.',
  [
    'It is enough when every problem has a replacement that was really found, with the joins it needs, or when nothing better can be expected.',
    'Ask yourself whether another table that was found would serve the question better.',
    'Advise in a few sentences: where it is enough, which tables, columns and values to use instead of which; else what to look up next.',
    'Advise nothing that neither the schema nor what was found shows.',
  ],
  '{"isEnough": true, "advice": "a few sentences"}',
);

function foundText({ call, text }: ResearchResult): string {
  const asked = `${call.tool} ${JSON.stringify(call.arguments) ?? ''}`;
  return `> ${cellText(asked, ARGUMENT_CHARACTERS)}\n${longText(text, ANSWER_CHARACTERS)}`;
}
