import type { ChatMessage } from '../../../model/index.ts';
import type { TableToDescribe } from '../../roles/describe-reasoner.ts';
import { assistantText, cellText, dataBlock, longText, nameText } from './blocks/data-block.ts';
import { entryLines } from './blocks/question-blocks.ts';

export const DESCRIBE_TABLE_PROMPT_VERSION = 1;

const QUERY_CHARACTERS = 1_500;
const VALUE_CHARACTERS = 80;

/** What a table, its columns and its codes are, for a review by people. */
export function describeTablePrompt(asked: TableToDescribe): readonly ChatMessage[] {
  const { schema, notes, queries } = asked;
  const blocks = [
    dataBlock('schema', schema),
    ...(notes.length === 0 ? [] : [dataBlock('what people wrote', entryLines(notes))]),
    ...(queries.length === 0
      ? []
      : [
          dataBlock('queries of the log', queries.map((sql) => longText(sql, QUERY_CHARACTERS)).join('\n\n')),
        ]),
    dataBlock('to be described', wantedLines(asked)),
  ];
  return [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: blocks.join('\n') },
  ];
}

function wantedLines({ table, isTable, columns, codes }: TableToDescribe): string {
  return [
    `table ${nameText(table)}${isTable ? '' : ' (described already: leave "table" out)'}`,
    ...(columns.length === 0 ? [] : [`columns: ${columns.map(nameText).join(', ')}`]),
    ...codes.map(
      ({ column, values }) =>
        `codes of ${nameText(column)}: ${values.map((value) => JSON.stringify(cellText(value, VALUE_CHARACTERS))).join(', ')}`,
    ),
  ].join('\n');
}

const SYSTEM = assistantText(
  'say what a table of a database and its columns hold, for people and programs that query it.',
  [
    'Describe what stands under "to be described" and nothing else; give names and stored values back letter by letter.',
    '"table": what one row stands for. "columns": what the column holds, its unit, and what sets it apart from columns that look alike. One sentence each, 25 words at most.',
    '"codes": what a stored value means, in one to five words.',
    '"sure": "high" where the schema, notes, joins, values or queries show it, "medium" where names and values suggest it, "low" where it is hardly more than a guess. "because": what shows it, in a few words.',
    'Where nothing tells, or you would only repeat the name, "is" is "unknown". A wrong description does harm; none does not.',
  ],
  '{"table": {"is": "one order of a customer", "sure": "high", "because": "key, joins"}, "columns": [{"name": "svc_lvl", "is": "how fast it is to be delivered", "sure": "medium", "because": "values STD, EXP", "codes": [{"value": "EXP", "is": "express", "sure": "medium"}]}]}',
);
