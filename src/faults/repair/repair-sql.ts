/** Repairs of a query that an engine refuses: what is sure is done, what has to be guessed is offered. Nothing is run. */

import type { DialectName } from '../../sql/dialects/dialect.ts';
import { checkReadOnly, parse, transpile } from '../../sql/index.ts';
import { type Patch, patchText } from '../../sql/rewrite/index.ts';
import type { SqlNode } from '../../sql/tree/index.ts';
import { wouldCross } from '../find/certain-faults.ts';
import type { Complaint } from '../find/complaint-faults.ts';
import { type NearValues, storedNear } from '../find/complaint-faults.ts';
import type { CertainFault } from '../find/fault.ts';
import { type ReadQuery, readQuery } from '../reading/read-query.ts';
import type { SchemaFacts } from '../schema/schema-facts.ts';
import { cleanText, tidyText } from './clean-text.ts';
import type { RemedyKind } from './remedy.ts';
import { guessSteps, mendSurely, type Sources, type SqlChange, type Stage, stageOf } from './repair-steps.ts';

export interface SqlRepair {
  readonly sql: string;
  /** In the order they were made; each is of the text that those before it left. */
  readonly changes: readonly SqlChange[];
  /** What no rule could mend. */
  readonly left: readonly CertainFault[];
}

export interface SqlOffer extends SqlRepair {
  /** What it takes the query to mean, a clause for each guess. */
  readonly means: string;
}

export interface RepairOptions {
  /** What the engine said against the query. */
  readonly engineError?: string;
  /** What that says is to be looked for. */
  readonly complaint?: Complaint;
  /** Values of a column that are like one it does not hold; absent: among those the schema knows. */
  readonly nearValues?: NearValues;
}

/**
 * Mends one fault after the other: each by the first sure remedy after which fewer are left. First the text and the
 * dialect, then tables, then the rest. The result parses, only reads, and has fewer faults that an engine refuses, or
 * values that are stored in another spelling. Undefined where no sure rule helps. The dialect is that of the catalog.
 * `repairSql('SELECT nmae FROM singer', schema)?.sql` → `SELECT name FROM singer`
 */
export function repairSql(
  sql: string,
  schema: SchemaFacts,
  options: RepairOptions = {},
): SqlRepair | undefined {
  const stage = sureStage(sql, schema, options);
  if (stage === undefined || stage.changes.length === 0) return undefined;
  return checkReadOnly(stage.query.tree).readOnly ? repairOf(stage) : undefined;
}

/** More than these nobody reads. */
const MOST_OFFERS = 6;
/** Stages that are looked at for them. */
const MOST_STAGES = 60;

/**
 * What the query may mean where rules have to guess: whole queries that nothing is left against, likeliest first, with
 * what each takes for granted. Where only a value is doubted, the query with the stored one.
 * `offerRepairs('SELECT id FROM a JOIN b ON …', schema)` → `SELECT a.id …` and `SELECT b.id …`
 */
export function offerRepairs(
  sql: string,
  schema: SchemaFacts,
  options: RepairOptions = {},
): readonly SqlOffer[] {
  const sources = sourcesOf(schema, options);
  const first = sureStage(sql, schema, options);
  const found = new Map<string, SqlOffer>();
  let open = first === undefined ? [] : [{ stage: first, rank: 0 }];
  for (let looked = 0; looked < MOST_STAGES && found.size < MOST_OFFERS; looked += 1) {
    const [best, ...others] = open;
    if (best === undefined) break;
    const offer = offerOf(best.stage);
    if (offer !== undefined) found.set(offer.sql, found.get(offer.sql) ?? offer);
    const steps = offer === undefined ? guessSteps(best.stage, sources) : [];
    const next = steps.map((step, at) => ({ stage: mendSurely(step, sources), rank: best.rank + at }));
    open = [...others, ...next].sort((a, b) => a.rank - b.rank);
  }
  return [...found.values()];
}

