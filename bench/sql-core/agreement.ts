/** How far our core and SQLGlot agree on a set of queries; what they disagree on goes to a report. */
import type { SqlglotAnswer } from './ask-sqlglot.ts';
import {
  type ComparedReference,
  compareReferences,
  hasSame,
  type ReferenceClass,
} from './compare-references.ts';
import type { OurParse, OurReferences, SqlCore } from './our-references.ts';
import type { CoreQuery, CoreSchema, QuerySet } from './query-set.ts';

/** Counts over the queries of one set. */
export interface Agreement {
  readonly queries: number;
  /** Queries that an engine is known to have run. */
  readonly running: number;
  /** Parsed to one query: several statements, commands and prose are none. */
  readonly ourParsed: number;
  readonly theirParsed: number;
  readonly ourRunningParsed: number;
  readonly theirRunningParsed: number;
  /** Parsed and resolved by both. */
  readonly compared: number;
  /** Queries for which our core threw instead of answering. */
  readonly ourFailures: number;
  /** Queries that SQLGlot parses but cannot qualify. */
  readonly theirFailures: number;
  /** All references of SQLGlot in the queries it qualifies, those without an owner included. */
  readonly theirReferences: number;
  readonly theirUnowned: number;
  readonly classes: Readonly<Record<ReferenceClass, number>>;
  readonly impliedAgree: number;
  readonly impliedDiffer: number;
  readonly sameTables: number;
  /** Queries whose node types were compared, how many had the same, and the sum of their Jaccard indices. */
  readonly nodeCompared: number;
  readonly sameNodes: number;
  readonly jaccard: number;
  /** Node types by how many more nodes of them we have than SQLGlot: `ours` and `theirs` apart. */
  readonly nodeDifferences: ReadonlyMap<string, NodeDifference>;
}

export interface NodeDifference {
  readonly ours: number;
  readonly theirs: number;
}

/** Takes one JSON object of the report. */
export type WriteFinding = (finding: Readonly<Record<string, unknown>>) => void;

