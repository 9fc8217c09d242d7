/** A reasoner made of SQL that others wrote: each query is a hypothesis, and linking it is reading what it uses. */
import type { Catalog } from '../../catalog/index.ts';
import { CandorError } from '../../errors.ts';
import { type ParseError, parse } from '../../sql/index.ts';
import type {
  LinkHypothesis,
  LinkQuestion,
  LinkReasoner,
  NamedField,
  NamedTable,
  SchemaView,
} from '../roles/link-reasoner.ts';
import { DEFAULT_EXPANSIONS, type ExpandedUse, type ExpansionName, expandUse } from './expansions.ts';
import { indexKeys } from './key-index.ts';
import { differences, readHypothesis, readUse, type SqlUse } from './read-hypothesis.ts';

export interface ReplaySettings {
  /** What is added to the columns of each query. */
  readonly expansions?: readonly ExpansionName[];
  /** Further columns of a path with a score, from a ranker: those of `extraAtLeast` and above are kept. */
  readonly extra?: (hypothesis: LinkHypothesis, question: LinkQuestion) => Promise<readonly ScoredField[]>;
  /** In [0, 1]. */
  readonly extraAtLeast?: number;
  /** Equal queries count once. Off: that two models wrote the same query is agreement. */
  readonly mergesEqual?: boolean;
  /** Decides what is uncertain; without it everything uncertain is kept. */
  readonly refine?: LinkReasoner['refine'];
}

interface ScoredField {
  /** Canonical id. */
  readonly id: string;
  readonly score: number;
}

const EXTRA_AT_LEAST = 0.5;

/**
 * One hypothesis for each query, in their order, with the ids h1, h2, …; K is their number. A query that does not parse
 * has no entities, and its path throws `sql.parse-failed`: it then counts as a path that failed.
 */
export function replayReasoner(
  sqls: readonly string[],
  catalog: Catalog,
  settings: ReplaySettings = {},
): LinkReasoner {
  const wanted = settings.mergesEqual === true ? [...new Set(sqls)] : sqls;
  const paths = wanted.map((sql, at) => readPath(`h${at + 1}`, sql, catalog));
  const hypotheses = paths.map(({ hypothesis }, at) => ({
    ...hypothesis,
    differsBy: at === 0 ? [] : differences(hypothesis, paths[0]!.hypothesis),
  }));
  const useOf = (id: string): SqlUse => {
    const path = paths.find(({ hypothesis }) => hypothesis.id === id);
    if (path?.use !== undefined) return path.use;
    throw new CandorError(
      'sql.parse-failed',
      `the query of ${id} does not parse: ${path?.error?.message ?? 'no such query'}`,
    );
  };
  const link = (question: LinkQuestion, hypothesis: LinkHypothesis): Promise<Reasoned> =>
    expand(useOf(hypothesis.id), { question, hypothesis, catalog, settings });
  return {
    kind: 'replay',
    hypothesise: async (_question, _view, most) => hypotheses.slice(0, most),
    selectTables: async (question, hypothesis, view) => tablesIn(view, await link(question, hypothesis)),
    selectFields: async (question, hypothesis, view) => fieldsIn(view, await link(question, hypothesis)),
    refine: settings.refine ?? (async () => []),
  };
}

interface ReplayPath {
  readonly hypothesis: LinkHypothesis;
  readonly use?: SqlUse;
  readonly error?: ParseError;
}

function readPath(id: string, sql: string, catalog: Catalog): ReplayPath {
  const parsed = parse(sql, catalog.dialect);
  if (parsed.ok) {
    const use = readUse(parsed.tree, catalog);
    return { hypothesis: readHypothesis(id, parsed.tree, catalog, use), use };
  }
  const nothing = {
    differsBy: [],
    entities: [],
    filters: [],
    joins: [],
    aggregations: [],
    time: '',
    ambiguous: [],
  };
  return { hypothesis: { id, summary: 'a query that does not parse', ...nothing }, error: parsed.error };
}

/** What a path chose, with the reasons of what its query does not name. */
interface Reasoned extends Omit<ExpandedUse, 'because'> {
  readonly because: ReadonlyMap<string, string>;
}

interface PathContext {
  readonly question: LinkQuestion;
  readonly hypothesis: LinkHypothesis;
  readonly catalog: Catalog;
  readonly settings: ReplaySettings;
}

async function expand(
  use: SqlUse,
  { question, hypothesis, catalog, settings }: PathContext,
): Promise<Reasoned> {
  const { expansions = DEFAULT_EXPANSIONS, extra, extraAtLeast = EXTRA_AT_LEAST } = settings;
  const index = indexKeys(catalog);
  const text = `${question.text}\n${question.hint ?? ''}`;
  const expanded = expandUse(use, expansions, { index, text });
  const because = new Map<string, string>(
    [...expanded.because].map(([id, name]) => [id, `expansion: ${name}`]),
  );
  const [tables, fields] = [new Set(expanded.tables), new Set(expanded.fields)];
  for (const { id, score } of (await extra?.(hypothesis, question)) ?? []) {
    const column = index.columns.get(id);
    if (column === undefined || score < extraAtLeast || fields.has(id)) continue;
    fields.add(id);
    tables.add(column.tableId);
    because.set(id, `ranker: ${score.toFixed(2)}`);
  }
  return { tables, fields, because };
}

function tablesIn({ tables }: SchemaView, chosen: Reasoned): readonly NamedTable[] {
  return tables.flatMap(({ table }) =>
    chosen.tables.has(table.id) ? [{ name: table.id, why: 'in the query' }] : [],
  );
}

function fieldsIn({ tables }: SchemaView, chosen: Reasoned): readonly NamedField[] {
  return tables.flatMap(({ table, columns }) =>
    columns.flatMap(({ id, name }) =>
      chosen.fields.has(id)
        ? [{ table: table.id, column: name, why: chosen.because.get(id) ?? 'in the query' }]
        : [],
    ),
  );
}
