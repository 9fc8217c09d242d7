import type { ChatMessage } from '../../../model/index.ts';
import type { ColumnCard, RankQuestion, TablePart } from '../../rank-reasoner.ts';
import { cellText, dataBlock, nameText } from './data-block.ts';
import { systemText } from './framing.ts';
import { rankQuestionBlocks } from './rank-tables-prompt.ts';
import { shownTableName } from './render-view.ts';

export const RANK_COLUMNS_PROMPT_VERSION = 1;

const SHOWN_VALUES = 5;
const VALUE_CHARACTERS = 40;

/** Columns in two tiers, from schemas with what is known of each column (LinkedIn, sections 5.2 and 11). */
export function rankColumnsPrompt(
  question: RankQuestion,
  parts: readonly TablePart[],
): readonly ChatMessage[] {
  const system = systemText(
    'choose the columns that a query for the question uses, in two tiers.',
    [
      '"relevant": what the query shows, filters, groups, orders, counts, sums or joins by. "maybe": what another sensible way to write it would use.',
      'Keys that join two of the tables and partition keys are relevant.',
      'Leave out columns that serve no way to write it. A wide table comes in parts: judge each part for itself.',
    ],
    '{"relevant": [{"table": "as the schema writes it", "column": "as the schema writes it", "because": "a few words"}], "maybe": [{"table": "…", "column": "…", "because": "…"}]}',
  );
  const blocks = [...rankQuestionBlocks(question), dataBlock('schema', parts.map(partText).join('\n\n'))];
  return [
    { role: 'system', content: system },
    { role: 'user', content: blocks.join('\n') },
  ];
}

function partText({ table, description, columns, part, parts, joins }: TablePart): string {
  const of = parts > 1 ? ` -- part ${part} of ${parts} of this table` : '';
  return [
    ...(description === '' ? [] : [`-- ${cellText(description)}`]),
    `CREATE TABLE ${nameText(shownTableName(table))} (${of}`,
    ...columns.map((card, index) => columnLine(card, table.primaryKey, index === columns.length - 1)),
    ');',
    ...joins.map((join) => `-- joins: ${cellText(join)}`),
  ].join('\n');
}

function columnLine(card: ColumnCard, primaryKey: readonly string[], isLast: boolean): string {
  const { column, description, references, isPartitionKey, values } = card;
  const { profile } = column;
  const shown = profile?.pii?.isWithheld === true ? [] : (profile?.examples ?? []);
  const facts = [
    ...(primaryKey.includes(column.id) ? ['primary key'] : []),
    ...(isPartitionKey ? ['partition key'] : []),
    ...references.map((id) => `refers to ${nameText(id)}`),
    ...(description === '' ? [] : [cellText(description)]),
    ...(profile?.semanticClass === undefined ? [] : [`class ${profile.semanticClass}`]),
    ...valueFact('values like the question', values),
    ...valueFact('frequent values', shown),
  ];
  const comment = facts.length === 0 ? '' : ` -- ${facts.join('; ')}`;
  return `  ${nameText(column.name)} ${cellText(column.type)}${isLast ? '' : ','}${comment}`;
}

function valueFact(name: string, values: readonly string[]): readonly string[] {
  if (values.length === 0) return [];
  return [
    `${name}: ${values
      .slice(0, SHOWN_VALUES)
      .map((value) => cellText(value, VALUE_CHARACTERS))
      .join(' | ')}`,
  ];
}
