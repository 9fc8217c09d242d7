/** What the stored data make of a query's decisions: those that change its rows, and columns that are stored in several forms. */
import type { QueryResult } from '../../database/index.ts';
import { CandorError } from '../../errors.ts';
import { type QueryVariant, queryVariants } from '../../faults/index.ts';
import { type ReadQuery, readQuery, readSelects } from '../../faults/reading/index.ts';
import type { Notice } from '../../results/index.ts';
import type { Session } from '../../session/index.ts';
import type { SchemaColumn, Source } from '../../sql/scope/index.ts';
import { child, textOf } from '../../sql/tree/index.ts';
import { schemaFactsOf } from '../assess/diagnosis-context.ts';
import { runCapped } from '../assess/run-sql.ts';
import { choiceEffectText, effectBetween } from '../clarify/choice-effect.ts';

/** Variants that are run for one query, at most. */
const MOST_RUN = 12;
/** What is told of one answer, at most. */
const MOST_TOLD = 4;
/** Milliseconds for everything that is looked at. */
const MOST_TIME = 5_000;
/** More groups than this share above what there were is another grouping, not namesakes kept apart. */
const FEW = 0.2;

export interface Observing {
  readonly session: Pick<Session, 'catalog' | 'database' | 'config' | 'semantics'>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Decisions of a query that the stored data make a difference to, each run the other way: `state = 'paid'` where some rows say `Paid `,
 * a tie that LIMIT cuts. What changes nothing is not told. Bounded in number and time, and each by the limits of any query; what
 * cannot be run is left out. Throws where the person cancelled.
 */
export async function observeQuery(
  sql: string,
  result: QueryResult,
  { session, signal: cancel }: Observing,
): Promise<readonly Notice[]> {
  const { catalog } = session;
  const read = readQuery(sql, catalog.dialect, catalog);
  if (!read.ok || result.truncatedBy !== null) return [];
  const deadline = AbortSignal.timeout(MOST_TIME);
  const signal = cancel === undefined ? deadline : AbortSignal.any([cancel, deadline]);
  const run = async (text: string): Promise<QueryResult | undefined> => {
    cancel?.throwIfAborted();
    if (signal.aborted) return undefined;
    try {
      const rows = await runCapped(text, session, signal);
      return rows instanceof CandorError ? undefined : rows;
    } catch (error) {
      cancel?.throwIfAborted();
      // A variant may mean nothing to the engine; that says nothing of the query.
      if (signal.aborted || error instanceof CandorError) return undefined;
      throw error;
    }
  };
  const variants = queryVariants(read.query, schemaFactsOf(catalog)).filter((variant) =>
    isTelling(variant, read.query, session),
  );
  // What gives other rows each time it is run differs whatever is done otherwise.
  const again = variants.length === 0 ? undefined : await run(sql);
  const isStable = again !== undefined && effectBetween(result, again) === undefined;
  const told: string[] = [];
  for (const variant of isStable ? variants.slice(0, MOST_RUN) : []) {
    const other = await run(variant.sql);
    const effect = other && effectOf(variant, result, other);
    if (effect !== undefined) told.push(`Done otherwise, ${variant.says}: ${effect}.`);
  }
  const forms = await storedForms(read.query, run);
  return [...forms, ...told].slice(0, MOST_TOLD).map((text) => ({ code: 'data-matters', text }));
}

/**
 * Which rows LIMIT takes of a set without an order is the engine's choice, and another plan takes others. A row without a partner may
 * have one that this reader's filter hides.
 */
function isTelling(
  { kind, tells }: QueryVariant,
  query: ReadQuery,
  { semantics }: Pick<Session, 'semantics'>,
): boolean {
  const { tree } = query;
  if (tells === 'a tie at the end') return true;
  if (tree.nodes.some(({ type }) => CUTTING.has(type)) || (kind !== 'tied' && takesAnyRow(query)))
    return false;
  return kind !== 'unmatched' || semantics.datasets.every(({ rowFilter }) => rowFilter === undefined);
}

/** Of rows that are equal in what it orders by it takes one, and which is the engine's choice. */
function takesAnyRow(query: ReadQuery): boolean {
  const { isInList, isInAggregate, isGrouped, hasListAggregate, selects } = readSelects(query);
  return query.tree.nodes.some((node) => {
    if (TAKING_ANY.has(node.type)) return true;
    const isBare = node.type === 'Column' && isInList(node) && !isInAggregate(node) && !isGrouped(node);
    return isBare && hasListAggregate(selects[node.id] ?? -1);
  });
}

const TAKING_ANY: ReadonlySet<string> = new Set([
  ...[
    'RowNumber',
    'Ntile',
    'Lag',
    'Lead',
    'First',
    'Last',
    'FirstValue',
    'LastValue',
    'NthValue',
    'AnyValue',
  ],
  ...['GroupConcat', 'StringAgg', 'ArrayAgg', 'ListAgg', 'JSONArrayAgg'],
]);

const CUTTING: ReadonlySet<string> = new Set(['Limit', 'Fetch', 'Offset', 'TableSample']);

/** What a variant changes, in a few words; undefined where it tells nothing. */
function effectOf(
  { tells, keys = [] }: QueryVariant,
  result: QueryResult,
  other: QueryResult,
): string | undefined {
  const [before, after] = [result.rows.length, other.rows.length];
  switch (tells) {
    case 'fewer rows':
      return after < before ? rowsInstead(after, before) : undefined;
    case 'a few rows more': {
      const isFew =
        other.truncatedBy === null && after > before && after - before <= Math.max(1, FEW * before);
      return isFew ? rowsInstead(after, before) : undefined;
    }
    case 'a tie at the end':
      return isTied(result.rows, other.rows, keys) ? 'it ties with the last one that is shown' : undefined;
    case 'more rows':
      return other.truncatedBy === null && after > before ? rowsInstead(after, before) : undefined;
    case 'other values':
      return after === before ? effectText(result, other) : undefined;
    case 'any':
      return effectText(result, other);
  }
}

function effectText(result: QueryResult, other: QueryResult): string | undefined {
  const effect = effectBetween(result, other);
  return effect === undefined || effect.kind === 'unmeasured' ? undefined : choiceEffectText(effect);
}

function rowsInstead(after: number, before: number): string {
  return choiceEffectText({ kind: 'rows', rows: after, answered: before, differing: 0 });
}

function isTied(rows: QueryResult['rows'], more: QueryResult['rows'], keys: readonly number[]): boolean {
  const [last, next] = [rows.at(-1), more.at(rows.length)];
  if (last === undefined || next === undefined || keys.length === 0) return false;
  return keys.every((key) => last[key] === next[key]);
}

// Columns whose texts are numbers or dates for the most part, and something else in some rows: what computes with them goes wrong there.

const MOST_COLUMNS = 6;
/** Different texts of a column that are looked at, the most frequent first. */
const MOST_TEXTS = 500;
const EXAMPLE_CHARACTERS = 40;

/** Rows of a query, or none where it cannot be run. */
type RunQuery = (sql: string) => Promise<QueryResult | undefined>;

/** A sentence for each column that the query uses and that holds several forms. */
async function storedForms(query: ReadQuery, run: RunQuery): Promise<readonly string[]> {
  const sentences: string[] = [];
  for (const { column, source } of textColumns(query).slice(0, MOST_COLUMNS)) {
    const table = textOf(query.tree, source.node);
    const name = `${writtenName(source, query)}.${column}`;
    const counted = await run(
      `SELECT ${name}, COUNT(*) FROM ${table} GROUP BY ${name} ORDER BY COUNT(*) DESC, ${name} LIMIT ${MOST_TEXTS + 1}`,
    );
    const isWhole = counted?.truncatedBy === null && counted.rows.length <= MOST_TEXTS;
    const told = counted && formsText(counted.rows, isWhole);
    if (told !== undefined) sentences.push(`${name} is stored as ${told}.`);
  }
  return sentences;
}

/** The alias of a table, or its name, as it stands in the query. */
function writtenName({ alias, node }: Source, { tree }: ReadQuery): string {
  return textOf(tree, alias ?? child(node, 'this') ?? node);
}

interface UsedColumn {
  readonly source: Source;
  /** As written. */
  readonly column: string;
}

/** Columns of tables that the query uses, once each; what they hold is found out by looking, whatever their type says. */
function textColumns({ tree, scopes }: ReadQuery): readonly UsedColumn[] {
  const found = new Map<string, UsedColumn>();
  for (const node of tree.nodes) {
    const reference = scopes.references[node.id];
    const name = node.type === 'Column' ? child(node, 'this') : undefined;
    if (reference?.kind !== 'column' || name === undefined || reference.source.kind !== 'table') continue;
    const { origin } = reference.output;
    if (origin.kind !== 'schema' || !mayHoldText(origin.column) || reference.source.node.type !== 'Table')
      continue;
    if (!found.has(origin.column.id))
      found.set(origin.column.id, { source: reference.source, column: textOf(tree, name) });
  }
  return [...found.values()];
}

/** Whole numbers and truth values are what they are; SQLite keeps texts in columns of any other type. */
function mayHoldText({ type = '' }: SchemaColumn): boolean {
  return !/int|bool|serial|uuid|json|blob|binary/i.test(type);
}

interface Form {
  readonly name: string;
  rows: number;
  readonly example: string;
}

/** `'2024-01-05' in 803 rows, '03/04/2024' in 21, empty in 6`; undefined where all is of one form, or names and prose. */
function formsText(rows: QueryResult['rows'], isWhole: boolean): string | undefined {
  const forms = new Map<string, Form>();
  for (const [value, count] of rows) {
    if (value === null || value === undefined) continue;
    const text = String(value);
    const name = typeof value === 'string' ? formOf(text) : 'a number';
    const form = forms.get(name) ?? { name, rows: 0, example: text };
    form.rows += Number(count);
    forms.set(name, form);
  }
  const sorted = [...forms.values()].sort((one, other) => other.rows - one.rows);
  const [usual] = sorted;
  if (usual === undefined || sorted.length < 2 || usual.name === OTHER || usual.name === EMPTY)
    return undefined;
  // Of the most frequent texts alone nobody knows how often each form occurs.
  if (!isWhole) return sorted.map(formName).join(', and here and there ');
  return sorted
    .map((form, at) => `${formName(form)} in ${form.rows.toLocaleString('en')}${at === 0 ? ' rows' : ''}`)
    .join(', ');
}

const EMPTY = 'an empty text';
const OTHER = 'some other text';

/** What computes with a text tells apart: numbers, dates by the order and the signs of their parts, nothing, anything else. */
function formOf(text: string): string {
  const bare = text.trim();
  if (bare === '') return EMPTY;
  if (/^[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(bare)) return 'a number';
  if (/^[-+]?\d{1,3}(?:[.,' ]\d{3})*(?:[.,]\d+)?$/.test(bare)) return 'a number with other signs';
  const isTimed = /[T ]\d{1,2}:\d\d/.test(bare);
  const day = /^(\d{1,4}|[A-Za-z]{3,9})([-/. ])(\d{1,2}|[A-Za-z]{3,9})[-/., ]+(\d{2,4})/.exec(bare);
  if (day === null) return OTHER;
  const [, first = '', sign = '', second = ''] = day;
  const part = (written: string): string =>
    /\d/.test(written) ? '9'.repeat(written.length > 2 ? 4 : 2) : 'a';
  return `a date ${part(first)}${sign}${part(second)}${isTimed ? ' with a time' : ''}`;
}

function formName({ name, example }: Form): string {
  if (name === EMPTY) return name;
  const short = example.length > EXAMPLE_CHARACTERS ? `${example.slice(0, EXAMPLE_CHARACTERS)}…` : example;
  return `'${short}'`;
}
