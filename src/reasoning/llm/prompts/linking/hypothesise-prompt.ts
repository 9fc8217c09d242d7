import type { ChatMessage } from '../../../../model/index.ts';
import type { LinkQuestion, SchemaView } from '../../../roles/link-reasoner.ts';
import { dataBlock, systemText } from '../blocks/data-block.ts';
import { questionBlocks } from '../blocks/question-blocks.ts';
import { renderView } from '../blocks/render-view.ts';

export const HYPOTHESISE_PROMPT_VERSION = 1;

/** Readings of a question over names of tables and columns (EviLink, sections 4 and 9.1). */
export function hypothesisePrompt(
  question: LinkQuestion,
  view: SchemaView,
  most: number,
): readonly ChatMessage[] {
  const system = systemText(
    'give the readings of a question: the ways in which it could be turned into SQL over this schema.',
    [
      `A plain question has one reading: give just that. Give more, ${most} at most and the surest first, only where the question or the schema leaves a choice.`,
      'Two readings differ in at least one of four things: join_route (which tables lead from one thing to another), filter_encoding (which column or value carries a condition), aggregation_grain (what is counted or summed, and per what), temporal_interpretation (which date column, which period). Use "other" only where none of the four fits. The same plan in other words is not a second reading.',
      'Write tables and columns with the names of the schema. The summary may hold steps of your own, such as an intermediate result or a ranking; tables of your own are not allowed.',
      'List each phrase of the question that could mean several parts of the schema, with those parts.',
    ],
    FORM,
  );
  return [
    { role: 'system', content: system },
    {
      role: 'user',
      content: [...questionBlocks(question), dataBlock('schema', renderView(view))].join('\n'),
    },
  ];
}

const FORM = `{"hypotheses": [{
  "summary": "the plan in a sentence or two",
  "differsBy": ["join_route"],
  "entities": ["names of the tables it uses"],
  "filters": [{"field": "table.column", "condition": "what it has to be"}],
  "joins": [{"left": "table.column", "right": "table.column"}],
  "aggregations": [{"function": "COUNT", "field": "table.column"}],
  "time": "how time is read, empty where the question has none",
  "ambiguous": [{"phrase": "words of the question", "options": ["table.column", "another.column"]}]
}]}`;
