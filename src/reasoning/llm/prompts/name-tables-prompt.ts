import type { ChatMessage } from '../../../model/index.ts';
import type { AssistQuestion } from '../../roles/assist-reasoner.ts';
import { assistantText } from './blocks/data-block.ts';
import { questionBlocks } from './blocks/question-blocks.ts';

export const NAME_TABLES_PROMPT_VERSION = 1;

/** Tables that a question names outright (LinkedIn, sections 5.1 and 11). */
export function nameTablesPrompt({ text }: AssistQuestion): readonly ChatMessage[] {
  return [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: questionBlocks({ text, knowledge: [] }).join('\n') },
  ];
}

const SYSTEM = assistantText(
  'list the tables that a text names.',
  [
    'A table is named where the text calls it one ("the orders table", "from dim_customer") or writes an identifier (with underscores, dots, quotes).',
    'Things that the text is about ("customers", "revenue") are not named tables. Guess nothing; most texts name none.',
    'Copy names letter by letter.',
  ],
  '{"tables": ["dim_customer"]}',
);
