/** Everything that is wrong with a query, at once: for a person, and for whoever mends it. */
import type { Check } from '../answer.ts';
import type { Database } from '../database/index.ts';
import { CandorError } from '../errors.ts';
import {
  type CertainFault,
  type Complaint,
  certainFaults,
  type NearValues,
  type SchemaFacts,
  storedNear,
} from '../faults/index.ts';
import { comparedColumn, type ReadQuery, readQuery, writtenText } from '../faults/reading/index.ts';
import { checkReadOnly, type ParseError } from '../sql/index.ts';
import { type Definitions, findBrokenDefinitions } from './rules/definitions/find-broken-definitions.ts';
import { findFanOuts } from './rules/fan-out.ts';
import { findLikesWithoutWildcard } from './rules/like-without-wildcard.ts';
import { findNotInNulls } from './rules/not-in-null.ts';
import type { Problem } from './rules/problem.ts';
import { ruleResult, type ValidationContext } from './rules/rule.ts';
import { checkExplain } from './validate-sql.ts';

export interface DiagnosisContext {
  readonly schema: SchemaFacts;
  /** Absent: the engine is not asked. */
  readonly database?: Database;
  /** Absent: among the values that the schema knows. */
  readonly nearValues?: NearValues;
  /** Absent: nothing is known of what people have defined. */
  readonly definitions?: Definitions;
  /** What an engine is known to have against the query: looked for more closely. */
  readonly complaint?: Complaint;
  readonly signal?: AbortSignal;
}

export interface Diagnosis {
  /** No problem is an error. */
  readonly ok: boolean;
  /** Those that could be made, in order: what does not parse is not looked at further, what writes is not explained. */
  readonly checks: readonly Check[];
  /** In the order of the text; those without a place last. */
  readonly problems: readonly Problem[];
}

/** Throws `database.*` where the engine fails for another reason than the query. Never runs it. */
export async function diagnoseSql(sql: string, context: DiagnosisContext): Promise<Diagnosis> {
  const { schema, database, definitions, complaint, signal } = context;
  const read = readQuery(sql, schema.catalog.dialect, schema.catalog);
  if (!read.ok) return unread(read.because, read.error);
  const { tree } = read.query;
  const verdict = checkReadOnly(tree);
  const faults = certainFaults(read.query, schema, complaint);
  const problems: Problem[] = [
    ...faults.map((fault) => problemOf(fault, read.query, context)),
    ...findFanOuts(read.query, schema),
    ...findLikesWithoutWildcard(read.query, schema),
    ...findNotInNulls(read.query, schema),
    ...(definitions === undefined ? [] : findBrokenDefinitions(read.query, schema, definitions)),
  ];
  const checks = [ruleResult('parse', []).check];
  if (!verdict.readOnly && !problems.some(({ text }) => text === verdict.reason)) {
    const { reason, span } = verdict;
    problems.push({ kind: 'not-read-only', severity: 'error', span, text: reason, instead: [] });
  }
  checks.push(ruleResult('read-only', verdict.readOnly ? [] : [verdict.reason]).check);
  const named = problems.filter(({ kind }) => NAMES.has(kind));
  checks.push(
    ruleResult(
      'names',
      named.map(({ text }) => text),
    ).check,
  );
  if (verdict.readOnly && database !== undefined) {
    const { check, problem } = await explained(sql, {
      catalog: schema.catalog,
      database,
      ...(signal && { signal }),
    });
    checks.push(check);
    if (problem !== undefined && !isSaid(problem.text, problems, sql)) problems.push(problem);
  }
  problems.sort((a, b) => (a.span?.start ?? sql.length) - (b.span?.start ?? sql.length));
  return { ok: problems.every(({ severity }) => severity === 'warning'), checks, problems };
}

const NAMES: ReadonlySet<string> = new Set([
  'unknown-table',
  'unknown-column',
  'ambiguous-column',
  'unquoted-name',
  'system-table',
]);

