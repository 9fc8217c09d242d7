/** FROM in canonical form: its relations under labels that no alias changes, and the conditions of its joins. */
import { child, childrenIn, type SqlNode, walk } from '../tree/node.ts';
import { childKeys } from './name-keys.ts';
import { outputsOf, renamed, type Source } from './names.ts';
import type { NormalQuery, Part, SourcePart } from './normal-form.ts';
import { type Relation, relations } from './relations.ts';
import { conjuncts, identifierKey, type Keying } from './scalar-keys.ts';

export interface SourcesRead {
  readonly sources: readonly SourcePart[];
  /** Conditions of inner joins. */
  readonly on: readonly Part[];
}

/** Adds the sources of a SELECT to its names. */
export function readSources(keying: Keying, select: SqlNode): SourcesRead {
  const list = relations(select);
  const { names } = keying;
  const queries: (NormalQuery | undefined)[] = [];
  for (const relation of list) {
    const query = readDerived(keying, relation.node);
    queries.push(query);
    names.sources.push(createSource(keying, relation, query));
  }
  labelSources(names.sources, select);
  const on: Part[] = [];
  const sources = list.map((relation, index) => {
    const conditions = readConditions(keying, relation, index);
    if (relation.join === 'inner') on.push(...conditions);
    const query = queries[index];
    return {
      key: relationKey(keying, relation.node, names.sources[index]),
      node: relation.place,
      relation: relation.node,
      join: relation.join,
      on: relation.join === 'inner' ? [] : conditions,
      query,
    };
  });
  return { sources, on };
}

/** The query of `(SELECT …) AS x` and of LATERAL (SELECT …), which sees the sources before it. */
function readDerived(keying: Keying, relation: SqlNode): NormalQuery | undefined {
  const node = relation.type === 'Lateral' ? child(relation, 'this') : relation;
  return node?.type === 'Subquery' || node?.type === 'Values' ? keying.readQuery(keying, node) : undefined;
}

function readConditions(keying: Keying, { on, using }: Relation, index: number): readonly Part[] {
  return [
    ...on.flatMap((condition) => conjuncts(keying, condition)),
    ...using.map((name) => ({ key: usingKey(keying, name, index), node: name })),
  ];
}

/** `a JOIN b USING (x)` is `ON a.x = b.x`; after several relations only a schema could tell which one has x. */
function usingKey({ names, fold }: Keying, { value = '' }: SqlNode, index: number): string {
  const [left, right] = [names.sources[0], names.sources[index]];
  const name = identifierKey(value);
  if (index !== 1 || left === undefined || right === undefined) return fold(`${right?.label} using ${name}`);
  return fold([`${left.label}.${name}`, `${right.label}.${name}`].sort().join(' = '));
}

// The key of a relation in FROM, without its alias.

/** Children that the base or the query says, or that stand elsewhere. */
const READ: ReadonlySet<string> = new Set(['this', 'db', 'catalog', 'alias', 'joins']);

function relationKey(keying: Keying, node: SqlNode, source: Source | undefined): string {
  const isNamed = source !== undefined && source.base !== '$f' && source.query === undefined;
  const rest = node.children.filter(({ role }) => !READ.has(role));
  const more = childKeys(keying, source?.query?.kind === 'other' ? [] : rest);
  // Renamed outputs are known by what they hold, so that their names say nothing.
  const columns = source?.outputs === undefined ? columnsKey(node) : '';
  return keying.fold(
    `${isNamed ? source.base : unnamedKey(keying, node, source)}${columns}${more && ` ${more}`}`,
  );
}

function unnamedKey(keying: Keying, node: SqlNode, source: Source | undefined): string {
  const lateral = node.type === 'Lateral' ? 'lateral ' : '';
  if (source?.query !== undefined) return `${lateral}(${source.query.key})`;
  const inner = child(node, 'this');
  const call = inner === undefined ? '' : keying.keyOf(keying, inner);
  return node.type === 'Table' ? call : `${node.type.toLowerCase()} ${call}`;
}

