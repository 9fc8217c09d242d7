import type { ChatMessage } from '../../../model/index.ts';
import type { AskedAbout, AssistQuestion } from '../../assist-reasoner.ts';
import { cellText, dataBlock } from './data-block.ts';
import { assistantText } from './framing.ts';
import { entryLines, questionBlocks } from './question-blocks.ts';
import { sqlBlock } from './write-blocks.ts';

export const ANSWER_ABOUT_PROMPT_VERSION = 1;

/** Older questions than these have little to say to the last one. */
const SHOWN_QUESTIONS = 4;
const QUESTION_CHARACTERS = 400;

/** A question about the data, a query or a word of the trade, from what is known (LinkedIn, section 6). */
export function answerAboutPrompt(
  { text }: AssistQuestion,
  { knowledge, earlier, lastQuery }: AskedAbout,
): readonly ChatMessage[] {
  const before = earlier.slice(-SHOWN_QUESTIONS).map((one) => cellText(one, QUESTION_CHARACTERS));
  const blocks = [
    ...(before.length === 0 ? [] : [dataBlock('earlier questions, oldest first', entryLines(before))]),
    ...(lastQuery === undefined ? [] : [sqlBlock('last query', lastQuery)]),
    ...questionBlocks({ text, knowledge }),
  ];
  return [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: blocks.join('\n') },
  ];
}

const SYSTEM = assistantText(
  'answer what a person asks about a query, a table or a word, from what is known of the database.',
  [
    'Say only what the notes and definitions or the last query say; common knowledge of SQL may be added, of the business not. Give no figures: nothing was counted.',
    'isKnown is false where they do not say it; answer then says in one sentence what is missing.',
    'Five sentences at most, plain text, in the language of the question.',
  ],
  '{"isKnown": true, "answer": "A lead is qualified when …"}',
);
