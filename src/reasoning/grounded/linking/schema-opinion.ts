/** What the grounded engine thinks of a schema for one question: a probability for every table and column, with reasons. */
import { membersOfQuestion } from '../../../knowledge/index.ts';
import { keepTables } from './keep-tables.ts';
import { keepWithin } from './keep-within.ts';
import { type PreparedLinker, rankedQuestion } from './prepare-linker.ts';
import { type LinkForests, rankSchema, type SchemaRanking } from './rank-schema.ts';
import { type RankingReason, reasonsOfColumn, reasonsOfTable } from './ranking-reasons.ts';

export interface ChoiceRisks {
  /** What the F1 of the tables kept is worth beside having every needed one; 0: nothing may be lost. */
  readonly table: number;
  /** Needed columns of the tables kept that may be left out, expected number. */
  readonly column: number;
}

/** Recall first; from databases that the forests had not seen (`scripts/train-linker.ts`) and the curves of `bench/linking.ts`. */
export const CHOICE_RISKS: ChoiceRisks = { table: 1, column: 0.12 };

export interface SchemaChoice {
  /** Canonical ids; of a family its first table. */
  readonly tables: ReadonlySet<string>;
  readonly fields: ReadonlySet<string>;
}

export interface SchemaOpinion {
  /** In [0, 1]; of any table of a family, what its first one has. */
  tableProbability(id: string): number;
  columnProbability(id: string): number;
  /** What is kept where so much may be lost. */
  choose(risks?: ChoiceRisks): SchemaChoice;
  /** Ids of the first tables of families, likeliest first. */
  readonly tableOrder: readonly string[];
  /** What speaks for a table or a column. */
  reasons(id: string): readonly RankingReason[];
  /** The table or column of the first table of its family: what `choose` names. */
  firstOf(id: string): string;
  /** Tables that the first table of a family stands for: those the question names, else all. */
  membersOf(tableId: string): readonly string[];
}

export function formSchemaOpinion(
  { question, hint = '' }: { readonly question: string; readonly hint?: string },
  linker: PreparedLinker,
  forests: LinkForests,
): SchemaOpinion {
  const asked = rankedQuestion(question, hint, linker);
  const ranking = rankSchema(asked, linker.schema, forests);
  const { schema, tables } = linker;
  const tableAt = new Map(schema.tables.map(({ table, index }) => [table.id, index]));
  const placeOfTable = (id: string): number =>
    tableAt.get(tables.familyOf(id)?.members[0]?.table.id ?? id) ?? -1;
  const placeOfColumn = (id: string): number => schema.columnAt.get(linker.placeOf(id)) ?? -1;
  return {
    tableProbability: (id) => ranking.tables[placeOfTable(id)] ?? 0,
    columnProbability: (id) => ranking.columns[placeOfColumn(id)] ?? 0,
    choose: (risks = CHOICE_RISKS) => choose(ranking, linker, risks),
    tableOrder: schema.tables
      .toSorted((left, right) => (ranking.tables[right.index] ?? 0) - (ranking.tables[left.index] ?? 0))
      .map(({ table }) => table.id),
    reasons(id) {
      const column = schema.columns[placeOfColumn(id)];
      if (column !== undefined) return reasonsOfColumn(column, { asked, schema, ranking });
      const table = schema.tables[placeOfTable(id)];
      return table === undefined ? [] : reasonsOfTable(table, { asked, schema, ranking });
    },
    firstOf: (id) =>
      tableAt.has(id) ? id : (tables.familyOf(id)?.members[0]?.table.id ?? linker.placeOf(id)),
    membersOf(id) {
      const family = tables.familyOf(id);
      if (family === undefined || family.members.length === 1) return [id];
      const { members, namedCount } = membersOfQuestion(family, question);
      return (namedCount > 0 ? members.slice(0, namedCount) : members).map(({ table }) => table.id);
    },
  };
}

function choose(ranking: SchemaRanking, { schema }: PreparedLinker, risks: ChoiceRisks): SchemaChoice {
  const kept = keepTables(ranking.tables, risks.table);
  const among = schema.columns.filter(({ table }) => kept.has(table)).map(({ index }) => index);
  const columns = keepWithin(ranking.columns, risks.column, among);
  return {
    tables: new Set([...kept].flatMap((index) => schema.tables[index]?.table.id ?? [])),
    fields: new Set([...columns].flatMap((index) => schema.columns[index]?.column.id ?? [])),
  };
}
