import type { ChatMessage } from '../../../model/index.ts';
import { ENGINE_NAMES } from '../../../sql/dialects/index.ts';
import type { WriteQuestion } from '../../roles/write-reasoner.ts';
import { writerText } from './blocks/data-block.ts';
import { sqlBlock, writeBlocks } from './blocks/write-blocks.ts';

export const ACCEPT_PROMPT_VERSION = 3;

/** Whether a query answers a question that was held to have no answer (BAR-SQL, sections 5 and 12). */
export function acceptPrompt(question: WriteQuestion, sql: string): readonly ChatMessage[] {
  const blocks = [...writeBlocks(question), sqlBlock('query', sql)];
  return [
    { role: 'system', content: SYSTEM },
    {
      role: 'user',
      content: `${blocks.join('\n')}\nThe SQL is ${ENGINE_NAMES[question.dialect]}.`,
    },
  ];
}

const SYSTEM = writerText(
  'say whether a query answers a question wholly. You write none yourself.',
  [
    'Take the question apart first: the figure, each condition, each grouping, the period, the order. Then read the query clause by clause, and look for each part in it.',
    'Each part must rest on something that the schema or the texts given with the question say. A column, value or formula that only sounds like it, or that the query makes up, answers another question.',
    'answers is true only where no part is missing or replaced. Say why first, in a sentence or two.',
  ],
  '{"because": "a sentence or two", "answers": false}',
);
