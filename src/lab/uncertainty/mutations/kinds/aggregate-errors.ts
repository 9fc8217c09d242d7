/** Aggregates, DISTINCT, and arithmetic. */
import { child, childrenIn, type SqlNode } from '../../../../sql/tree/index.ts';
import type { ErrorName, Mutation, Proposal } from '../site/mutation.ts';
import { pick, quoted, replace, type Site, selectAround, tableOf, tablesOf, textAt } from '../site/site.ts';

export const AGGREGATE_ERRORS: readonly Mutation<ErrorName>[] = [
  { name: 'aggregate-changed', propose: (site) => aggregatesOf(site).flatMap((node) => change(site, node)) },
  { name: 'aggregate-missing', propose: (site) => aggregatesOf(site).flatMap((node) => unwrap(site, node)) },
  { name: 'aggregate-added', propose: (site) => site.uses.flatMap(({ node }) => wrap(site, node)) },
  {
    name: 'count-distinct-added',
    propose: (site) => aggregatesOf(site).flatMap((node) => addDistinct(site, node)),
  },
  {
    name: 'count-distinct-missing',
    propose: ({ tree }) =>
      tree.nodes.flatMap((node) => {
        const inner = node.children[0];
        if (node.type !== 'Distinct' || node.parent?.type === 'Select' || inner === undefined) return [];
        return [{ node, patches: [replace({ start: node.start, end: inner.start }, '')] }];
      }),
  },
  {
    name: 'distinct-missing',
    propose: ({ selects }) =>
      selects.flatMap((select) => {
        const node = child(select, 'distinct');
        return node === undefined ? [] : [{ node, patches: [replace(node, '')] }];
      }),
  },
  { name: 'distinct-added', propose: ({ selects }) => selects.flatMap((select) => selectDistinct(select)) },
  { name: 'cast-missing', propose: (site) => eachOf(site, 'Cast', (node) => textOfThis(site, node)) },
  { name: 'percent-missing', propose: (site) => eachOf(site, 'Mul', (node) => withoutHundred(site, node)) },
  {
    name: 'percent-added',
    propose: (site) =>
      eachOf(site, 'Div', (node) => (mentionsHundred(node) ? undefined : `${textAt(site, node)} * 100`)),
  },
  {
    name: 'operands-swapped',
    propose: (site) => [
      ...eachOf(site, 'Div', (node) => swap(site, node)),
      ...eachOf(site, 'Sub', (node) => swap(site, node)),
    ],
  },
];

const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  Sum: ['COUNT', 'AVG'],
  Avg: ['SUM', 'MAX'],
  Max: ['MIN', 'SUM'],
  Min: ['MAX'],
  Count: ['SUM', 'MAX'],
};

export function aggregatesOf({ tree }: Pick<Site, 'tree'>): readonly SqlNode[] {
  return tree.nodes.filter(({ type, value }) => OTHER_NAMES[type] !== undefined && value !== undefined);
}

function change(site: Site, node: SqlNode): readonly Proposal[] {
  const name = pick(site, OTHER_NAMES[node.type] ?? []);
  const inner = node.children[0];
  if (name === undefined || inner === undefined || inner.type === 'Star') return [];
  return [
    { node, patches: [replace({ start: node.start, end: node.start + (node.value?.length ?? 0) }, name)] },
  ];
}

function unwrap(site: Site, node: SqlNode): readonly Proposal[] {
  const inner = node.children[0];
  const bare = inner?.type === 'Distinct' ? inner.children[0] : inner;
  if (bare === undefined || bare.type === 'Star') return [];
  return [{ node, patches: [replace(node, textAt(site, bare))] }];
}

function wrap(site: Site, node: SqlNode): readonly Proposal[] {
  const isShown = node.parent?.type === 'Select' && node.role === 'expressions';
  if (!isShown && !(node.parent?.type === 'Ordered')) return [];
  const name = pick(site, ['COUNT', 'COUNT', 'MAX', 'SUM', 'MIN']) ?? 'COUNT';
  return [{ node, patches: [replace(node, `${name}(${textAt(site, node)})`)] }];
}

function addDistinct(site: Site, node: SqlNode): readonly Proposal[] {
  const inner = node.children[0];
  if (node.type !== 'Count' || inner === undefined || inner.type === 'Distinct') return [];
  if (inner.type !== 'Star') {
    const at = { start: inner.start, end: inner.start };
    return [{ node, patches: [replace(at, 'DISTINCT ')] }];
  }
  const select = selectAround(node);
  const source = select && pick(site, tablesOf(site, select));
  const columns = (source && tableOf(site, source)?.columns) ?? [];
  const column =
    pick(
      site,
      columns.filter(({ id }) => site.schema.keys.has(id)),
    ) ?? pick(site, columns);
  if (source?.name === undefined || column === undefined) return [];
  const name = `${quoted(site, source.name)}.${quoted(site, column.name)}`;
  return [{ node, patches: [replace(inner, `DISTINCT ${name}`)] }];
}

/** Not where it changes nothing: one aggregate alone, or a list to look in. */
function selectDistinct(select: SqlNode): readonly Proposal[] {
  const [first, ...others] = childrenIn(select, 'expressions');
  const isLookedIn = select.parent?.role === 'query' || select.parent?.type === 'Exists';
  if (first === undefined || isLookedIn || child(select, 'distinct') !== undefined) return [];
  const isOneRow =
    others.length === 0 && OTHER_NAMES[first.type] !== undefined && child(select, 'group') === undefined;
  if (isOneRow) return [];
  return [{ node: select, patches: [replace({ start: first.start, end: first.start }, 'DISTINCT ')] }];
}

function eachOf(site: Site, type: string, write: (node: SqlNode) => string | undefined): readonly Proposal[] {
  return site.tree.nodes.flatMap((node) => {
    const text = node.type === type ? write(node) : undefined;
    return text === undefined ? [] : [{ node, patches: [replace(node, text)] }];
  });
}

function textOfThis(site: Site, node: SqlNode): string | undefined {
  const inner = child(node, 'this');
  return inner && textAt(site, inner);
}

function isHundred(node: SqlNode | undefined): boolean {
  return node?.type === 'Literal' && Number(node.value) === 100;
}

function withoutHundred(site: Site, { children: [left, right] }: SqlNode): string | undefined {
  if (left !== undefined && isHundred(right)) return textAt(site, left);
  return right !== undefined && isHundred(left) ? textAt(site, right) : undefined;
}

/** Whether a hundred stands beside the quotient or in it. */
function mentionsHundred(node: SqlNode): boolean {
  return [node, ...node.children, node.parent]
    .flatMap((each) => each?.children ?? [])
    .some((each) => isHundred(each));
}

function swap(site: Site, { children: [left, right] }: SqlNode): string | undefined {
  if (left === undefined || right === undefined) return;
  return `${textAt(site, right)}${site.tree.text.slice(left.end, right.start)}${textAt(site, left)}`;
}