/** Undefined of a query that nothing was guessed for, or that an engine would still refuse. */
function offerOf(stage: Stage): SqlOffer | undefined {
  const guesses = stage.changes.flatMap(({ guess }) => guess ?? []);
  if (guesses.length === 0 || stage.faults.some(({ isRefused }) => isRefused)) return undefined;
  if (!checkReadOnly(stage.query.tree).readOnly) return undefined;
  return { ...repairOf(stage), means: [...new Set(guesses)].join('; ') };
}

/** What rules would guess of the faults that are left, one step each: told to a model as possibilities. */
export function guessesFor(sql: string, schema: SchemaFacts, options: RepairOptions = {}): readonly string[] {
  const stage = sureStage(sql, schema, options);
  const steps = stage === undefined ? [] : guessSteps(stage, sourcesOf(schema, options));
  return [...new Set(steps.flatMap(({ changes }) => changes.at(-1)?.guess ?? []))].slice(0, MOST_OFFERS);
}

function sureStage(sql: string, schema: SchemaFacts, options: RepairOptions): Stage | undefined {
  const changes: SqlChange[] = [];
  const query = makeReadable(sql, schema, { engineError: options.engineError, changes });
  const sources = sourcesOf(schema, options);
  return query && mendSurely(stageOf(query, changes, sources), sources);
}

function repairOf({ query, changes, faults }: Stage): SqlRepair {
  return { sql: query.tree.text, changes, left: faults };
}

function sourcesOf(
  schema: SchemaFacts,
  { complaint, nearValues = storedNear(schema) }: RepairOptions,
): Sources {
  return { schema, complaint, nearValues };
}

/** What engines say of functions that are another engine's, or called as another engine calls them. */
const FOREIGN =
  /no such function|function .* does not exist|syntax|unrecognized token|parameter count|wrong number of arguments|no function matches/i;

interface Making {
  readonly engineError: string | undefined;
  readonly changes: SqlChange[];
}

/** A query that parses in the dialect and calls only functions it has. */
function makeReadable(
  sql: string,
  schema: SchemaFacts,
  { engineError, changes }: Making,
): ReadQuery | undefined {
  const { dialect } = schema.catalog;
  let text = sql;
  const replace = (kind: RemedyKind, to: string, because: string): void => {
    changes.push({
      kind,
      patches: [{ span: { start: 0, end: text.length }, text: to }],
      from: text,
      to,
      because,
    });
    text = to;
  };
  const tidied = tidyText(text, dialect);
  if (tidied !== undefined) replace('text', tidied, 'quotes of a word processor, or a comma before FROM');
  // What the engine said may have been of that which is mended now.
  const isForeign = tidied === undefined && FOREIGN.test(engineError ?? '');
  if (!isReadable(text, dialect) || isForeign) {
    const whole = fromOtherDialect(text, schema);
    const cleaned = whole === undefined ? cleanText(text, dialect) : undefined;
    if (whole !== undefined) replace('dialect', whole.sql, `it is written for ${whole.from}`);
    else if (cleaned !== undefined)
      replace('text', cleaned, 'the text holds more than one query, or is cut off');
    if (cleaned !== undefined && !isReadable(text, dialect)) {
      const translated = fromOtherDialect(text, schema);
      if (translated !== undefined)
        replace('dialect', translated.sql, `it is written for ${translated.from}`);
    }
  }
  const read = readQuery(text, dialect, schema.catalog);
  return read.ok ? read.query : undefined;
}

function isReadable(text: string, dialect: SchemaFacts['catalog']['dialect']): boolean {
  const parsed = parse(text, dialect);
  return parsed.ok && checkReadOnly(parsed.tree).readOnly;
}

// A query that was written for another engine.

const WRITTEN_FOR: readonly DialectName[] = [
  'mysql',
  'postgres',
  'duckdb',
  'snowflake',
  'bigquery',
  'trino',
  'sqlite',
];

/** They read a text in double quotes as a value. */
const QUOTES_VALUES: ReadonlySet<DialectName> = new Set(['mysql', 'bigquery']);

interface Translated {
  readonly sql: string;
  readonly from: DialectName;
}

