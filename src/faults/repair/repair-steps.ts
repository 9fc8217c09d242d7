/** One step of a repair: a fault, a remedy, and the query that is less faulty for it. */
import { nameLikeness } from '../../language/index.ts';
import { type Patch, patchText } from '../../sql/rewrite/index.ts';
import type { Source } from '../../sql/scope/index.ts';
import { ancestor, child, type SqlNode } from '../../sql/tree/index.ts';
import { certainFaults } from '../find/certain-faults.ts';
import type { Complaint, NearValues } from '../find/complaint-faults.ts';
import type { CertainFault } from '../find/fault.ts';
import { comparedColumn } from '../reading/literals.ts';
import { writtenText } from '../reading/operands.ts';
import { type ReadQuery, readQuery } from '../reading/read-query.ts';
import type { SchemaFacts } from '../schema/schema-facts.ts';
import { joinCondition, keysBetween, keysOf } from './add-join.ts';
import { choiceRemedies } from './choice-remedies.ts';
import { columnRemedies } from './column-remedies.ts';
import { afterGrouping, amongRows, groupedBy } from './complaint-remedies.ts';
import { filteredOutside, isOnWindow } from './outer-query.ts';
import { qualifierRemedies } from './qualifier-remedies.ts';
import { type Ailing, isSure, quoted, type Remedy, type RemedyKind, scopeAt, tablesIn } from './remedy.ts';
import { rightName, valueChanges } from './repair-by-rules.ts';
import { tableRemedies } from './table-remedies.ts';

export interface SqlChange {
  readonly kind: RemedyKind;
  readonly patches: readonly Patch[];
  /** The parts that were replaced, and by what; of a change of the whole text both are whole. */
  readonly from: string;
  readonly to: string;
  readonly because: string;
  /** What the query is then taken to mean; absent where nothing else may be meant. */
  readonly guess?: string;
}

export interface Sources {
  readonly schema: SchemaFacts;
  readonly nearValues: NearValues;
  readonly complaint: Complaint | undefined;
}

/** A query, what is wrong with it, and what has been changed. */
export interface Stage {
  readonly query: ReadQuery;
  readonly faults: readonly CertainFault[];
  readonly changes: readonly SqlChange[];
}

export function stageOf(
  query: ReadQuery,
  changes: readonly SqlChange[],
  { schema, complaint }: Sources,
): Stage {
  return { query, faults: certainFaults(query, schema, complaint), changes };
}

/** A query has few faults; more rounds than this only follow from one another. */
const MOST_ROUNDS = 24;

/** Mends one fault after the other as long as something sure helps. */
export function mendSurely(stage: Stage, sources: Sources): Stage {
  let best = stage;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const next = sureStep(best, sources);
    if (next === undefined) break;
    best = next;
  }
  return best;
}

function sureStep(stage: Stage, sources: Sources): Stage | undefined {
  for (const fault of inOrder(stage)) {
    for (const remedy of remediesFor(fault, stage.query, sources)) {
      const next = isSure(remedy) ? apply(remedy, stage, sources) : undefined;
      if (next !== undefined) return next;
    }
  }
  return undefined;
}

/** What the first fault that leaves something to guess may mean: a stage for each, likeliest first. */
export function guessSteps(stage: Stage, sources: Sources): readonly Stage[] {
  for (const fault of inOrder(stage)) {
    const next = remediesFor(fault, stage.query, sources).flatMap(
      (remedy) => apply(remedy, stage, sources) ?? [],
    );
    if (next.length > 0) return next;
  }
  return [];
}

function inOrder({ faults, query }: Stage): readonly CertainFault[] {
  return [...faults].sort((a, b) => rank(a, query) - rank(b, query));
}

/** Undefined where no fewer faults are left. */
function apply(remedy: Remedy, { query, faults, changes }: Stage, sources: Sources): Stage | undefined {
  const text = patched(query.tree.text, remedy.patches);
  const read = text === undefined ? undefined : readQuery(text, query.tree.dialect, sources.schema.catalog);
  if (read?.ok !== true) return undefined;
  const next = stageOf(read.query, [...changes, changeOf(remedy, query.tree.text)], sources);
  return weigh(next.faults, next.query) < weigh(faults, query) ? next : undefined;
}

/** Of patches that overlap none is made. */
function patched(text: string, patches: readonly Patch[]): string | undefined {
  const ordered = [...patches].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  const isClear = ordered.every(({ span }, at) => at === 0 || (ordered[at - 1]?.span.end ?? 0) <= span.start);
  return isClear ? patchText(text, ordered) : undefined;
}

function changeOf({ kind, patches, because, guess }: Remedy, text: string): SqlChange {
  const ordered = [...patches].sort((a, b) => a.span.start - b.span.start);
  const from = ordered.map(({ span }) => text.slice(span.start, span.end)).filter((part) => part !== '');
  const to = ordered.map((patch) => patch.text.trim());
  return { kind, patches: ordered, from: from.join(' … '), to: to.join(' … '), because, guess };
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
    case 'unseen-literal':
      return valueRemedies(ailing, nearValues);
    case 'missing-on':
      return bareJoinRemedies(ailing);
    case 'missing-group-by':
      return fault.isRefused ? groupedBy(ailing) : [];
    case 'subquery-rows':
      return amongRows(ailing);
    case 'misplaced-call':
      return isOnWindow(node) ? filteredOutside(ailing) : afterGrouping(ailing);
    case 'unquoted-name':
      return [{ kind: 'quoting', patches: inQuotes(ailing), because: fault.text }];
    case 'type-clash':
    case 'wrong-join':
      // Which side, or which key, is meant is for the question to say.
      return [];
  }
}

