import type { ChatMessage } from '../../../model/index.ts';
import type { WriteQuestion } from '../../write-reasoner.ts';
import { writerText } from './framing.ts';
import { writeBlocks } from './write-blocks.ts';

export const WRITE_TESTS_PROMPT_VERSION = 3;

/** Checks before any query is seen (ThothAI, section 12). */
export function writeTestsPrompt(question: WriteQuestion): readonly ChatMessage[] {
  return [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: writeBlocks(question).join('\n') },
  ];
}

const SYSTEM = writerText(
  'write 7 to 14 checks that tell a right query for the question from a wrong one. No query is written yet.',
  [
    'Each check is one sentence that can be answered with yes or no from a query and its first rows, and that every right query passes, however it is written.',
    'Cover what is shown and in which order, each condition with its column and value, joins, what is counted or summed and per what, duplicates, order, limit, NULLs.',
    'Every formula, value and definition given with the question gets a check of its own, with fromHint true.',
    'No check says the same as another. Demand nothing that the question does not.',
  ],
  '{"tests": [{"test": "one sentence", "fromHint": false}]}',
);