/** Compares query by query; `answers` are SQLGlot's, one for each query and in their order. */
export async function measureAgreement<Tree>(
  { queries, schemas }: QuerySet,
  answers: AsyncIterable<SqlglotAnswer>,
  core: SqlCore<Tree>,
  writeFinding: WriteFinding,
): Promise<Agreement> {
  const schemaOf = new Map(schemas.map((schema) => [schema.databaseId, schema]));
  const counts = emptyCounts();
  let index = 0;
  for await (const answer of answers) {
    const query = queries[index++];
    if (query?.id !== answer.id) throw new Error(`the answers are not of these queries: ${answer.id}`);
    const schema = schemaOf.get(query.databaseId) ?? { databaseId: query.databaseId, tables: [] };
    compareQuery({ query, schema, answer, core, counts, writeFinding });
  }
  if (index !== queries.length) throw new Error(`${index} answers for ${queries.length} queries`);
  return counts;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
type Counts = Omit<Mutable<Agreement>, 'classes' | 'nodeDifferences'> & {
  readonly classes: Record<ReferenceClass, number>;
  readonly nodeDifferences: Map<string, NodeDifference>;
};

interface Comparison<Tree> {
  readonly query: CoreQuery;
  readonly schema: CoreSchema;
  readonly answer: SqlglotAnswer;
  readonly core: SqlCore<Tree>;
  readonly counts: Counts;
  readonly writeFinding: WriteFinding;
}

function compareQuery<Tree>(comparison: Comparison<Tree>): void {
  const { query, answer, counts } = comparison;
  const parsed = parseOurs(comparison);
  const isRunning = query.runs === true;
  counts.queries += 1;
  if (isRunning) counts.running += 1;
  if (parsed.ok) counts.ourParsed += 1;
  if (parsed.ok && isRunning) counts.ourRunningParsed += 1;
  if (answer.ok) counts.theirParsed += 1;
  if (answer.ok && isRunning) counts.theirRunningParsed += 1;
  if (parsed.ok !== answer.ok || (isRunning && !parsed.ok)) {
    report(comparison, 'parse', {
      ours: parsed.ok ? 'parsed' : parsed.error,
      theirs: answer.ok ? 'parsed' : answer.error,
    });
  }
  if (!answer.ok) return;
  if (answer.unresolved !== undefined) {
    counts.theirFailures += 1;
    report(comparison, 'theirs-unresolved', { theirs: answer.unresolved });
  }
  counts.theirReferences += answer.columns.length;
  counts.theirUnowned += answer.columns.filter(({ owner }) => owner !== 'owned').length;
  if (!parsed.ok) return;
  compareNodes(comparison, parsed.tree, answer.nodes);
  if (answer.unresolved === undefined) compareAnswers(comparison, answer);
}

function parseOurs<Tree>(comparison: Comparison<Tree>): OurParse<Tree> {
  const { query, core } = comparison;
  try {
    return core.parse(query.sql, query.dialect);
  } catch (error) {
    comparison.counts.ourFailures += 1;
    return { ok: false, error: `thrown: ${messageOf(error)}` };
  }
}

function compareAnswers<Tree>(
  comparison: Comparison<Tree>,
  answer: Extract<SqlglotAnswer, { ok: true }>,
): void {
  const { query, schema, core, counts } = comparison;
  let ours: OurReferences;
  try {
    ours = core.readReferences(query.sql, query.dialect, schema);
  } catch (error) {
    // A bug of ours on one query must not hide the others: it is counted and reported.
    counts.ourFailures += 1;
    report(comparison, 'ours-thrown', { ours: messageOf(error) });
    return;
  }
  counts.compared += 1;
  if (hasSame(ours.tables, answer.tables)) counts.sameTables += 1;
  else report(comparison, 'tables', { ours: ours.tables, theirs: answer.tables });
  for (const reference of compareReferences(ours.columns, answer.columns)) {
    counts.classes[reference.class] += 1;
    if (reference.implied === 'agree') counts.impliedAgree += 1;
    if (reference.implied === 'differ') counts.impliedDiffer += 1;
    reportReference(comparison, reference);
  }
}

function reportReference<Tree>(comparison: Comparison<Tree>, reference: ComparedReference): void {
  const { start, ours, theirs, implied } = reference;
  // Both without an owner is no disagreement.
  const isBareHere = ours === undefined || ours.physical.length === 0;
  if (reference.class === 'agree' || implied === 'agree') return;
  if (theirs?.owner === 'bare' && isBareHere) return;
  const name =
    /^(?:"[^"]*"|'[^']*'|`[^`]*`|\[[^\]]*\]|[\w$]+)/.exec(comparison.query.sql.slice(start))?.[0] ?? '';
  report(comparison, implied === undefined ? reference.class : `implied-${implied}`, {
    start,
    name,
    ours: ours === undefined ? null : { kind: ours.kind, physical: ours.physical },
    theirs:
      theirs === undefined ? null : { owner: theirs.owner, physical: theirs.physical, marks: theirs.marks },
  });
}

function compareNodes<Tree>(comparison: Comparison<Tree>, tree: Tree, theirTypes: readonly string[]): void {
  const { core, counts } = comparison;
  const ours = countEach(core.readNodeTypes(tree));
  const theirs = countEach(theirTypes);
  let shared = 0;
  let all = 0;
  const differences: Record<string, NodeDifference> = {};
  for (const type of new Set([...ours.keys(), ...theirs.keys()])) {
    const our = ours.get(type) ?? 0;
    const their = theirs.get(type) ?? 0;
    shared += Math.min(our, their);
    all += Math.max(our, their);
    if (our === their) continue;
    differences[type] = { ours: our, theirs: their };
    const sum = counts.nodeDifferences.get(type) ?? { ours: 0, theirs: 0 };
    counts.nodeDifferences.set(type, {
      ours: sum.ours + Math.max(0, our - their),
      theirs: sum.theirs + Math.max(0, their - our),
    });
  }
  counts.nodeCompared += 1;
  counts.jaccard += all === 0 ? 1 : shared / all;
  if (shared === all) counts.sameNodes += 1;
  else report(comparison, 'nodes', { differences });
}

function report<Tree>(
  { query, writeFinding }: Comparison<Tree>,
  kind: string,
  finding: Readonly<Record<string, unknown>>,
): void {
  const { id, set, dialect, databaseId, sql } = query;
  writeFinding({ class: kind, set, id, dialect, databaseId, ...finding, sql });
}

function countEach(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function emptyCounts(): Counts {
  return {
    queries: 0,
    running: 0,
    ourParsed: 0,
    theirParsed: 0,
    ourRunningParsed: 0,
    theirRunningParsed: 0,
    compared: 0,
    ourFailures: 0,
    theirFailures: 0,
    theirReferences: 0,
    theirUnowned: 0,
    classes: {
      agree: 0,
      differ: 0,
      'only-ours': 0,
      'only-theirs': 0,
      'unowned-theirs': 0,
      'ours-unknown-theirs-accepts': 0,
    },
    impliedAgree: 0,
    impliedDiffer: 0,
    sameTables: 0,
    nodeCompared: 0,
    sameNodes: 0,
    jaccard: 0,
    nodeDifferences: new Map(),
  };
}
