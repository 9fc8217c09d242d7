/** Repairs that need no model: a misspelled name or value of which there is one right spelling. */
import { quoteText, writeName } from '../../sql/dialects/index.ts';
import { type Patch, patchText } from '../../sql/rewrite/index.ts';
import { child, type SqlNode } from '../../sql/tree/index.ts';
import { certainFaults } from '../find/certain-faults.ts';
import type { CertainFault } from '../find/fault.ts';
import { type ReadQuery, readQuery } from '../reading/read-query.ts';
import type { NearestName, SchemaFacts } from '../schema/schema-facts.ts';
import { nearestSchemaName } from '../schema/schema-facts.ts';

export interface RuleRepair {
  readonly query: ReadQuery;
  /** In the order of the text before. */
  readonly changes: readonly RuleChange[];
}

export interface RuleChange extends Patch {
  /** Why, as the fault says it. */
  readonly because: string;
}

/**
 * One round: every fault that has one clear remedy is mended at once, by patches of the text, and the result is read
 * again. Undefined where nothing could be mended, or the result has a fault that was not there before.
 */
export function repairByRules(query: ReadQuery, schema: SchemaFacts): RuleRepair | undefined {
  const faults = certainFaults(query, schema);
  const changes = faults.flatMap((fault) => remedy(fault, query));
  if (changes.length === 0) return undefined;
  const ordered = withoutOverlaps(changes);
  const read = readQuery(patchText(query.tree.text, ordered), query.tree.dialect, schema.catalog);
  if (!read.ok) return undefined;
  const left = certainFaults(read.query, schema);
  const known = new Set(faults.map(({ kind, text }) => `${kind} ${text}`));
  const isBetter =
    left.length < faults.length && left.every(({ kind, text }) => known.has(`${kind} ${text}`));
  return isBetter ? { query: read.query, changes: ordered } : undefined;
}

function withoutOverlaps(changes: readonly RuleChange[]): readonly RuleChange[] {
  const kept: RuleChange[] = [];
  for (const change of [...changes].sort((a, b) => a.span.start - b.span.start)) {
    const last = kept.at(-1);
    if (last === undefined || last.span.end <= change.span.start) kept.push(change);
  }
  return kept;
}

function remedy(fault: CertainFault, query: ReadQuery): readonly RuleChange[] {
  const node = query.tree.nodes[fault.node];
  if (node === undefined || fault.isOfEngine || fault.isThere) return [];
  switch (fault.kind) {
    case 'unknown-column':
      return renamed(node, fault, rightColumn(node, query), query);
    case 'unknown-table':
      return node.role === 'table'
        ? renamed(node, fault, rightSource(node, query), query)
        : renamedTable(node, fault, query);
    case 'unseen-literal':
      return valueChanges(fault, query);
    default:
      // Which table is meant, what to group by, which value fits: that is for the question to say.
      return [];
  }
}

/** The stored spelling of a value, where there is one alone. */
export function valueChanges(fault: CertainFault, query: ReadQuery): readonly RuleChange[] {
  const [value, other] = fault.instead;
  if (value === undefined || other !== undefined) return [];
  return [{ span: fault.span, text: quoteText(value, query.tree.dialect), because: fault.text }];
}

function renamed(
  { start, end }: SqlNode,
  { text: because }: CertainFault,
  name: string | undefined,
  { tree }: ReadQuery,
): readonly RuleChange[] {
  if (name === undefined) return [];
  return [{ span: { start, end }, text: writeName(name, tree.dialect), because }];
}

/** Of the source that the qualifier names, else of all sources of the query. */
export function rightColumn(node: SqlNode, { scopes }: ReadQuery): string | undefined {
  const reference = scopes.references[node.parent?.id ?? -1] ?? scopes.references[node.id];
  const named = reference?.kind === 'unknown' ? reference.source : undefined;
  const sources = named === undefined ? (scopes.places[node.id]?.sources ?? []) : [named];
  const columns = sources.flatMap(({ columns: { list } }) => list.flatMap(({ name }) => name ?? []));
  const name = rightName(node.value, columns);
  // A name that two sources have would be ambiguous.
  return named === undefined && hasTwice(columns, name) ? undefined : name;
}

function hasTwice(names: readonly string[], name: string | undefined): boolean {
  const key = name?.toLowerCase();
  return names.filter((other) => other.toLowerCase() === key).length > 1;
}

/** A qualifier that spells the table where an alias was given, or misspells either. */
export function rightSource(node: SqlNode, { scopes }: ReadQuery): string | undefined {
  const sources = scopes.places[node.id]?.sources ?? [];
  const key = node.value?.toLowerCase();
  const aliased = sources.filter(({ table }) => table?.key === key);
  if (aliased.length > 0) return aliased.length === 1 ? aliased[0]?.name : undefined;
  return rightName(
    node.value,
    sources.flatMap(({ name }) => name ?? []),
  );
}

/** A table, and the qualifiers that name it where it has no alias. */
export function renamedTable(node: SqlNode, fault: CertainFault, query: ReadQuery): readonly RuleChange[] {
  const { tree, scopes } = query;
  const name = rightName(
    node.value,
    scopes.schema.tables.map((table) => table.name),
  );
  const isAliased = node.parent !== undefined && child(node.parent, 'alias') !== undefined;
  const qualifiers = tree.nodes.filter((qualifier) => {
    if (isAliased || qualifier.role !== 'table' || qualifier.parent === undefined) return false;
    const reference = scopes.references[qualifier.parent.id];
    return reference?.kind === 'open' && reference.source?.node === node.parent;
  });
  return [node, ...qualifiers].flatMap((place) => renamed(place, fault, name, query));
}

// The one name that a misspelled one means: what may be changed without asking.

/** One letter in four may be wrong, two at most: two wrong letters of four is another word. One may be left out of three. */
const LEAST_LENGTH = 4;
const LEAST_LEFT = 3;
const MOST_WRONG = 2;

/** The one name that is a letter or two away where no other is, or that differs in `_`, spaces and `-` alone. */
export function rightName(written: string | undefined, names: readonly string[]): string | undefined {
  if (written === undefined) return undefined;
  const bare = (name: string) => name.toLowerCase().replace(/[\s_-]+/g, '');
  const respelled = [...new Set(names.filter((name) => bare(name) === bare(written)))];
  if (respelled.length > 0) return respelled.length === 1 ? respelled[0] : undefined;
  const near = nearestSchemaName(names)(written);
  if (near === undefined || near.within2 !== 1) return undefined;
  if (written.length < LEAST_LENGTH) return lacksLetter(written, near) ? near.name : undefined;
  const bound = Math.min(MOST_WRONG, Math.floor(written.length / LEAST_LENGTH));
  return near.distance <= bound || hasSameLetters(near.name, written) ? near.name : undefined;
}

function lacksLetter(written: string, { name, distance }: NearestName): boolean {
  return written.length >= LEAST_LEFT && distance === 1 && name.length === written.length + 1;
}

/** Two letters changed places. */
function hasSameLetters(one: string, other: string): boolean {
  const sorted = (name: string) => [...name.toLowerCase()].sort().join('');
  return sorted(one) === sorted(other);
}
