import type { ChatMessage } from '../../../model/index.ts';
import type { RewordQuestion } from '../../roles/bench-reasoner.ts';
import { assistantText, cellText, dataBlock } from './blocks/data-block.ts';
import { entryLines, questionBlocks } from './blocks/question-blocks.ts';

export const REWORD_PROMPT_VERSION = 1;

/** The same question as another person would ask it (BAR-SQL, sections 4 and 12). */
export function rewordPrompt({
  text,
  kept,
  avoided,
}: Pick<RewordQuestion, 'text' | 'kept' | 'avoided'>): readonly ChatMessage[] {
  const numbered = kept.map((each, at) => `${at + 1}. ${cellText(each)}`).join('\n');
  const blocks = [
    ...questionBlocks({ text, knowledge: [] }),
    ...(kept.length === 0 ? [] : [dataBlock('texts that stay', numbered)]),
    ...(avoided.length === 0 ? [] : [dataBlock('texts not to say', entryLines(avoided))]),
  ];
  return [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: blocks.join('\n') },
  ];
}

const SYSTEM = assistantText(
  'ask a question in other words, as a colleague would type or say it.',
  [
    'It asks for exactly the same: the same figure, conditions, grouping, period, order and number of rows. Nothing comes in, goes out or becomes more precise.',
    'What is vague stays as vague, what is lacking stays out, what may not exist stays in. Mend nothing, explain nothing, answer nothing.',
    'Each of the texts that stay stands in it as it is, as whole words. None of the texts not to say does. Name no other figure, grouping or value, and no number that the question does not have.',
    'Build the sentence in another way; one line, in the language of the question.',
  ],
  '{"question": "the question in other words"}',
);
