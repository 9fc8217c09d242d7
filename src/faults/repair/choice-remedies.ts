/** What may be done about a column that several tables here have: a key that makes them equal says it, or people do. */
import { ancestor, child, childrenIn, type SqlNode } from '../../sql/tree/index.ts';
import { andedIn } from '../reading/operands.ts';
import { type Ailing, quoted, type Remedy, scopeAt } from './remedy.ts';

interface Held {
  readonly name: string;
  readonly id: string;
}

/**
 * One remedy for each table. The same name in other clauses is taken to be the same column; in the list of SELECT,
 * where nobody shows a column twice, each place has its own choice.
 */
export function choiceRemedies(ailing: Ailing): readonly Remedy[] {
  const { fault, query } = ailing;
  const place = columnAt(ailing);
  const held = heldBy(place, ailing);
  if (held.length === 0) return [];
  const isOne = areEqual(held, place, ailing);
  const places = [place, ...sameElsewhere(place, ailing)];
  const text = place.type === 'Column' ? (child(place, 'this')?.value ?? '') : (place.value ?? '');
  return inOrder(held, place, ailing).map(
    ({ name }): Remedy => ({
      kind: 'choice',
      patches: places.map(({ start, end }) => ({
        span: { start, end },
        text: `${quoted(name, query)}.${quoted(text, query)}`,
      })),
      because: isOne ? `${fault.text}; a key makes them equal` : `${fault.text}; ${name} is taken`,
      guess: isOne ? undefined : `${text}${positionOf(place)} is that of ${name}`,
    }),
  );
}

function columnAt({ node }: Ailing): SqlNode {
  return node.parent?.type === 'Column' ? node.parent : node;
}

function heldBy(place: SqlNode, { query }: Ailing): readonly Held[] {
  const reference = query.scopes.references[place.id];
  if (reference?.kind !== 'ambiguous') return [];
  return reference.candidates.flatMap(({ source, output }) =>
    source?.name === undefined ? [] : [{ name: source.name, id: output.lineage.physical[0]?.id ?? '' }],
  );
}

/** A key joins them and no outer join keeps rows of one side alone, so that each gives the same rows. */
function areEqual(held: readonly Held[], place: SqlNode, { query, schema }: Ailing): boolean {
  const select = scopeAt(place, query)?.query;
  if (select === undefined) return false;
  const joins = childrenIn(select, 'joins');
  if (joins.some(({ flags }) => flags.side !== undefined)) return false;
  const clauses = [
    ...joins.map((join) => child(join, 'on')),
    child(child(select, 'where') ?? select, 'this'),
  ];
  const holding = clauses.flatMap((clause) => (clause === undefined ? [] : andedIn(clause)));
  return held.every(
    ({ id }, at) =>
      at === 0 ||
      held
        .slice(0, at)
        .some((other) => schema.isKeyPair(id, other.id) && areEquated(id, other.id, holding, query)),
  );
}

/** Whether one of the conditions, which all hold, says that they are equal. */
function areEquated(
  one: string,
  other: string,
  holding: readonly SqlNode[],
  { scopes }: Ailing['query'],
): boolean {
  const physical = (node: SqlNode): string | undefined => {
    const reference = scopes.references[node.id];
    return reference?.kind === 'column' ? reference.lineage.physical[0]?.id : undefined;
  };
  return holding.some(({ type, children: [left, right] }) => {
    if (type !== 'EQ' || left === undefined || right === undefined) return false;
    const sides = new Set([physical(left), physical(right)]);
    return sides.has(one) && sides.has(other);
  });
}

/** The same name in other clauses of the same query: ambiguous itself, or for what the list shows under this name. */
function sameElsewhere(place: SqlNode, { query }: Ailing): readonly SqlNode[] {
  const name = nameOf(place);
  const select = scopeAt(place, query)?.query;
  const isNamedInList =
    select?.type === 'Select' &&
    childrenIn(select, 'expressions').some((item) => child(item, 'alias')?.value?.toLowerCase() === name);
  const kinds = new Set(isNamedInList ? ['ambiguous'] : ['ambiguous', 'alias']);
  return query.tree.nodes.filter(
    (node) =>
      node !== place &&
      kinds.has(query.scopes.references[node.id]?.kind ?? '') &&
      scopeAt(node, query) === scopeAt(place, query) &&
      nameOf(node) === name &&
      itemOf(node) === undefined,
  );
}

function nameOf(node: SqlNode): string | undefined {
  return (node.type === 'Column' ? child(node, 'this') : node)?.value?.toLowerCase();
}

/** The item of the list that is this column and nothing else. */
function itemOf(node: SqlNode): SqlNode | undefined {
  const item = node.parent?.type === 'Alias' ? node.parent : node;
  return item.role === 'expressions' && item.parent?.type === 'Select' ? item : undefined;
}

/** Tables whose column of this name is written elsewhere come first; in the list they come last. */
function inOrder(held: readonly Held[], place: SqlNode, { query }: Ailing): readonly Held[] {
  const name = nameOf(place);
  const isInList = itemOf(place) !== undefined;
  const uses = (table: string): number => {
    const used = query.tree.nodes.filter(
      (other) =>
        other.type === 'Column' &&
        child(other, 'table')?.value?.toLowerCase() === table.toLowerCase() &&
        nameOf(other) === name &&
        ancestor(other, ({ type }) => type === 'Join') === undefined,
    );
    if (used.length === 0) return 0;
    return isInList && used.some((other) => itemOf(other) !== undefined) ? 1 : -1;
  };
  return [...held].sort((a, b) => uses(a.name) - uses(b.name));
}

/** Where the list has several of the name. */
function positionOf(place: SqlNode): string {
  const item = itemOf(place);
  const select = item?.parent;
  if (item === undefined || select === undefined) return '';
  const items = childrenIn(select, 'expressions');
  const same = items.filter(
    (one) => nameOf(one.type === 'Alias' ? (child(one, 'this') ?? one) : one) === nameOf(place),
  );
  if (same.length < 2) return '';
  return ` in column ${items.indexOf(item) + 1}`;
}
