import type {
  BrokenQuery,
  EngineReading,
  ExamplePair,
  WriteQuestion,
} from '../../../roles/write-reasoner.ts';
import { cellText, dataBlock, longText, shortList } from './data-block.ts';
import { entryLines, questionBlocks } from './question-blocks.ts';

const MOST_PAIRS = 100;
const ENTRY_CHARACTERS = 1_000;
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

const WISHES_RULE =
  'Follow the wishes for the writing where they are about style and no rule here is against them.';

/**
 * What many questions share comes first, so that a service can keep it: the schema, then what people wrote. What is not there has no
 * block.
 */
export function writeBlocks(question: WriteQuestion): readonly string[] {
  const { schema, definitions = [], knowledge, examples, instructions = '', cuts = [] } = question;
  return [
    dataBlock('schema', schema),
    ...(definitions.length === 0 ? [] : [dataBlock('definitions', lineOfEach(definitions))]),
    ...(knowledge.length === 0 ? [] : [dataBlock('notes and definitions', lineOfEach(knowledge))]),
    ...(examples.length === 0 ? [] : [dataBlock('verified pairs', pairLines(examples))]),
    ...(instructions === ''
      ? []
      : [dataBlock('wishes for the writing', longText(instructions, WISH_CHARACTERS))]),
    ...(cuts.length === 0 ? [] : [dataBlock('what is not shown', cuts.join('\n'))]),
    ...askedBlocks(question),
  ];
}

/** What is of this question alone. */
function askedBlocks({
  text,
  hint,
  today,
  values = [],
  reading,
  failed,
  objection = '',
}: WriteQuestion): readonly string[] {
  return [
    ...(values.length === 0 ? [] : [dataBlock('stored values like its words', lineOfEach(values))]),
    ...(reading === undefined
      ? []
      : [dataBlock('what simple rules say, right or wrong', readingLines(reading))]),
    ...(failed === undefined ? [] : brokenBlocks(failed, 'query that fails, to be mended')),
    ...questionBlocks({ text, hint, knowledge: [] }, `, asked on ${cellText(today, 10)}`),
    ...(objection === ''
      ? []
      : [dataBlock('against your last reply', longText(objection, PROBLEM_CHARACTERS))]),
  ];
}

function readingLines({ sql, unread, doubt }: EngineReading): string {
  return [
    ...(sql === undefined ? [] : [`it reads the words as: ${longText(sql, PAIR_CHARACTERS)}`]),
    ...(unread.length === 0 ? [] : [`it does not know: ${unread.map((word) => cellText(word)).join(', ')}`]),
    ...(doubt === undefined ? [] : [cellText(doubt, PROBLEM_CHARACTERS)]),
  ].join('\n');
}

/** A line for each, `- ` before it; how many there may be was decided where they were chosen. */
export function lineOfEach(entries: readonly string[]): string {
  return entries.map((entry) => `- ${cellText(entry, ENTRY_CHARACTERS)}`).join('\n');
}

/** The rule of a part that is not always there. */
export function wishesRule({ instructions = '' }: WriteQuestion): readonly string[] {
  return instructions === '' ? [] : [WISHES_RULE];
}

export function sqlBlock(name: string, sql: string): string {
  return dataBlock(name, longText(sql, SQL_CHARACTERS));
}

/** The query with everything that is known to be wrong with it. */
export function brokenBlocks(
  { sql, problems, engineError = '', possibilities = [], advice = '' }: BrokenQuery,
  name = 'query',
): readonly string[] {
  return [
    sqlBlock(name, sql),
    ...(problems.length === 0 ? [] : [dataBlock('problems', entryLines(problems))]),
    ...(engineError === '' ? [] : [dataBlock('the engine says', longText(engineError, PROBLEM_CHARACTERS))]),
    ...(possibilities.length === 0 ? [] : [dataBlock('possibilities', entryLines(possibilities))]),
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
      ({ question, sql }, at) => `${at + 1}. ${cellText(question, 1_000)}\n${longText(sql, PAIR_CHARACTERS)}`,
    )
    .join('\n');
}
