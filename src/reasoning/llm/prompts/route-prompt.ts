import type { ChatMessage } from '../../../model/index.ts';
import type { AssistQuestion, TalkState } from '../../assist-reasoner.ts';
import { cellText, dataBlock, nameText, shortList } from './data-block.ts';
import { assistantText } from './framing.ts';
import { entryLines, questionBlocks } from './question-blocks.ts';
import { sqlBlock } from './write-blocks.ts';

export const ROUTE_PROMPT_VERSION = 1;

/** Older turns than these have little to say to the last one. */
const SHOWN_TURNS = 4;
const SHOWN_TABLES = 30;
const TURN_CHARACTERS = 400;

/** What a person wants, and of what kind a follow-up is (LinkedIn, sections 6 and 11). */
export function routePrompt(
  { text }: AssistQuestion,
  { turns, lastQuery, tables }: TalkState,
): readonly ChatMessage[] {
  const before = turns
    .slice(-SHOWN_TURNS)
    .map(
      ({ question, answer }) =>
        `${cellText(question, TURN_CHARACTERS)} → ${cellText(answer, TURN_CHARACTERS)}`,
    );
  const blocks = [
    ...(before.length === 0 ? [] : [dataBlock('earlier turns, oldest first', entryLines(before))]),
    ...(lastQuery === undefined ? [] : [sqlBlock('last query', lastQuery)]),
    ...(tables.length === 0
      ? []
      : [dataBlock('tables shown last', shortList(tables.map(nameText), SHOWN_TABLES))]),
    ...questionBlocks({ text, knowledge: [] }),
  ];
  return [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: blocks.join('\n') },
  ];
}

const SYSTEM = assistantText(
  'say what a person wants, so that the right part of the program answers.',
  [
    '"write_query": an answer from the data, or a change of the last query. "find_data": which tables or columns hold something. "fix_query": a query is given, or an error, that is to be mended. "other": everything else, such as what a table, query or concept means, or how to make a query faster.',
    'followUp is null for a question that stands by itself. Else: "update_query" (change the last query in another way than the next ones), "add_filter" (one more condition), "shorten" (make the query or its result shorter), "use_table" (use a table that is named), "change_tables" (add or drop tables shown), "explain_tables" (what the shown tables are), "why_column" (why a column or condition is there).',
    'The last text decides; what came before only tells what it points at.',
  ],
  '{"intent": "write_query", "followUp": null, "because": "a few words"}',
);
