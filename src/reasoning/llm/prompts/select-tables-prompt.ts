import type { ChatMessage } from '../../../model/index.ts';
import type { LinkHypothesis, LinkQuestion, SchemaView } from '../../link-reasoner.ts';
import { dataBlock } from './data-block.ts';
import { systemText } from './framing.ts';
import { questionBlocks } from './question-blocks.ts';
import { hypothesisText } from './render-hypothesis.ts';
import { renderView } from './render-view.ts';

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
