/** A condition on a window function is asked of an outer query: around one that computes it beside the columns shown. */

import type { Patch } from '../../sql/rewrite/index.ts';
import { child, childrenIn, type SqlNode, textOf } from '../../sql/tree/index.ts';
import { andedIn, conditionText, needsBrackets } from '../reading/operands.ts';
import type { ReadQuery } from '../reading/read-query.ts';
import { type Ailing, quoted, type Remedy } from './remedy.ts';

/**
 * `SELECT a FROM t WHERE RANK() OVER (…) = 1 ORDER BY a` → `SELECT a FROM (SELECT a, RANK() OVER (…) AS place FROM t)
 * AS ranked WHERE place = 1 ORDER BY a`. Only of a whole query whose columns all have names of their own, and where
 * nothing else has to be seen from outside.
 */
export function filteredOutside({ fault, query }: Ailing): readonly Remedy[] {
  const select = query.tree.root;
  const parts = select.type === 'Select' ? partsOf(select, query) : undefined;
  if (parts === undefined) return [];
  const { names, conditions, kept } = parts;
  const windows = [
    ...new Set(conditions.flatMap((one) => windowsIn(one)).map((one) => textOf(query.tree, one))),
  ];
  const place = (at: number) => (windows.length === 1 ? 'place' : `place_${at + 1}`);
  const isFree = (name: string) => !names.some((other) => other.toLowerCase() === name);
  if (!windows.every((_, at) => isFree(place(at)))) return [];
  const order = orderOutside(select, query);
  if (order === undefined) return [];
  const plain = childrenIn(select, 'expressions').flatMap((item) => plainNameOf(item) ?? []);
  const filter = conditions.map((one) => seenFromOutside(one, { names, plain, windows, place, query }));
  if (filter.some((one) => one === undefined)) return [];
  const shown = names.map((name) => quoted(name, query)).join(', ');
  const computed = windows.map((text, at) => `, ${text} AS ${place(at)}`).join('');
  const limits = (['limit', 'offset'] as const)
    .flatMap((role) => childrenIn(select, role))
    .map((one) => textOf(query.tree, one));
  const text = [
    `SELECT ${shown}`,
    `FROM (${innerText(select, { query, computed, kept })}) AS ranked`,
    `WHERE ${filter.join(' AND ')}`,
    ...order,
    ...limits,
  ].join('\n');
  const patches: Patch[] = [{ span: { start: select.start, end: select.end }, text }];
  return [{ kind: 'clause', patches, because: `${fault.text}; an outer query asks for it` }];
}

interface Parts {
  /** What the columns of the list are called. */
  readonly names: readonly string[];
  /** What is asked of windows, joined by AND. */
  readonly conditions: readonly SqlNode[];
  /** What else stands in WHERE. */
  readonly kept: readonly SqlNode[];
}

function partsOf(select: SqlNode, query: ReadQuery): Parts | undefined {
  const items = childrenIn(select, 'expressions');
  const names = items.flatMap((item) => nameOf(item) ?? []);
  const isPlain =
    names.length === items.length && new Set(names.map((name) => name.toLowerCase())).size === names.length;
  const isOther = select.children.some(({ role }) => !KNOWN_PARTS.has(role));
  if (!isPlain || isOther) return undefined;
  const all = (['where', 'qualify'] as const)
    .flatMap((role) => childrenIn(select, role))
    .map((clause) => child(clause, 'this'));
  const anded = all.flatMap((condition) => (condition === undefined ? [] : andedIn(condition)));
  const qualify = child(select, 'qualify');
  const isLate = (one: SqlNode) =>
    windowsIn(one).length > 0 || (qualify !== undefined && one.start >= qualify.start);
  const conditions = anded.filter(isLate);
  if (conditions.length === 0 || query.tree.nodes.some(({ type }) => type === 'With')) return undefined;
  return { names, conditions, kept: anded.filter((one) => !isLate(one)) };
}

const KNOWN_PARTS: ReadonlySet<string> = new Set([
  ...['expressions', 'from', 'joins', 'where', 'group', 'having', 'qualify', 'order', 'limit', 'offset'],
]);

function nameOf(item: SqlNode): string | undefined {
  if (item.type === 'Alias') return child(item, 'alias')?.value;
  return item.type === 'Column' ? child(item, 'this')?.value : undefined;
}

