import type { ChatMessage } from '../../../model/index.ts';
import type { AssistQuestion, TalkState } from '../../roles/assist-reasoner.ts';
import { assistantText, dataBlock, nameText, shortList } from './blocks/data-block.ts';
import { entryLines, questionBlocks, turnLines } from './blocks/question-blocks.ts';
import { sqlBlock } from './blocks/write-blocks.ts';

export const ROUTE_PROMPT_VERSION = 3;

const SHOWN_TABLES = 30;

/** What a person wants, and of what kind a follow-up is (LinkedIn, sections 6 and 11). */
export function routePrompt(
  { text }: AssistQuestion,
  { turns, lastQuery, tables }: TalkState,
): readonly ChatMessage[] {
  const before = turnLines(turns);
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
    '"write_query": an answer from the data, a change of the last query, or why a figure of it is as it is. "find_data": whether or where something is stored. "fix_query": a query is given, or an error, that is to be mended. "other": everything else: what a table, query or word means, how the last figure was computed, what can be asked, a greeting, what is not about this data, a rule to keep, how to make a query faster.',
    'remember is null unless the text states a definition or rule for later questions ("remember …", "for us X means …", "no, X never counts"): then it is that rule as one sentence that stands by itself, in the words of the text. The intent is "other" then, or "write_query" where the text asks for something as well or corrects the last figure.',
    'followUp is null for a question that stands by itself. Else: "update_query" (go on from an earlier turn or change the last query in another way than the next ones), "add_filter" (one more condition), "shorten" (make the query or its result shorter), "use_table" (use a table that is named), "change_tables" (add or drop tables shown), "explain_tables" (what the shown tables are), "why_column" (why a column or condition is there).',
    'The last text decides; what came before only tells what it points at.',
  ],
  '{"intent": "write_query", "followUp": null, "remember": null, "because": "a few words"}',
);
