import type { ChatMessage } from '../../../model/index.ts';
import { ENGINE_NAMES } from '../../../sql/dialects/index.ts';
import type { DescribedQuery } from '../../roles/assist-reasoner.ts';
import { assistantText, dataBlock } from './blocks/data-block.ts';
import { entryLines } from './blocks/question-blocks.ts';
import { sqlBlock } from './blocks/write-blocks.ts';

export const DESCRIBE_QUERY_PROMPT_VERSION = 1;

/** A query of a repository in one line, for search (LinkedIn, section 11). */
export function describeQueryPrompt({ sql, dialect, about }: DescribedQuery): readonly ChatMessage[] {
  const blocks = [
    ...(about.length === 0 ? [] : [dataBlock('known of its tables and columns', entryLines(about))]),
    sqlBlock('query', sql),
  ];
  return [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: `${blocks.join('\n')}\nThe SQL is ${ENGINE_NAMES[dialect]}.` },
  ];
}

const SYSTEM = assistantText(
  'say in one line what a query computes, so that people with the same need find it.',
  [
    'Use words of the business rather than names of columns where their meaning is known; keep conditions that matter, leave out how it is written.',
    'tables: those it reads from the database, letter by letter, not its own intermediate ones. grain: what one row of the result stands for.',
    'Say only what the query does. Comments inside it may be wrong.',
  ],
  '{"summary": "revenue of paid orders by month", "tables": ["orders"], "grain": "one row per month"}',
);