/** `eur * 2 AS eur` is another eur outside. */
function plainNameOf(item: SqlNode): string | undefined {
  const name = nameOf(item);
  const column = item.type === 'Alias' ? child(item, 'this') : item;
  const inner = column?.type === 'Column' ? child(column, 'this')?.value : undefined;
  return inner?.toLowerCase() === name?.toLowerCase() ? name : undefined;
}

function windowsIn(node: SqlNode): readonly SqlNode[] {
  if (node.type === 'Select') return [];
  return node.type === 'Window' ? [node] : node.children.flatMap(windowsIn);
}

interface Outside {
  readonly names: readonly string[];
  /** Columns of the list that are called outside as they are within. */
  readonly plain: readonly string[];
  readonly windows: readonly string[];
  readonly place: (at: number) => string;
  readonly query: ReadQuery;
}

/** The condition with the names of the outer query; undefined where it reads what that does not show. */
function seenFromOutside(
  condition: SqlNode,
  { names, plain, windows, place, query }: Outside,
): string | undefined {
  let text = textOf(query.tree, condition);
  for (const window of [...windowsIn(condition)].reverse()) {
    const name = place(windows.indexOf(textOf(query.tree, window)));
    text = text.slice(0, window.start - condition.start) + name + text.slice(window.end - condition.start);
  }
  const isSeen = columnsOutsideWindows(condition).every((column) => {
    const isOfTable = query.scopes.references[column.id]?.kind === 'column';
    const written = child(column, 'this')?.value?.toLowerCase();
    const isListed = (isOfTable ? plain : names).some((name) => name.toLowerCase() === written);
    return child(column, 'table') === undefined && isListed;
  });
  if (!isSeen) return undefined;
  return needsBrackets(condition) ? `(${text})` : text;
}

function columnsOutsideWindows(node: SqlNode): readonly SqlNode[] {
  if (node.type === 'Window') return [];
  return node.type === 'Column' ? [node] : node.children.flatMap(columnsOutsideWindows);
}

/** ORDER BY by names of the list, without the tables that are not seen outside; undefined where it has others. */
function orderOutside(select: SqlNode, query: ReadQuery): readonly string[] | undefined {
  const order = child(select, 'order');
  if (order === undefined) return [];
  const items = childrenIn(select, 'expressions');
  const written = new Map(
    items.flatMap((item) => {
      const name = nameOf(item);
      const value = item.type === 'Alias' ? child(item, 'this') : item;
      return name === undefined || value === undefined
        ? []
        : [[textOf(query.tree, value).toLowerCase(), name] as const, [name.toLowerCase(), name] as const];
    }),
  );
  const places = order.children.map((item) => {
    const value = child(item, 'this') ?? item;
    const name =
      value.type === 'Literal' ? value.value : written.get(textOf(query.tree, value).toLowerCase());
    const rest = query.tree.text.slice(value.end, item.end);
    return name === undefined ? undefined : `${value.type === 'Literal' ? name : quoted(name, query)}${rest}`;
  });
  return places.includes(undefined) ? undefined : [`ORDER BY ${places.join(', ')}`];
}

interface Inner {
  readonly query: ReadQuery;
  readonly computed: string;
  readonly kept: readonly SqlNode[];
}

function innerText(select: SqlNode, { query, computed, kept }: Inner): string {
  const items = childrenIn(select, 'expressions').map((one) => textOf(query.tree, one));
  const from = child(select, 'from');
  const end = Math.max(from?.end ?? 0, ...childrenIn(select, 'joins').map((join) => join.end));
  const sources = from === undefined ? '' : query.tree.text.slice(from.start, end);
  const where =
    kept.length === 0 ? '' : `WHERE ${kept.map((one) => conditionText(one, query.tree)).join(' AND ')}`;
  const clauses = (['group', 'having'] as const)
    .flatMap((role) => childrenIn(select, role))
    .map((one) => textOf(query.tree, one));
  return [`SELECT ${items.join(', ')}${computed}`, sources, where, ...clauses]
    .filter((part) => part !== '')
    .join(' ');
}

/** A condition on groups is none on windows. */
export function isOnWindow(node: SqlNode): boolean {
  return node.type === 'Qualify' || node.type === 'Window';
}
