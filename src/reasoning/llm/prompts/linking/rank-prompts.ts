/** Prompts that put tables and columns in order. */
import type { ChatMessage } from '../../../../model/index.ts';
import type { ColumnCard, RankQuestion, TableCard, TablePart } from '../../../roles/rank-reasoner.ts';
import { cellText, dataBlock, nameText, shortList, systemText } from '../blocks/data-block.ts';
import { questionBlocks } from '../blocks/question-blocks.ts';
import { shownTableName } from '../blocks/render-view.ts';

export const RANK_TABLES_PROMPT_VERSION = 1;

const SHOWN = 5;
const SHOWN_COLUMNS = 60;
/** Longer texts of jargon are cut (LinkedIn, section 13). */
const JARGON_CHARACTERS = 300;

/** Tables scored by what is known of them (LinkedIn, sections 5.2 and 11). */
export function rankTablesPrompt(
  question: RankQuestion,
  cards: readonly TableCard[],
): readonly ChatMessage[] {
  const system = systemText(
    'score each table by how much a query for the question needs it.',
    [
      'Give every table a whole number from 1 (of no use) to 10 (the query cannot do without it), and a short reason.',
      'Think of what each table holds one row of. Tables that only connect two needed ones are needed, too.',
      'A verified question or a common join that fits counts for more than a likeness of names.',
      'Of two tables that serve equally well, prefer the certified one, then the one in wider use; mark a deprecated one down.',
    ],
    '{"tables": [{"name": "as the list writes it", "score": 8, "because": "a few words"}]}',
  );
  const blocks = [
    ...rankQuestionBlocks(question),
    dataBlock('tables', cards.map(cardText).join('\n')),
    `Tables to score: ${cards.length}`,
  ];
  return [
    { role: 'system', content: system },
    { role: 'user', content: blocks.join('\n') },
  ];
}

/** The question with notes and jargon; both rankers see them. */
function rankQuestionBlocks({ text, hint, notes, jargon }: RankQuestion): readonly string[] {
  const words = jargon.map(({ term, meaning }) => `${term}: ${cellText(meaning, JARGON_CHARACTERS)}`);
  return questionBlocks({ text, hint, knowledge: [...notes, ...words] });
}

function cardText(card: TableCard): string {
  const standing = [
    ...(card.isCertified ? ['certified'] : []),
    ...(card.isDeprecated ? ['deprecated'] : []),
    ...(card.popularity > 0 ? [`popularity ${card.popularity.toFixed(1)}`] : []),
    ...(card.members > 1 ? [`one of ${card.members} like tables`] : []),
  ];
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ['about', card.descriptions],
    ['used for', card.examples],
    ['joined with', card.joins],
    ['used together with', card.coQueried],
    ['notes', card.notes],
    ['found', card.found.because],
  ];
  return [
    `table ${nameText(shownTableName(card.table))}${standing.length === 0 ? '' : ` (${standing.join(', ')})`}`,
    ...lines
      .filter(([, entries]) => entries.length > 0)
      .map(
        ([name, entries]) =>
          `  ${name}: ${shortList(
            entries.map((entry) => cellText(entry)),
            SHOWN,
            ' | ',
          )}`,
      ),
    ...(card.columns.length === 0
      ? []
      : [`  columns: ${shortList(card.columns.map(nameText), SHOWN_COLUMNS)}`]),
  ].join('\n');
}

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
