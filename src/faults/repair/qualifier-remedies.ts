/** What may be done about a qualifier that names no table of its query. */

import type { Table } from '../../catalog/index.ts';
import { mayAbbreviate, nameLikeness } from '../../language/index.ts';
import type { Patch } from '../../sql/rewrite/index.ts';
import { ancestor, child, type SqlNode } from '../../sql/tree/index.ts';
import {
  addJoin,
  declaredPaths,
  type JoinPlace,
  type JoinWish,
  keysOf,
  onlyDeclaredPath,
} from './add-join.ts';
import { type Ailing, columnOf, quoted, type Remedy, scopeAt, tablesIn } from './remedy.ts';
import { rightSource } from './repair-by-rules.ts';

/** The tables that may be meant by a name, best first. */
const MOST_TABLES = 3;

export function qualifierRemedies(ailing: Ailing): readonly Remedy[] {
  const { node, fault, query, schema } = ailing;
  const right = rightSource(node, query);
  const spelled: readonly Remedy[] =
    right === undefined
      ? []
      : [{ kind: 'spelling', patches: [requalified(node, quoted(right, query))], because: fault.text }];
  const written = node.value?.toLowerCase() ?? '';
  // A neighbour in FROM is what is meant: no other table, which would have a column of the name by chance.
  if (isNeighbour(node, written, query)) return spelled;
  const scope = scopeAt(node, query);
  const here = tablesIn(scope).flatMap(({ table }) => table?.id ?? []);
  const wanted = columnsBehind(node, query);
  const named = schema.tablesNamed.get(written)?.[0];
  const homes = schema.catalog.tables.filter(
    ({ id }) =>
      id !== named?.id && !here.includes(id) && wanted.every((name) => schema.columns.has(`${id}.${name}`)),
  );
  // An alias that was never given, for the tables that it would be short for.
  const short = named === undefined ? homes.filter(({ name }) => mayAbbreviate(written, name)) : [];
  const search: Search = { ...ailing, here, wanted, named, short, place: { scope, query, schema } };
  return [
    ...spelled,
    ...ofNamedTable(search),
    ...ofNeverJoined(search),
    ...ofSourceHere(search),
    ...byLikeness(
      written,
      homes.filter((one) => !short.includes(one)),
    ).flatMap((home) => joinedTable(home, search, {})),
    ...tablesIn(scope).map(
      ({ name }): Remedy => ({
        kind: 'qualifier',
        patches: qualifiersLike(node, query).map((one) => requalified(one, quoted(name, query))),
        because: `${fault.text}; ${name} is`,
        guess: `${node.value} is ${name}`,
      }),
    ),
  ];
}

interface Search extends Ailing {
  readonly place: JoinPlace;
  /** Ids of the tables that are read here. */
  readonly here: readonly string[];
  /** Columns, in lower case, that are written behind the qualifier. */
  readonly wanted: readonly string[];
  /** The table of the schema that is called like the qualifier. */
  readonly named: Table | undefined;
  /** Tables that have the columns and that it would be short for. */
  readonly short: readonly Table[];
}

function requalified({ start, end }: SqlNode, text: string): Patch {
  return { span: { start, end }, text };
}

/** The table of this name is not joined yet. */
function ofNamedTable(search: Search): readonly Remedy[] {
  const { named, here, schema } = search;
  if (named === undefined) return [];
  const only = onlyDeclaredPath(schema, here, named.id);
  const declared = only === undefined ? declaredPaths(schema, here, named.id).slice(0, MOST_TABLES) : [only];
  const paths = declared.length > 0 ? declared : [undefined];
  return paths.flatMap((path) => joinedTable(named, search, { path }));
}

/** Whoever writes `c.name` and joins no `c` has left out the table that `c` is short for. */
function ofNeverJoined(search: Search): readonly Remedy[] {
  const { node, here, short, schema } = search;
  return byLikeness(node.value ?? '', short).flatMap((home) =>
    joinedTable(home, search, { path: onlyDeclaredPath(schema, here, home.id), alias: node.value }),
  );
}

function joinedTable(table: Table, { node, fault, place }: Search, wish: JoinWish): readonly Remedy[] {
  const joined = addJoin(table.id, place, wish);
  if (joined === undefined) return [];
  const patches =
    wish.alias === undefined ? [...joined.patches, requalified(node, joined.name)] : joined.patches;
  const because = `${fault.text}; ${table.name} is not joined`;
  const guess = `${calls(node, table)}joined by ${keysOf(joined.path, place)}`;
  return [{ kind: 'join', patches, because, guess }];
}

function calls({ value = '' }: SqlNode, { name }: Table): string {
  return value.toLowerCase() === name.toLowerCase() ? `${name} is ` : `${value} is ${name}, `;
}

/** A table here has the column. */
function ofSourceHere({ node, fault, query, place, wanted, named, short }: Search): readonly Remedy[] {
  const column = (node.parent && child(node.parent, 'this')?.value) ?? '';
  const sources = (place.scope?.sources ?? []).filter((source) => columnOf(source, column) !== undefined);
  const owners = sources.filter((source) => wanted.every((name) => columnOf(source, name) !== undefined));
  return sources.flatMap((source): Remedy[] => {
    if (source.name === undefined) return [];
    const isOnly = named === undefined && owners.length === 1 && owners[0] === source && short.length === 0;
    const name = quoted(source.name, query);
    // One name before several columns stands for one table, where one has them all.
    const places = owners.includes(source) ? qualifiersLike(node, query) : [node];
    const meant = places.length > 1 ? `${node.value}` : `${node.value}.${column}`;
    return [
      {
        kind: 'qualifier',
        patches: places.map((place) => requalified(place, name)),
        because: `${fault.text}; ${source.name} has this column`,
        guess: isOnly ? undefined : `${meant} is ${places.length > 1 ? '' : 'that of '}${source.name}`,
      },
    ];
  });
}

/** All columns, in lower case, that are written behind this qualifier in the same query. */
function columnsBehind(node: SqlNode, query: Ailing['query']): readonly string[] {
  const names = qualifiersLike(node, query).flatMap(
    (other) => (other.parent && child(other.parent, 'this')?.value) ?? [],
  );
  return [...new Set(names.map((name) => name.toLowerCase()))];
}

function qualifiersLike(node: SqlNode, query: Ailing['query']): readonly SqlNode[] {
  return query.tree.nodes.filter(
    (other) =>
      other.role === 'table' &&
      other.parent?.type === 'Column' &&
      other.value?.toLowerCase() === node.value?.toLowerCase() &&
      scopeAt(other, query) === scopeAt(node, query),
  );
}

/** A table beside the subquery in FROM that a name stands in, which is not seen from within. */
function isNeighbour(node: SqlNode, written: string, { scopes }: Ailing['query']): boolean {
  let inner = ancestor(node, ({ type }) => type === 'Select');
  for (let at = inner; at !== undefined; at = at.parent) {
    if (at.type !== 'Select' || at === inner) continue;
    if (scopes.sources.some((source) => source?.key === written && isIn(source.node, at, inner))) return true;
    inner = at;
  }
  return false;
}

/** In the FROM of a SELECT, and of none inside of it. */
function isIn(node: SqlNode, select: SqlNode, inner: SqlNode | undefined): boolean {
  return ancestor(node, ({ type }) => type === 'Select') === select && select !== inner;
}

function byLikeness<One extends { readonly name: string }>(
  written: string,
  all: readonly One[],
): readonly One[] {
  const like = ({ name }: One) => nameLikeness(written, name);
  return [...all].sort((a, b) => like(b) - like(a)).slice(0, MOST_TABLES);
}
