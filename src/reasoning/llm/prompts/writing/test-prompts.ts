/** Prompts for tests of candidates: which rows tell them apart, and which candidate passes. */
import type { ChatMessage } from '../../../../model/index.ts';
import type { JudgedCandidate, WriteQuestion } from '../../../roles/write-reasoner.ts';
import { cellText, dataBlock, longText, writerText } from '../blocks/data-block.ts';
import { sqlBlock, writeBlocks } from '../blocks/write-blocks.ts';

export const WRITE_TESTS_PROMPT_VERSION = 3;

/** Checks before any query is seen (ThothAI, section 12). */
export function writeTestsPrompt(question: WriteQuestion): readonly ChatMessage[] {
  return [
    { role: 'system', content: WRITER_RULES },
    { role: 'user', content: writeBlocks(question).join('\n') },
  ];
}

const WRITER_RULES = writerText(
  'write 7 to 14 checks that tell a right query for the question from a wrong one. No query is written yet.',
  [
    'Each check is one sentence that can be answered with yes or no from a query and its first rows, and that every right query passes, however it is written.',
    'Cover what is shown and in which order, each condition with its column and value, joins, what is counted or summed and per what, duplicates, order, limit, NULLs.',
    'Every formula, value and definition given with the question gets a check of its own, with fromHint true.',
    'No check says the same as another. Demand nothing that the question does not.',
  ],
  '{"tests": [{"test": "one sentence", "fromHint": false}]}',
);

export const JUDGE_TESTS_PROMPT_VERSION = 3;

const RESULT_CHARACTERS = 4_000;
const TEST_CHARACTERS = 400;

/** Which tests each candidate passes (ThothAI, section 12). */
export function judgeTestsPrompt(
  question: WriteQuestion,
  candidates: readonly JudgedCandidate[],
  tests: readonly string[],
): readonly ChatMessage[] {
  const list = tests.map((test, at) => `${at + 1}. ${cellText(test, TEST_CHARACTERS)}`).join('\n');
  const blocks = [
    ...writeBlocks(question),
    dataBlock('tests', list),
    ...candidates.flatMap(({ sql, result }, at) => [
      sqlBlock(`candidate ${at + 1}`, sql),
      ...(result === undefined
        ? []
        : [dataBlock(`first rows of candidate ${at + 1}`, longText(result, RESULT_CHARACTERS))]),
    ]),
  ];
  return [
    { role: 'system', content: JUDGE_RULES },
    {
      role: 'user',
      content: `${blocks.join('\n')}\nCandidates: ${candidates.length}. Tests: ${tests.length}.`,
    },
  ];
}

const JUDGE_RULES = writerText(
  'say of each candidate query which of the tests it passes.',
  [
    'Judge each candidate for itself, by its SQL and, where they are shown, its first rows. Rows that are not shown say nothing.',
    'A test passes only where you can see that it does. Another way to write the same thing passes.',
    'Give every candidate once, with the numbers of the tests it passes; an empty list where it passes none.',
  ],
  '{"candidates": [{"candidate": 1, "passed": [1, 2, 4]}]}',
);
