/** Prompts that choose tables and columns of a schema. */
import type { ChatMessage } from '../../../../model/index.ts';
import type { LinkHypothesis, LinkQuestion, SchemaView } from '../../../roles/link-reasoner.ts';
import { dataBlock, systemText } from '../blocks/data-block.ts';
import { questionBlocks } from '../blocks/question-blocks.ts';
import { hypothesisText, renderView } from '../blocks/render-view.ts';

export const SELECT_TABLES_PROMPT_VERSION = 1;

/** Tables that one reading may touch (EviLink, sections 5 and 9.2). */
export function selectTablesPrompt(
  question: LinkQuestion,
  hypothesis: LinkHypothesis,
  view: SchemaView,
): readonly ChatMessage[] {
  const system = systemText(
    'name the tables that a query for the question might touch, if the question is read in the given way.',
    [
      'Also name tables that only connect others, tables that decode a number or code into a name, and tables that hold the same fact in another form.',
      'If you are unsure about a table, name it: one too many does little harm, one too few spoils the query.',
      'The reading is a guide. It may have forgotten tables; what it does not mention can still be needed.',
      'The schema shown may be one part of a larger one. Name tables of this part only; an empty list is right where nothing fits.',
    ],
    '{"tables": [{"name": "as the schema writes it", "why": "a few words"}]}',
  );
  const blocks = [
    ...questionBlocks(question),
    dataBlock('reading', hypothesisText(hypothesis)),
    dataBlock('schema', renderView(view)),
  ];
  return [
    { role: 'system', content: system },
    { role: 'user', content: blocks.join('\n') },
  ];
}

export const SELECT_FIELDS_PROMPT_VERSION = 1;

/** Columns that one reading may use (EviLink, sections 5 and 9.3). */
export function selectFieldsPrompt(
  question: LinkQuestion,
  hypothesis: LinkHypothesis,
  view: SchemaView,
): readonly ChatMessage[] {
  const system = systemText(
    'name the columns that a query for the question might use, if the question is read in the given way.',
    [
      'Name the columns that are shown, filtered, grouped, ordered, counted or summed, and both sides of every join.',
      'Name date and time columns wherever the question has to do with time.',
      'Where one condition could be stored in several columns (a code and its text, a flag and a date), name each of them.',
      'If you are unsure about a column, name it.',
      'The reading is a guide. It may have forgotten columns; what it does not mention can still be needed.',
    ],
    '{"fields": [{"table": "as the schema writes it", "column": "as the schema writes it", "why": "a few words"}]}',
  );
  const blocks = [
    ...questionBlocks(question),
    dataBlock('reading', hypothesisText(hypothesis)),
    dataBlock('schema', renderView(view)),
  ];
  return [
    { role: 'system', content: system },
    { role: 'user', content: blocks.join('\n') },
  ];
}