/**
 * The query in the words of `to`, out of the first dialect in which it only reads and nothing of it is lost. For a text
 * that `to` cannot read, or that calls functions it does not have. Rows are ordered as `to` does: which engine it was
 * written for is a guess.
 */
function fromOtherDialect(sql: string, schema: SchemaFacts): Translated | undefined {
  const { dialect: to } = schema.catalog;
  for (const from of WRITTEN_FOR) {
    if (from === to) continue;
    // One function of another engine, and names in the quotes of this one.
    const mixed = QUOTES_VALUES.has(from) && !QUOTES_VALUES.has(to) ? withBackticks(sql, schema) : sql;
    for (const text of new Set([mixed, sql, withCoalesce(sql, from)])) {
      const written = translated(text, from, to);
      if (written !== undefined) return { sql: to === 'sqlite' ? onDays(written, schema) : written, from };
    }
  }
  return undefined;
}

function translated(sql: string, from: DialectName, to: DialectName): string | undefined {
  const parsed = parse(sql, from);
  if (!parsed.ok || !checkReadOnly(parsed.tree).readOnly || wouldCross(parsed.tree, to)) return undefined;
  const { sql: written, diagnostics } = transpile(parsed.tree, to, { nullsAsTarget: true });
  if (diagnostics.some(({ kind }) => kind === 'unsupported')) return undefined;
  const again = parse(written, to);
  return again.ok && checkReadOnly(again.tree).readOnly ? written : undefined;
}

/** `"Order Details"` → `` `Order Details` `` where a table or column is called so, outside of texts. */
function withBackticks(sql: string, { tablesNamed, columnsNamed }: SchemaFacts): string {
  return sql.replace(/'(?:[^']|'')*'|"([^"`\n]+)"/g, (whole, name: string | undefined) => {
    const key = name?.toLowerCase() ?? '';
    return tablesNamed.has(key) || columnsNamed.has(key) ? `\`${name}\`` : whole;
  });
}

/** `ISNULL(a, 0)` of SQL Server, which no dialect here is. */
function withCoalesce(sql: string, dialect: DialectName): string {
  const parsed = parse(sql, dialect);
  if (!parsed.ok) return sql;
  const patches = parsed.tree.nodes.flatMap(({ flags, value, children, start }): Patch[] => {
    const isMeant = flags.call !== undefined && value?.toUpperCase() === 'ISNULL' && children.length === 2;
    return isMeant ? [{ span: { start, end: start + value.length }, text: 'COALESCE' }] : [];
  });
  return patches.length === 0 ? sql : patchText(sql, patches);
}

// SQLite: days of a column that stores days are days, and no points in time that no text of it is equal to.

/** `DATETIME(shipped, '+21 days')` → `DATE(shipped, '+21 days')` where all known values are like `2024-02-01`. */
function onDays(sql: string, schema: SchemaFacts): string {
  const read = readQuery(sql, 'sqlite', schema.catalog);
  if (!read.ok) return sql;
  const { tree, scopes } = read.query;
  const storesDays = (node: SqlNode): boolean => {
    const reference = scopes.references[node.id];
    const [held] = reference?.kind === 'column' ? reference.lineage.physical : [];
    const values = [...(schema.valuesOf(held?.id ?? '')?.exact ?? [])];
    return values.length > 0 && values.every((value) => DAY.test(value));
  };
  const patches = tree.nodes.flatMap((node): Patch[] => {
    const [column, ...shifts] = node.flags.call !== undefined && isDatetime(node) ? node.children : [];
    const isOfDays =
      column !== undefined && shifts.length > 0 && shifts.every(({ value }) => SHIFT.test(value ?? ''));
    if (!isOfDays || !storesDays(column)) return [];
    return [{ span: { start: node.start, end: node.start + NAME.length }, text: 'DATE' }];
  });
  return patches.length === 0 ? sql : patchText(sql, patches);
}

const NAME = 'DATETIME';
const DAY = /^\d{4}-\d\d-\d\d$/;
const SHIFT = /^[+-]?\d+ (?:day|month|year)s?$/;

function isDatetime({ value }: SqlNode): boolean {
  return value?.toUpperCase() === NAME;
}
