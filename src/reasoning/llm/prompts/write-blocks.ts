import type { BrokenQuery, ExamplePair, WriteQuestion } from '../../write-reasoner.ts';
import { cellText, dataBlock, longText, shortList } from './data-block.ts';
import { entryLines, questionBlocks } from './question-blocks.ts';

const MOST_PAIRS = 8;
const PAIR_CHARACTERS = 3_000;
const WISH_CHARACTERS = 2_000;
const SQL_CHARACTERS = 20_000;
const PROBLEM_CHARACTERS = 2_000;
const SHOWN_NEAR = 40;

/** The rules of every query that a model gives us; the guard holds to them whatever the model does. */
export const QUERY_RULES: readonly string[] = [
  'One statement that only reads, SELECT or WITH, with no comment in it.',
  'Use only tables and columns of the schema, spelt as there.',
];

/** What is given and found counts in this order (ThothAI, section 12). */
export const PRIORITY_RULE =
  'Verified pairs count for more than what is given with the question, that for more than notes, and those for more than your guess. Formulas and values they state are used as they stand.';

export const WISHES_RULE =
  'Follow the wishes for the writing where they are about style and no rule here is against them.';

/** The schema first: it is what many questions share. What is not there has no block. */
export function writeBlocks(question: WriteQuestion): readonly string[] {
  const { schema, examples, instructions = '', today } = question;
  return [
    dataBlock('schema', schema),
    ...(examples.length === 0 ? [] : [dataBlock('verified pairs', pairLines(examples))]),
    ...(instructions === ''
      ? []
      : [dataBlock('wishes for the writing', longText(instructions, WISH_CHARACTERS))]),
    dataBlock('today', cellText(today, 10)),
    ...questionBlocks(question),
  ];
}

/** The rule of a part that is not always there. */
export function wishesRule({ instructions = '' }: WriteQuestion): readonly string[] {
  return instructions === '' ? [] : [WISHES_RULE];
}

export function sqlBlock(name: string, sql: string): string {
  return dataBlock(name, longText(sql, SQL_CHARACTERS));
}

/** The query with everything that is known to be wrong with it. */
export function brokenBlocks({
  sql,
  problems,
  engineError = '',
  advice = '',
}: BrokenQuery): readonly string[] {
  return [
    sqlBlock('query', sql),
    ...(problems.length === 0 ? [] : [dataBlock('problems', entryLines(problems))]),
    ...(engineError === '' ? [] : [dataBlock('the engine says', longText(engineError, PROBLEM_CHARACTERS))]),
    ...(advice === '' ? [] : [dataBlock('advice', longText(advice, PROBLEM_CHARACTERS))]),
  ];
}

export function nearValueLines(nearValues: readonly string[]): string {
  return shortList(
    nearValues.map((entry) => `- ${cellText(entry)}`),
    SHOWN_NEAR,
    '\n',
  );
}

function pairLines(examples: readonly ExamplePair[]): string {
  return examples
    .slice(0, MOST_PAIRS)
    .map(
      ({ question, sql }) => `Question: ${cellText(question, 1_000)}\nSQL: ${longText(sql, PAIR_CHARACTERS)}`,
    )
    .join('\n');
}
