/** What an engine said against a query, in the light of the query: of which kind it is, and what to do about it here. */
import type { Complaint, ComplaintKind } from '../../faults/index.ts';
import { readQuery } from '../../faults/reading/index.ts';
import { checkReadOnly } from '../../sql/index.ts';
import {
  type EngineError,
  lastPart,
  type Problem,
  readEngineError,
  stillMeets,
  textNames,
} from '../../validation/index.ts';
import { engineAdvice, sortOf, type Told } from './engine-advice.ts';

export interface EngineVerdict extends EngineError {
  /** What to do next, in whole sentences. */
  readonly next: string;
}

/** Reads the error in the light of the query and the catalog. */
export function engineVerdict(message: string, told: Told): EngineVerdict {
  const read = readEngineError(message);
  const kind = read.kind === 'access-denied' && writes(told) ? 'write' : read.kind;
  const error: EngineError = { ...read, kind };
  const elsewhere = elsewhereIn(error, told);
  if (elsewhere === undefined) return { ...error, next: engineAdvice(error, told) };
  const [view] = viewsIn(told);
  const next =
    view === undefined
      ? `The message does not belong to this query: ${elsewhere}. Give the query that the engine refused, or what it says against this one.`
      : `The query itself is not what it is about: ${elsewhere}. Look into the view ${view}, which it reads.`;
  return { ...error, next };
}

/** Why the message of an engine cannot be of this query; undefined where it may be. */
export function elsewhereIn({ kind, name, message }: EngineError, { sql }: Told): string | undefined {
  if (kind === 'division-by-zero') return DIVIDES.test(withoutTexts(sql)) ? undefined : 'it divides nowhere';
  if (name === undefined || !NAMED_IN_TEXT.has(kind) || OF_THE_PLACE.test(message)) return undefined;
  return textNames(sql, lastPart(name)) ? undefined : `${name} does not stand in it`;
}

const NAMED_IN_TEXT: ReadonlySet<EngineError['kind']> = new Set([
  'missing-table',
  'missing-column',
  'missing-source',
]);
/** A schema or database is where a query runs, and need not be written. */
const OF_THE_PLACE = /\b(?:schema|dataset|database|catalog|project)\b/i;
const DIVIDES = /[/%÷]|\b(?:mod|div|fmod|remainder|divide)\b/i;

function withoutTexts(sql: string): string {
  return sql.replace(/'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\//g, ' ');
}

function writes({ sql, schema }: Told): boolean {
  const read = readQuery(sql, schema.catalog.dialect, schema.catalog);
  return read.ok && !checkReadOnly(read.query.tree).readOnly;
}

function viewsIn({ sql, schema }: Told): readonly string[] {
  const read = readQuery(sql, schema.catalog.dialect, schema.catalog);
  if (!read.ok) return [];
  return read.query.scopes.sources.flatMap((source) => {
    const table = schema.tables.get(source?.table?.id ?? '');
    return table?.kind === 'view' ? table.name : [];
  });
}

/** What the checks are to look for, since the engine says so. */
export function complaintOf({ kind, name, message }: EngineError): Complaint | undefined {
  const known = COMPLAINTS.find((one) => one === kind);
  // Who may not read a table is told by some engines in the words of one that may not exist.
  if (known === undefined || (kind === 'access-denied' && isUnsure(message))) return undefined;
  return { kind: known, name };
}

const COMPLAINTS: readonly ComplaintKind[] = [
  'group-by',
  'subquery-rows',
  'misplaced-call',
  'missing-column',
  'access-denied',
];

function isUnsure(message: string): boolean {
  return /exist/i.test(message);
}

/** The error as a problem of the query; undefined where the checks found what explains it. */
export function engineProblem(
  engine: EngineVerdict,
  found: readonly Problem[],
  told: Told,
): Problem | undefined {
  const { kind, message, instead } = engine;
  const errors = found.filter(({ severity }) => severity === 'error');
  if (errors.some((problem) => explains(problem, engine))) return undefined;
  const elsewhere = elsewhereIn(engine, told);
  const what = elsewhere === undefined ? whatIs(engine) : `the message is not of this query: ${elsewhere}`;
  const text = what === undefined ? `the engine says: ${message}` : `${what}; the engine says: ${message}`;
  return { kind: 'engine', severity: 'error', text, instead: kind === 'conversion' ? [] : instead };
}

/** A name that both find wrong, or a fault of the same kind; who may read what, the checks never find. */
function explains(problem: Problem, { kind, name }: EngineVerdict): boolean {
  if (problem.kind === 'refused') return readEngineError(wordsOfEngine(problem.text)).kind === kind;
  // What does not parse, writes or reads no user's data at all makes every other error of it likely.
  if (problem.kind === 'parse' || problem.kind === 'system-table' || problem.kind === 'not-read-only')
    return kind !== 'access-denied';
  if (OUTSIDE.has(kind)) return false;
  const own = SAME_AS[kind];
  if (own !== undefined) return problem.kind === own;
  if (name === undefined) return true;
  return name
    .split(/[.:]/)
    .slice(-2)
    .some((part) => textNames(problem.text, part));
}

/** Without the database that a refusal names before them. */
export function wordsOfEngine(refusal: string): string {
  return refusal.replace(/^\S{1,40} database [^\n:]{1,200}: /, '');
}

const SAME_AS: Partial<Record<EngineError['kind'], Problem['kind']>> = {
  'group-by': 'missing-group-by',
  'subquery-rows': 'subquery-rows',
  'misplaced-call': 'misplaced-call',
};

/** Whether a changed query would meet the error again. Rules cannot tell of one that names nothing in it. */
export function stillStands(engine: EngineVerdict, changed: string, isMended: boolean): boolean {
  return (engine.name === undefined && !isMended) || stillMeets(engine, changed);
}

const OUTSIDE: ReadonlySet<EngineError['kind']> = new Set([
  'access-denied',
  'unavailable',
  'timeout',
  'resources',
  'division-by-zero',
  'conversion',
  'out-of-range',
  'pattern',
]);

const WHAT: Partial<Record<EngineError['kind'], string>> = {
  'access-denied': 'the engine denies access',
  write: 'the engine refuses to write',
  unavailable: 'the engine could not be reached, or somebody else holds what the query needs',
  'missing-table': 'the engine does not find a table',
  'missing-column': 'the engine does not find a column',
  'missing-function': 'the engine does not have a function',
  'missing-source': 'the engine does not find what stands before a column',
  'ambiguous-column': 'several tables have a column',
  'duplicate-name': 'a name is given twice',
  'missing-alias': 'a subquery in FROM has no name',
  'group-by': 'a column is neither grouped nor aggregated',
  'misplaced-call': 'an aggregate or window stands where none may',
  'order-by': 'ORDER BY names what the list does not have',
  'subquery-rows': 'a subquery gives more than one row where one value stands',
  'column-count': 'two lists of columns are of different lengths',
  'out-of-range': 'a value is beyond what its type or function takes',
  'division-by-zero': 'a divisor is zero in some row',
  arguments: 'a function is called with other arguments than it takes',
  pattern: 'a pattern is not well formed',
  parameter: 'a parameter has no value',
  timeout: 'the query takes longer than it may',
  resources: 'the query needs more than it may use',
  type: 'values of different types meet',
  syntax: 'the engine cannot read the query',
};

function whatIs({ kind, value, target }: EngineError): string | undefined {
  if (kind !== 'conversion') return WHAT[kind];
  return value === undefined ? 'a text is no value of another type' : `“${value}” is no ${sortOf(target)}`;
}
