/** Repairs that dare: for a query that an engine refuses anyway, or whose changes a person looks at. Nothing is run. */
import { checkReadOnly, type Patch, parse, patchText, type SqlNode } from '../../sql/index.ts';
import { certainFaults } from '../certain-faults.ts';
import type { Complaint } from '../complaint.ts';
import type { CertainFault } from '../fault.ts';
import { type NearValues, storedNear } from '../near-values.ts';
import { comparedColumn } from '../reading/literals.ts';
import { writtenText } from '../reading/operands.ts';
import { type ReadQuery, readQuery } from '../reading/read-query.ts';
import type { SchemaFacts } from '../schema/schema-facts.ts';
import { cleanText } from './clean-text.ts';
import { choiceRemedies, columnRemedies } from './column-remedies.ts';
import { afterGrouping, amongRows, groupedBy } from './complaint-remedies.ts';
import { nameLikeness } from './name-likeness.ts';
import { fromOtherDialect } from './other-dialect.ts';
import type { Ailing, Remedy, RemedyKind } from './remedy.ts';
import { valueChanges } from './repair-by-rules.ts';
import { qualifierRemedies, tableRemedies } from './table-remedies.ts';

export interface SqlRepair {
  readonly sql: string;
  /** In the order they were made; each is of the text that those before it left. */
  readonly changes: readonly SqlChange[];
  /** What no rule could mend. */
  readonly left: readonly CertainFault[];
}

export interface SqlChange {
  readonly kind: RemedyKind;
  readonly patches: readonly Patch[];
  /** The parts that were replaced, and by what; of a change of the whole text both are whole. */
  readonly from: string;
  readonly to: string;
  readonly because: string;
}

export interface RepairOptions {
  /** What the engine said against the query. */
  readonly engineError?: string;
  /** What that says is to be looked for. */
  readonly complaint?: Complaint;
  /** Values of a column that are like one it does not hold; absent: among those the schema knows. */
  readonly nearValues?: NearValues;
}

/** A query has few faults; more rounds than this only follow from one another. */
const MOST_ROUNDS = 24;

/**
 * Mends one fault after the other: each by the first remedy after which fewer are left. First the text and the dialect,
 * then tables, then the rest. The result parses, only reads, and has fewer faults that an engine refuses, or values
 * that are stored in another spelling. Undefined where no rule helps. The dialect is that of the catalog.
 * `repairSql('SELECT nmae FROM singer', schema)?.sql` → `SELECT name FROM singer`
 */
