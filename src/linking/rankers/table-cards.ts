import {
  authoredText,
  redactedText,
  redactSql,
  reshaped,
  type SharedTable,
  type SharedText,
  withoutLiterals,
} from '../../catalog/share/index.ts';
import { factText } from '../../knowledge/graph/index.ts';
import type { Found, FoundTable } from '../../knowledge/retrieve/index.ts';
import type { TableCard } from '../../reasoning/roles/rank-reasoner.ts';
import type { RankerDesk } from './ranker-desk.ts';

const MOST_ENTRIES = 5;

/** What the table ranker sees of a table that was found (LinkedIn, section 5.2). */
export function tableCard(
  { item, score, because }: Found<FoundTable>,
  table: SharedTable,
  desk: RankerDesk,
): TableCard {
  const { sources, settings, joinsOf } = desk;
  const { graph } = sources;
  const known = graph?.table(table.id)?.descriptions.map(factText) ?? [];
  const { isCertified, isDeprecated, popularity, family } = item;
  return {
    table,
    members: family?.total ?? 1,
    descriptions: known.length > 0 || table.comment === undefined ? known : [table.comment],
    examples: examplesOf(table, desk),
    joins: joinsOf(table.id)
      .slice(0, MOST_ENTRIES)
      .map(
        ({ other, on, said }) =>
          `${other} on ${on.map(([a, b]) => `${lastName(a)} = ${lastName(b)}`).join(' and ')} (${said})`,
      ),
    coQueried: (graph?.coQueried(table.id) ?? [])
      .map(({ leftTable, rightTable }) => (leftTable === table.id ? rightTable : leftTable))
      .filter((id) => sources.tables.table(id) !== undefined)
      .slice(0, MOST_ENTRIES),
    notes: (graph?.notesOf(table.id) ?? []).map(({ value }) => value.text).slice(0, MOST_ENTRIES),
    isCertified,
    isDeprecated,
    popularity,
    found: { score, because: [...because.map(authoredText), ...valueSigns(table, desk)] },
    columns: settings.showSchemas ? table.columns.map(({ name }) => name) : [],
  };
}

/** Verified pairs like the question first, then what else uses the table. */
function examplesOf({ id }: SharedTable, { sources }: RankerDesk): readonly SharedText[] {
  const { graph, retrieved, sharing, tables } = sources;
  const { dialect } = tables.catalog;
  const withoutThose = (sql: string) => (question: string) =>
    withoutLiterals(question, redactSql(sql, dialect).literals);
  const like = new Set(retrieved.examples.map(({ item }) => item.pair.file));
  const texts = (graph?.examplesOf(id) ?? []).map(({ value }) =>
    'question' in value
      ? { text: redactedText(value.question, sharing, withoutThose(value.sql)), isLike: like.has(value.file) }
      : { text: redactedText(value.sql, sharing, (sql) => redactSql(sql, dialect).sql), isLike: false },
  );
  return [...texts.filter(({ isLike }) => isLike), ...texts.filter(({ isLike }) => !isLike)]
    .map(({ text }) => text)
    .slice(0, MOST_ENTRIES);
}

/** A stored value of the question is why many a table is needed, and stands in no description. */
function valueSigns(table: SharedTable, { signsOf }: RankerDesk): readonly SharedText[] {
  return table.columns
    .flatMap((column) =>
      signsOf(column)
        .values.slice(0, 1)
        .map((value) => reshaped(value, (text) => `${column.name} holds “${text}”`)),
    )
    .slice(0, MOST_ENTRIES);
}

function lastName(columnId: string): string {
  return columnId.slice(columnId.lastIndexOf('.') + 1);
}
