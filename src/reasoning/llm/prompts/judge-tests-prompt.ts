import type { ChatMessage } from '../../../model/index.ts';
import type { JudgedCandidate, WriteQuestion } from '../../write-reasoner.ts';
import { cellText, dataBlock, longText } from './data-block.ts';
import { writerText } from './framing.ts';
import { sqlBlock, writeBlocks } from './write-blocks.ts';

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
    { role: 'system', content: SYSTEM },
    {
      role: 'user',
      content: `${blocks.join('\n')}\nCandidates: ${candidates.length}. Tests: ${tests.length}.`,
    },
  ];
}

const SYSTEM = writerText(
  'say of each candidate query which of the tests it passes.',
  [
    'Judge each candidate for itself, by its SQL and, where they are shown, its first rows. Rows that are not shown say nothing.',
    'A test passes only where you can see that it does. Another way to write the same thing passes.',
    'Give every candidate once, with the numbers of the tests it passes; an empty list where it passes none.',
  ],
  '{"candidates": [{"candidate": 1, "passed": [1, 2, 4]}]}',
);