function unread(because: string, error: ParseError | undefined): Diagnosis {
  const text =
    error === undefined
      ? `the query is ${because}`
      : `line ${error.line}, column ${error.column}: ${error.message}`;
  const span = error === undefined ? {} : { span: { start: error.offset, end: error.offset } };
  return {
    ok: false,
    checks: [ruleResult('parse', [text]).check],
    problems: [{ kind: 'parse', severity: 'error', ...span, text, instead: [] }],
  };
}

function problemOf(fault: CertainFault, query: ReadQuery, context: DiagnosisContext): Problem {
  const { span, isRefused, isOfEngine } = fault;
  const kind = isOfEngine ? 'system-table' : fault.kind;
  const instead =
    fault.instead.length > 0 || kind !== 'unseen-literal' ? fault.instead : near(fault, query, context);
  const elsewhere = kind === 'unknown-column' ? homesOf(fault, query, context.schema) : [];
  const has =
    elsewhere.length === 0
      ? ''
      : `; ${elsewhere.join(', ')} ${elsewhere.length === 1 ? 'has' : 'have'} it, not read here`;
  return { kind, severity: isRefused ? 'error' : 'warning', span, text: `${fault.text}${has}`, instead };
}

/** Stored values like the literal. */
function near(
  { node }: CertainFault,
  query: ReadQuery,
  { schema, nearValues = storedNear(schema) }: DiagnosisContext,
): readonly string[] {
  const literal = query.tree.nodes[node];
  const column = literal && comparedColumn(literal, query);
  const text = literal && writtenText(literal, query);
  return column === undefined || text === undefined ? [] : nearValues(column, text);
}

const MOST_HOMES = 3;

/** Tables that have a column of this name and that the query does not read from here. */
function homesOf(
  { node }: CertainFault,
  { tree, scopes }: ReadQuery,
  schema: SchemaFacts,
): readonly string[] {
  const name = tree.nodes[node]?.value?.toLowerCase();
  const here = new Set(scopes.places[node]?.sources.map(({ table }) => table?.id));
  return (schema.columnsNamed.get(name ?? '') ?? [])
    .filter(({ tableId }) => !here.has(tableId))
    .slice(0, MOST_HOMES)
    .map(({ tableId }) => schema.tables.get(tableId)?.name ?? tableId);
}

/** Errors of which engines name another place than we do, or none. */
const FOUND_WITHOUT_NAME: ReadonlySet<string> = new Set([
  'missing-group-by',
  'missing-on',
  'misplaced-call',
  'subquery-rows',
]);

/** The engine names what was found already. */
function isSaid(error: string, problems: readonly Problem[], sql: string): boolean {
  const lower = error.toLowerCase();
  return problems.some(({ kind, severity, span }) => {
    if (FOUND_WITHOUT_NAME.has(kind)) return severity === 'error';
    if (!NAMES.has(kind) || span === undefined) return false;
    const name = sql.slice(span.start, span.end).replace(/^[`"[]|[`"\]]$/g, '');
    return lower.includes(name.toLowerCase());
  });
}

/** The engine's verdict, or that of the guard before it: what a reader may not see is refused as well. */
async function explained(
  sql: string,
  context: ValidationContext,
): Promise<{ readonly check: Check; readonly problem?: Problem }> {
  try {
    const { check, errors } = await checkExplain(sql, context);
    const [text] = errors;
    return text === undefined
      ? { check }
      : { check, problem: { kind: 'refused', severity: 'error', text, instead: [] } };
  } catch (error) {
    if (!(error instanceof CandorError) || !OF_THE_GUARD.has(error.code)) throw error;
    const { check } = ruleResult('explain', [error.message]);
    const kind = error.code === 'database.not-read-only' ? 'not-read-only' : 'refused';
    return { check, problem: { kind, severity: 'error', text: error.message, instead: [] } };
  }
}

const OF_THE_GUARD: ReadonlySet<string> = new Set([
  'database.not-read-only',
  'database.not-visible',
  'database.not-restrictable',
  'database.own-code',
]);