function inQuotes({ node: { start, end }, fault, query }: Ailing): readonly Patch[] {
  return [{ span: { start, end }, text: quoted(fault.instead[0] ?? '', query) }];
}

/** Stored values that may be meant: the same in another spelling, or one that is clearly nearest. */
function valueRemedies(ailing: Ailing, nearValues: NearValues): readonly Remedy[] {
  const { fault, node, query } = ailing;
  const meant = fault.instead[0] === undefined ? clearlyMeant(node, query, nearValues) : undefined;
  const value = fault.instead[0] ?? meant?.value;
  const patches = valueChanges({ ...fault, instead: value === undefined ? [] : [value] }, query);
  if (patches.length === 0) return [];
  const guess =
    meant?.isMisspelt === false ? `“${writtenText(node, query)}” stands for “${value}”` : undefined;
  return [{ kind: 'value', patches, because: fault.text, guess }];
}

const LEAST_VALUE_LIKE = 0.7;
const LEAST_LEAD = 0.2;

/** The one stored value that is like a literal, where the next is much less so. */
function clearlyMeant(
  literal: SqlNode,
  query: ReadQuery,
  nearValues: NearValues,
): { readonly value: string; readonly isMisspelt: boolean } | undefined {
  const column = comparedColumn(literal, query);
  const text = writtenText(literal, query);
  if (column === undefined || text === undefined) return undefined;
  const near = nearValues(column, text);
  const [best, next] = near
    .map((value) => ({ value, like: nameLikeness(text, value) }))
    .sort((a, b) => b.like - a.like);
  if (best === undefined || best.like < LEAST_VALUE_LIKE) return undefined;
  if (next !== undefined && best.like - next.like < LEAST_LEAD) return undefined;
  return { value: best.value, isMisspelt: rightName(text, near) === best.value };
}

// What may be done about a JOIN that does not say by what it joins.

/** The keys between its table and those before it, declared ones first. Where none is known, every row with every row. */
function bareJoinRemedies({ node, fault, query, schema }: Ailing): readonly Remedy[] {
  const scope = scopeAt(node, query);
  const joined = tablesIn(scope).find((source) => source.node === child(node, 'this'));
  const before = tablesIn(scope).filter((source) => source.node.start < node.start);
  if (joined === undefined) return [];
  if (isMatchedInWhere(joined, before, query)) return crossed(node, fault, query).map(asSure);
  const place = { scope, query, schema };
  const steps = before.flatMap((source) =>
    keysBetween(schema, source.table?.id ?? '', joined.table?.id ?? '').map((step) => ({ source, step })),
  );
  steps.sort((a, b) => Number(b.step.isDeclared) - Number(a.step.isDeclared));
  const remedies = steps.map(({ source, step }): Remedy => {
    const names = new Map([
      [step.from, quoted(source.name, query)],
      [step.to, quoted(joined.name, query)],
    ]);
    const condition = joinCondition(step, names, place);
    const key = step.isDeclared ? 'a declared key' : 'a key by their values';
    return {
      kind: 'join',
      patches: [{ span: { start: node.end, end: node.end }, text: ` ON ${condition}` }],
      because: `${fault.text}; ${keysOf([step], place)} is ${key}`,
      guess: `${joined.name} is joined by ${condition}, ${key}`,
    };
  });
  return remedies.length > 0 ? remedies : crossed(node, fault, query);
}

function crossed(node: SqlNode, fault: CertainFault, { tree }: ReadQuery): readonly Remedy[] {
  const table = child(node, 'this');
  const isPlain = node.flags.side === undefined && node.flags.kind === undefined;
  if (table === undefined || !isPlain) return [];
  const text = `CROSS JOIN ${tree.text.slice(table.start, table.end)}`;
  return [
    {
      kind: 'join',
      patches: [{ span: { start: node.start, end: node.end }, text }],
      because: `${fault.text}; no key is known between the tables`,
      guess: 'every row of one table goes with every row of the other',
    },
  ];
}

/** WHERE says how the rows belong together, so that nothing is left to guess. */
function asSure({ guess: _, ...remedy }: Remedy): Remedy {
  return remedy;
}

function isMatchedInWhere(joined: Source, before: readonly Source[], { tree, scopes }: ReadQuery): boolean {
  const owner = (node: SqlNode): Source | undefined => {
    const reference = scopes.references[node.id];
    return reference?.kind === 'column' ? reference.source : undefined;
  };
  return tree.nodes.some((node) => {
    const [left, right] = node.type === 'EQ' ? node.children : [];
    if (left === undefined || right === undefined) return false;
    if (ancestor(node, ({ type }) => type === 'Where' || type === 'Select')?.type !== 'Where') return false;
    const sides = [owner(left)?.node, owner(right)?.node];
    return sides.includes(joined.node) && before.some((source) => sides.includes(source.node));
  });
}
