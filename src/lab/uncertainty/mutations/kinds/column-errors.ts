/** A column in place of another. */
import { child } from '../../../../sql/tree/index.ts';
import type { ErrorName, Mutation, Proposal } from '../site/mutation.ts';
import { alikeColumns, pickNear } from '../site/near-columns.ts';
import {
  columnText,
  pick,
  quoted,
  replace,
  type Site,
  type Source,
  selectAround,
  tableOf,
  tablesOf,
  type Use,
} from '../site/site.ts';
import { equalKeys, joinText, linkedTables } from './joining.ts';

export const COLUMN_ERRORS: readonly Mutation<ErrorName>[] = [
  {
    name: 'column-of-same-table',
    propose: (site) => eachUse(site, (use) => swapWithin(site, use)),
  },
  {
    name: 'column-like-it',
    propose: (site) =>
      eachUse(site, (use) => swapWithin(site, use, (columns) => alikeColumns(use.column, columns))),
  },
  {
    name: 'column-of-same-name',
    propose: (site) =>
      eachUse(site, (use) => {
        const name = use.column.name.toLowerCase();
        return swapFor(site, use, (columns) => columns.filter((other) => other.name.toLowerCase() === name));
      }),
  },
  {
    name: 'column-of-other-table',
    propose: (site) => eachUse(site, (use) => swapFor(site, use, (columns) => columns)),
  },
  { name: 'column-behind-join', propose: (site) => eachUse(site, (use) => fetchFromLinked(site, use)) },
  { name: 'qualifier-wrong', propose: (site) => eachUse(site, (use) => misqualify(site, use)) },
];

type Pool = Use['column'][];

/** Keys of joins are another kind of error: `join-key-wrong`. */
function eachUse(site: Site, change: (use: Use) => Proposal | undefined): readonly Proposal[] {
  return site.uses.filter((use) => !isInOn(use)).flatMap((use) => change(use) ?? []);
}

export function isInOn({ node }: Pick<Use, 'node'>): boolean {
  let at = node;
  while (at.parent !== undefined && at.parent.type !== 'Select') {
    if (at.role === 'on' || at.role === 'using') return true;
    at = at.parent;
  }
  return false;
}

/** Takes another column of its table, among those that are chosen. */
export function swapWithin(
  site: Site,
  use: Use,
  choose: (columns: Pool) => readonly Use['column'][] = (columns) => columns,
): Proposal | undefined {
  const table = tableOf(site, use.source);
  const other = table && pickNear(site, use.column, choose([...table.columns]));
  const name = child(use.node, 'this');
  if (other === undefined || name === undefined) return;
  return { node: use.node, patches: [replace(name, quoted(site, other.name))] };
}

/** Takes it from another source of the same FROM. */
function swapFor(
  site: Site,
  use: Use,
  choose: (columns: Pool) => readonly Use['column'][],
): Proposal | undefined {
  const source = pick(site, otherSources(site, use));
  const table = source && tableOf(site, source);
  const same = equalKeys(site, use).filter((each) => each.source === source);
  const columns = choose([...(table?.columns ?? [])]).filter((each) =>
    same.every(({ column }) => column !== each),
  );
  const other = pickNear(site, use.column, columns);
  if (source === undefined || other === undefined) return;
  return { node: use.node, patches: [replace(use.node, columnText(site, source, other, use.node))] };
}

function otherSources(site: Site, { node, source }: Use): readonly Source[] {
  const select = selectAround(node);
  return select === undefined ? [] : tablesOf(site, select).filter((other) => other !== source);
}

/** Joins a linked table and takes the column from there. */
function fetchFromLinked(site: Site, use: Use): Proposal | undefined {
  const select = selectAround(use.node);
  if (select === undefined || !tablesOf(site, select).includes(use.source)) return;
  const link = pick(
    site,
    linkedTables(site, select).filter(({ source }) => source === use.source),
  );
  const other = link && pickNear(site, use.column, link.table.columns);
  if (link === undefined || other === undefined) return;
  const joined = joinText(site, select, link);
  if (joined === undefined) return;
  const patch = replace(use.node, `${joined.name}.${quoted(site, other.name)}`);
  return { node: use.node, patches: [patch, joined.patch] };
}

/** Keeps the name and names another source for it, which does not have it. */
function misqualify(site: Site, use: Use): Proposal | undefined {
  const qualifier = child(use.node, 'table');
  const other = pick(site, otherSources(site, use));
  if (qualifier === undefined || other?.name === undefined) return;
  const key = use.column.name.toLowerCase();
  if (other.columns.byKey.has(key)) return;
  return { node: use.node, patches: [replace(qualifier, quoted(site, other.name))] };
}