export function repairSql(
  sql: string,
  schema: SchemaFacts,
  { engineError, complaint, nearValues = storedNear(schema) }: RepairOptions = {},
): SqlRepair | undefined {
  const changes: SqlChange[] = [];
  const sources = { schema, nearValues, complaint };
  const readable = makeReadable(sql, schema, { engineError, changes });
  if (readable === undefined) return undefined;
  let query = readable;
  let faults = certainFaults(query, schema, complaint);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const mended = mendOne(query, faults, sources);
    if (mended === undefined) break;
    changes.push(mended.change);
    ({ query, faults } = mended);
  }
  if (changes.length === 0 || !checkReadOnly(query.tree).readOnly) return undefined;
  return { sql: query.tree.text, changes, left: faults };
}

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
  const isForeign = /no such function|function .* does not exist|syntax/i.test(engineError ?? '');
  if (!isReadable(text, dialect) || isForeign) {
    const whole = fromOtherDialect(text, dialect);
    const cleaned = whole === undefined ? cleanText(text, dialect) : undefined;
    if (whole !== undefined) replace('dialect', whole.sql, `it is written for ${whole.from}`);
    else if (cleaned !== undefined)
      replace('text', cleaned, 'the text holds more than one query, or is cut off');
    if (cleaned !== undefined && !isReadable(text, dialect)) {
      const translated = fromOtherDialect(text, dialect);
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

interface Sources {
  readonly schema: SchemaFacts;
  readonly nearValues: NearValues;
  readonly complaint: Complaint | undefined;
}

interface Mended {
  readonly query: ReadQuery;
  readonly faults: readonly CertainFault[];
  readonly change: SqlChange;
}

function mendOne(query: ReadQuery, faults: readonly CertainFault[], sources: Sources): Mended | undefined {
  const { schema, complaint } = sources;
  const before = weigh(faults, query);
  const ordered = [...faults].sort((a, b) => rank(a, query) - rank(b, query));
  for (const fault of ordered) {
    for (const remedy of remediesFor(fault, query, sources)) {
      const text = patched(query.tree.text, remedy.patches);
      const read = text === undefined ? undefined : readQuery(text, query.tree.dialect, schema.catalog);
      if (read?.ok !== true) continue;
      const left = certainFaults(read.query, schema, complaint);
      if (weigh(left, read.query) >= before) continue;
      return { query: read.query, faults: left, change: changeOf(remedy, query.tree.text) };
    }
  }
  return undefined;
}

/** Of patches that overlap none is made. */
function patched(text: string, patches: readonly Patch[]): string | undefined {
  const ordered = [...patches].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  const isClear = ordered.every(({ span }, at) => at === 0 || (ordered[at - 1]?.span.end ?? 0) <= span.start);
  return isClear ? patchText(text, ordered) : undefined;
}

function changeOf({ kind, patches, because }: Remedy, text: string): SqlChange {
  const ordered = [...patches].sort((a, b) => a.span.start - b.span.start);
  const from = ordered.map(({ span }) => text.slice(span.start, span.end)).filter((part) => part !== '');
  const to = ordered.map((patch) => patch.text.trim());
  return { kind, patches: ordered, from: from.join(' … '), to: to.join(' … '), because };
}

/** A table that does not exist hides what is wrong with its columns, so it weighs more than all of them. */
const TABLE_WEIGHT = 1_000;

function weigh(faults: readonly CertainFault[], query: ReadQuery): number {
  return faults.reduce((sum, fault) => sum + weightOf(fault, query), 0);
}

function weightOf(fault: CertainFault, query: ReadQuery): number {
  if (fault.kind === 'unknown-table' && query.tree.nodes[fault.node]?.role !== 'table') return TABLE_WEIGHT;
  if (fault.isRefused) return 1;
  return fault.kind === 'unseen-literal' ? 0.001 : 0;
}

/** Tables first, then qualifiers, then columns in the order of the text. */
function rank(fault: CertainFault, query: ReadQuery): number {
  if (fault.kind === 'unknown-table') return query.tree.nodes[fault.node]?.role === 'table' ? 1 : 0;
  return fault.kind === 'ambiguous-column' ? 3 : 2;
}

function remediesFor(
  fault: CertainFault,
  query: ReadQuery,
  { schema, nearValues }: Sources,
): readonly Remedy[] {
  const node = query.tree.nodes[fault.node];
  if (node === undefined || fault.isOfEngine || fault.isThere) return [];
  const ailing: Ailing = { fault, node, query, schema };
  switch (fault.kind) {
    case 'unknown-table':
      return node.role === 'table' ? qualifierRemedies(ailing) : tableRemedies(ailing);
    case 'unknown-column':
      return columnRemedies(ailing);
    case 'ambiguous-column':
      return choiceRemedies(ailing);
    case 'unseen-literal': {
      const value = fault.instead[0] ?? clearlyMeant(node, query, nearValues);
      const patches = valueChanges({ ...fault, instead: value === undefined ? [] : [value] }, query);
      return patches.length === 0 ? [] : [{ kind: 'value', patches, because: fault.text }];
    }
    case 'missing-group-by':
      return fault.isRefused ? groupedBy(ailing) : [];
    case 'subquery-rows':
      return amongRows(ailing);
    case 'misplaced-call':
      return afterGrouping(ailing);
    case 'type-clash':
      // Which side is meant is for the question to say.
      return [];
  }
}

const LEAST_VALUE_LIKE = 0.7;
const LEAST_LEAD = 0.2;

/** The one stored value that is like a literal, where the next is much less so. */
function clearlyMeant(literal: SqlNode, query: ReadQuery, nearValues: NearValues): string | undefined {
  const column = comparedColumn(literal, query);
  const text = writtenText(literal, query);
  if (column === undefined || text === undefined) return undefined;
  const [best, next] = nearValues(column, text)
    .map((value) => ({ value, like: nameLikeness(text, value) }))
    .sort((a, b) => b.like - a.like);
  if (best === undefined || best.like < LEAST_VALUE_LIKE) return undefined;
  return next === undefined || best.like - next.like >= LEAST_LEAD ? best.value : undefined;
}