/** `f(x) AS y (a, b)` */
function columnsKey(node: SqlNode): string {
  const alias = child(node, 'alias');
  const columns = alias === undefined ? [] : childrenIn(alias, 'columns');
  if (columns.length === 0) return '';
  const names = columns.map((column) => identifierKey(column.value ?? column.children[0]?.value ?? ''));
  return ` (${names.join(', ')})`;
}

/** One entry of FROM as names see it. */
function createSource(keying: Keying, { node, join }: Relation, query: NormalQuery | undefined): Source {
  const alias = child(node, 'alias');
  const given = alias && child(alias, 'this')?.value?.toLowerCase();
  const tableName = nameOf(node);
  const isQualified = node.children.some(({ role }) => role === 'db');
  const cte = tableName === undefined || isQualified ? undefined : keying.ctes.get(tableName);
  const base = cte?.label ?? baseOf(node, query);
  const outputs = cte?.outputs ?? (query && outputsOf(query));
  return {
    node,
    name: given ?? tableName,
    base,
    label: base,
    isShared: false,
    query,
    outputs: outputs && renamed(outputs, alias),
    isInner: join === 'inner',
  };
}

function nameOf(relation: SqlNode): string | undefined {
  const name = relation.type === 'Table' ? child(relation, 'this') : undefined;
  return name?.type === 'Identifier' ? name.value?.toLowerCase() : undefined;
}

/** Schemas that are meant when none is named. */
const DEFAULT_SCHEMAS: ReadonlySet<string> = new Set(['main', 'public']);

/** The whole dotted name of a table; `$q` stands for a derived one, `$f` for a function. */
function baseOf(node: SqlNode, query: NormalQuery | undefined): string {
  if (query !== undefined) return '$q';
  if (nameOf(node) === undefined) return '$f';
  const parts = node.children.filter(({ type }) => type === 'Identifier');
  const names = parts.map(({ value }) => identifierKey(value ?? ''));
  const isDefault = names.length === 2 && DEFAULT_SCHEMAS.has(names[0] ?? '');
  return (isDefault ? names.slice(1) : names).join('.');
}

// Tells sources of one base apart: `p`, `p#2`.

/**
 * Numbers them by how they are used, not by alias nor place, so that `FROM p AS a JOIN p AS b` and
 * `FROM p AS b JOIN p AS a` number alike. Where their use is the same too, the place decides.
 */
function labelSources(sources: readonly Source[], select: SqlNode): void {
  if (new Set(sources.map(({ base }) => base)).size === sources.length) return;
  const groups = new Map<string, Source[]>();
  for (const source of sources) {
    const group = groups.get(source.base);
    if (group === undefined) groups.set(source.base, [source]);
    else group.push(source);
  }
  const uses = readUses(select);
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    const signs = new Map(group.map((source) => [source, signOf(source, uses)]));
    const ordered = group.toSorted((one, other) => compare(signs.get(one) ?? '', signs.get(other) ?? ''));
    ordered.forEach((source, index) => {
      source.isShared = true;
      if (index > 0) source.label = `${source.base}#${index + 1}`;
    });
  }
}

/** For each qualifier, where which of its columns stand. */
function readUses(select: SqlNode): ReadonlyMap<string, readonly string[]> {
  const uses = new Map<string, string[]>();
  for (const clause of select.children) {
    for (const node of walk(clause)) {
      const qualifier = node.type === 'Column' ? child(node, 'table')?.value?.toLowerCase() : undefined;
      if (qualifier === undefined) continue;
      const use = `${CLAUSES[clause.role] ?? clause.role} ${child(node, 'this')?.value?.toLowerCase()}`;
      const known = uses.get(qualifier);
      if (known === undefined) uses.set(qualifier, [use]);
      else known.push(use);
    }
  }
  return uses;
}

/** A condition may stand in any of these. */
const CLAUSES: Readonly<Record<string, string>> = { from: 'where', joins: 'where' };

function signOf({ name, query }: Source, uses: ReadonlyMap<string, readonly string[]>): string {
  return query?.key ?? [...(uses.get(name ?? '') ?? [])].sort().join(', ');
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
