/** From predictions to rows of nodes: parsed, labelled by the gold, with the features that a plan asks for. */
import type { Catalog } from '../../../catalog/index.ts';
import { connect, guarded } from '../../../database/index.ts';
import { prepareSchemaFacts, type SampledValues } from '../../../faults/index.ts';
import { type ReadQuery, readQuery } from '../../../faults/reading/index.ts';
import { type PreparedLinking, prepareLinking } from '../../../linking/index.ts';
import { formSchemaOpinion } from '../../../reasoning/grounded/linking/index.ts';
import { writeName } from '../../../sql/dialects/index.ts';
import { normalKey } from '../../../sql/index.ts';
import { resolverFromScopes } from '../../../sql/normal/index.ts';
import {
  type FeatureGroupName,
  featureSpace,
  labelFacts,
  labelNodes,
  prepareQuestion,
  readFeatures,
} from '../../../uncertainty/index.ts';
import type { LinkDatabase } from '../../linking/index.ts';
import { NodeRows } from './node-rows.ts';
import type { PredictedQuestion, Prediction, PredictionSet } from './prediction-set.ts';

/** One query to be judged, and what other candidates it is seen beside. */
export interface Planned {
  readonly candidate: ReadCandidate;
  readonly others: readonly ReadQuery[];
  readonly tag: string;
}

export interface ReadCandidate {
  readonly prediction: Prediction;
  readonly query: ReadQuery;
}

export interface RowsPlan {
  readonly groups: readonly FeatureGroupName[];
  readonly plan: (candidates: readonly ReadCandidate[], question: PredictedQuestion) => readonly Planned[];
}

export interface ReadRows {
  readonly rows: NodeRows;
  /** Predictions that do not parse, or are too large. */
  readonly unread: readonly { readonly question: string; readonly prediction: Prediction }[];
  /** Queries without labels since they or the gold are too large. */
  readonly unlabelled: number;
}

export interface ReadOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, of: number) => void;
}

export async function readRows(
  set: PredictionSet,
  plan: RowsPlan,
  { signal, onProgress }: ReadOptions = {},
): Promise<ReadRows> {
  const space = featureSpace(plan.groups);
  const rows = new NodeRows(space);
  const unread: { question: string; prediction: Prediction }[] = [];
  let unlabelled = 0;
  const prepared = new Map<string, PreparedDatabase>();
  for (const [at, question] of set.questions.entries()) {
    signal?.throwIfAborted();
    onProgress?.(at, set.questions.length);
    const found = set.databases.get(question.database);
    if (found === undefined) continue;
    const { catalog } = found;
    const database = prepared.get(question.database) ?? (await prepareDatabase(found, signal));
    prepared.set(question.database, database);
    const gold = readQuery(question.goldSql, catalog.dialect, catalog);
    if (!gold.ok) continue;
    const candidates = question.predictions.flatMap((prediction): ReadCandidate[] => {
      const read = readQuery(prediction.sql, catalog.dialect, catalog);
      if (read.ok) return [{ prediction, query: read.query }];
      unread.push({ question: question.id, prediction });
      return [];
    });
    const asked = askedOf(question, database);
    for (const { candidate, others, tag } of plan.plan(candidates, question)) {
      const { query, prediction } = candidate;
      const labels = labelNodes(query.tree, gold.query.tree, {}, database.labels);
      const publishedLabels = labelNodes(query.tree, gold.query.tree, PUBLISHED);
      if (labels === undefined || publishedLabels === undefined) unlabelled += 1;
      else
        rows.add({
          question: question.id,
          database: question.database,
          tag,
          sql: prediction.sql,
          form: formOf(query),
          times: prediction.setups.length,
          ...(prediction.isRight !== undefined && { isRight: prediction.isRight }),
          types: query.tree.nodes.map(({ type }) => type),
          labels,
          publishedLabels,
          values: readFeatures(query, { schema: database.facts, asked, others }, space),
        });
    }
  }
  return { rows, unread, unlabelled };
}

const PUBLISHED = { mode: 'literal', equality: 'published' } as const;

export interface PreparedDatabase {
  readonly catalog: Catalog;
  readonly linking: PreparedLinking;
  readonly facts: ReturnType<typeof prepareSchemaFacts>;
  readonly labels: ReturnType<typeof labelFacts>;
}

/** What queries over one database are judged with. */
export async function prepareDatabase(
  database: LinkDatabase,
  signal?: AbortSignal,
): Promise<PreparedDatabase> {
  const { catalog } = database;
  const stored = await readStoredValues(database, signal);
  return {
    catalog,
    linking: await prepareLinking(catalog),
    facts: prepareSchemaFacts(catalog, stored === undefined ? {} : { stored }),
    labels: labelFacts(catalog),
  };
}

export function askedOf({ question, hint }: PredictedQuestion, { catalog, linking }: PreparedDatabase) {
  const opinion = formSchemaOpinion({ question, hint }, linking.linker, linking.forests);
  return prepareQuestion({ text: question, hint }, catalog, opinion);
}

const FORMS = new WeakMap<ReadQuery, string>();

function formOf(query: ReadQuery): string {
  const known = FORMS.get(query);
  if (known !== undefined) return known;
  const form = normalKey(query.tree, { resolve: () => resolverFromScopes(query.scopes) });
  FORMS.set(query, form);
  return form;
}

// All values of the columns of a database with rows, as far as a column has not too many.

const MOST_VALUES = 5_000;
const LIMITS = { rows: MOST_VALUES + 1, bytes: 20_000_000, timeoutMs: 60_000 };

/** By column id; undefined where the set has no rows. Columns with more values are left out. */
export async function readStoredValues(
  { catalog, databaseUrl }: LinkDatabase,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, SampledValues> | undefined> {
  if (databaseUrl === undefined) return undefined;
  const database = guarded(await connect(databaseUrl), { kind: 'own-queries' });
  const values = new Map<string, SampledValues>();
  try {
    for (const table of catalog.tables) {
      // SQLite's own tables stand in some schemas of Spider; the guard refuses to read them.
      if (table.name.toLowerCase().startsWith('sqlite_')) continue;
      for (const column of table.columns) {
        const name = writeName(column.name, catalog.dialect);
        const sql = `SELECT DISTINCT ${name} FROM ${writeName(table.name, catalog.dialect)} LIMIT ${LIMITS.rows}`;
        const { rows } = await database.query(sql, LIMITS, signal);
        if (rows.length > MOST_VALUES) continue;
        const exact = new Set(rows.flatMap(([cell]) => (cell === null ? [] : [String(cell)])));
        const folded = new Set([...exact].map((value) => value.trim().toLowerCase()));
        values.set(column.id, { exact, folded, isComplete: true });
      }
    }
  } finally {
    await database.close();
  }
  return values;
}
