import type { ChatMessage } from '../../../model/index.ts';
import type { Draw, WriteQuestion } from '../../write-reasoner.ts';
import { DIALECT_RULES } from './dialect-rules.ts';
import { writerText } from './framing.ts';
import { PRIORITY_RULE, QUERY_RULES, wishesRule, writeBlocks } from './write-blocks.ts';

export const WRITE_PROMPT_VERSION = 1;

/** One query for a question (LinkedIn, sections 5.3 and 11; ThothAI, section 12). */
export function writePrompt(
  question: WriteQuestion,
  { method }: Pick<Draw, 'method'>,
): readonly ChatMessage[] {
  const { engine, lines } = DIALECT_RULES[question.dialect];
  const system = writerText(
    `write one ${engine} query that answers the question.`,
    [
      ...METHODS[method],
      ...QUERY_RULES,
      ...lines,
      PRIORITY_RULE,
      ...wishesRule(question),
      'Select just what is asked for, in that order. Spell values as the schema and the texts given do. Filter on partition columns where the question allows it.',
      'NULLs come last going up and first going down; where only the first rows count, leave them out.',
      'What the question leaves open, assume and say so. Where the schema lacks what is asked for, query is null and missing names it.',
    ],
    formOf(method),
  );
  return [
    { role: 'system', content: system },
    { role: 'user', content: writeBlocks(question).join('\n') },
  ];
}

/** The ways to think before the query is written; they are all that differs between draws. */
const METHODS: Readonly<Record<Draw['method'], readonly string[]>> = {
  plan: [
    'In "thoughts", plan first as an engine would run it: which rows it reads, how it joins, filters, groups and orders them. The query follows the plan.',
  ],
  steps: [
    'In "thoughts", go step by step first: what is asked for, from which columns, under which conditions, per what, in which order.',
  ],
  divide: [
    'In "thoughts", divide the question first into smaller ones, solve each with a query of its own, then join them into one.',
  ],
  direct: [],
};

function formOf(method: Draw['method']): string {
  const thoughts = METHODS[method].length === 0 ? '' : '"thoughts": "short", ';
  return `{${thoughts}"query": "SELECT …" or null, "missing": "only with null", "explanation": "a sentence or two", "assumptions": ["…"], "tables": ["…"], "columns": ["table.column"]}`;
}
