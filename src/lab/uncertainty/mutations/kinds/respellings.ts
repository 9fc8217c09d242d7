/** Other spellings of one query: the normal form, or a reader, knows them as the same. */

import { inQuotes } from '../../../../sql/dialects/index.ts';
import type { Patch } from '../../../../sql/rewrite/index.ts';
import { child, childrenIn, type SqlNode } from '../../../../sql/tree/index.ts';
import type { HarmlessName, Mutation, Proposal } from '../site/mutation.ts';
import { pick, quoted, replace, type Site, type Source, tableOf, tablesOf, textAt } from '../site/site.ts';
import { between } from './literal-errors.ts';

export const RESPELLINGS: readonly Mutation<HarmlessName>[] = [
  {
    name: 'aliases-renamed',
    propose: (site) => site.selects.flatMap((select) => renameAliases(site, select)),
  },
  { name: 'aliases-dropped', propose: (site) => site.selects.flatMap((select) => dropAliases(site, select)) },
  {
    name: 'qualifiers-dropped',
    propose: (site) => site.selects.flatMap((select) => dropQualifiers(site, select)),
  },
  { name: 'join-order', propose: (site) => site.selects.flatMap((select) => swapFirstJoin(site, select)) },
  { name: 'inner-word', propose: (site) => eachOf(site, 'Join', sayInner) },
  { name: 'and-order', propose: (site) => eachOf(site, 'And', swapSides) },
  { name: 'sides-swapped', propose: (site) => eachOf(site, 'EQ', swapColumns) },
  { name: 'not-equal-sign', propose: (site) => eachOf(site, 'NEQ', turnSign) },
  { name: 'quotes', propose: (site) => [requote(site)].flatMap((each) => each ?? []) },
  { name: 'ascending-word', propose: (site) => eachOf(site, 'Ordered', sayAscending) },
  { name: 'output-named', propose: (site) => site.selects.flatMap((select) => nameOutput(site, select)) },
];

function eachOf(
  site: Site,
  type: string,
  change: (site: Site, node: SqlNode) => readonly Patch[] | undefined,
): readonly Proposal[] {
  return site.tree.nodes.flatMap((node) => {
    const patches = node.type === type ? change(site, node) : undefined;
    return patches === undefined || patches.length === 0 ? [] : [{ node, patches }];
  });
}

/** Every qualifier that means a source of this select. */
function qualifiersOf(site: Site, source: Source): readonly SqlNode[] {
  return site.tree.nodes.flatMap((node) => {
    const reference = site.scopes.references[node.id];
    const isOf =
      (reference?.kind === 'column' && reference.source === source) ||
      (reference?.kind === 'star' && reference.sources.length === 1 && reference.sources[0] === source);
    return (isOf && child(node, 'table')) || [];
  });
}

function aliased(site: Site, select: SqlNode): readonly { source: Source; alias: SqlNode; name: string }[] {
  return tablesOf(site, select).flatMap((source) => {
    const name = tableOf(site, source)?.name;
    return source.alias === undefined || name === undefined ? [] : [{ source, alias: source.alias, name }];
  });
}

/** `T1`, `T2` → `c`, `o`. */
function renameAliases(site: Site, select: SqlNode): readonly Proposal[] {
  const taken = new Set(
    site.scopes.all.flatMap(({ sources }) =>
      sources.flatMap(({ key, columns }) => [key, ...columns.byKey.keys()]),
    ),
  );
  const patches = aliased(site, select).flatMap(({ source, alias, name }) => {
    const letter = /\p{L}/u.exec(name)?.[0].toLowerCase() ?? 't';
    const names = [letter, name.slice(0, 3).toLowerCase().replace(/\P{L}/gu, ''), `${letter}1`, `${letter}2`];
    const fresh = names.find((each) => each !== '' && !taken.has(each));
    if (fresh === undefined) return [];
    taken.add(fresh);
    return [alias, ...qualifiersOf(site, source)].map((node) => replace(node, quoted(site, fresh)));
  });
  return patches.length === 0 ? [] : [{ node: select, patches }];
}

function dropAliases(site: Site, select: SqlNode): readonly Proposal[] {
  const own = aliased(site, select);
  const names = site.scopes.all.flatMap(({ sources }) =>
    sources.map(({ table, name }) => table?.name ?? name),
  );
  const isFree = own.every(({ name }) => names.filter((other) => other === name).length === 1);
  if (own.length === 0 || !isFree) return [];
  const patches = own.flatMap(({ source, name }) => {
    const named = child(source.node, 'this');
    const qualifiers = qualifiersOf(site, source).map((node) => replace(node, quoted(site, name)));
    return named === undefined
      ? []
      : [replace({ start: named.end, end: source.node.end }, ''), ...qualifiers];
  });
  return [{ node: select, patches }];
}

function dropQualifiers(site: Site, select: SqlNode): readonly Proposal[] {
  const [source, ...others] = tablesOf(site, select);
  const isAlone = site.scopes.all.length === 1 && site.scopes.all[0]?.sources.length === 1;
  if (source === undefined || others.length > 0 || !isAlone) return [];
  const patches = qualifiersOf(site, source).flatMap((node) => {
    const name = node.parent && child(node.parent, 'this');
    return name === undefined ? [] : [replace({ start: node.start, end: name.start }, '')];
  });
  const { alias, node } = source;
  const named = child(node, 'this');
  const dropped =
    alias !== undefined && named !== undefined ? [replace({ start: named.end, end: node.end }, '')] : [];
  return patches.length === 0 ? [] : [{ node: select, patches: [...patches, ...dropped] }];
}

/** `FROM a JOIN b ON …` → `FROM b JOIN a ON …`. */
function swapFirstJoin(site: Site, select: SqlNode): readonly Proposal[] {
  const from = child(select, 'from');
  const [join] = childrenIn(select, 'joins');
  const [first, second] = [from && child(from, 'this'), join && child(join, 'this')];
  const isInner = childrenIn(select, 'joins').every(
    ({ flags }) => flags.side === undefined && flags.method === undefined,
  );
  const hasStar = childrenIn(select, 'expressions').some(({ type }) => type === 'Star');
  if (first?.type !== 'Table' || second?.type !== 'Table' || !isInner || hasStar) return [];
  return [
    { node: first, patches: [replace(first, textAt(site, second)), replace(second, textAt(site, first))] },
  ];
}

function sayInner(site: Site, node: SqlNode): readonly Patch[] | undefined {
  if (node.flags.side !== undefined || node.flags.comma !== undefined || node.flags.method !== undefined)
    return;
  const text = textAt(site, node);
  const turned = /^inner\s+join\b/i.test(text)
    ? text.replace(/^inner\s+/i, '')
    : text.replace(/^join\b/i, 'INNER JOIN');
  return turned === text ? undefined : [replace(node, turned)];
}

function swapSides(site: Site, node: SqlNode): readonly Patch[] | undefined {
  const [left, right] = node.children;
  // The brackets of `a BETWEEN 1 AND 2` are not written: its AND would be read as another.
  if (left === undefined || right === undefined) return;
  return [replace(left, textAt(site, right)), replace(right, textAt(site, left))];
}

function swapColumns(site: Site, node: SqlNode): readonly Patch[] | undefined {
  return node.children.every(({ type }) => type === 'Column') ? swapSides(site, node) : undefined;
}

function turnSign(site: Site, { children: [left, right] }: SqlNode): readonly Patch[] | undefined {
  if (left === undefined || right === undefined) return;
  const text = between(site, left, right);
  const turned = text.includes('<>') ? text.replace('<>', '!=') : text.replace('!=', '<>');
  return turned === text ? undefined : [replace({ start: left.end, end: right.start }, turned)];
}

/** All names of columns in quotes, or none where none needs them. */
function requote(site: Site): Proposal | undefined {
  const names = site.uses.flatMap(({ node }) => child(node, 'this') ?? []);
  const isQuoted = names.some(({ flags }) => flags.quoted !== undefined);
  const write = (value: string): string => (isQuoted ? quoted(site, value) : inQuotes(value, '"'));
  const patches = names
    .map((node) => replace(node, write(node.value ?? '')))
    .filter(({ span, text }) => text !== site.tree.text.slice(span.start, span.end));
  const [first] = names;
  return first === undefined || patches.length === 0 ? undefined : { node: first, patches };
}

function sayAscending(site: Site, node: SqlNode): readonly Patch[] | undefined {
  const key = node.children[0];
  if (key === undefined || node.flags.desc !== undefined) return;
  const rest = site.tree.text.slice(key.end, node.end);
  const turned = /\basc\b/i.test(rest) ? rest.replace(/\s*\basc\b/i, '') : ` ASC${rest}`;
  return [replace({ start: key.end, end: node.end }, turned)];
}

/** Names an output of the whole query, or takes its name away where nothing uses it. */
function nameOutput(site: Site, select: SqlNode): readonly Proposal[] {
  if (select.parent !== undefined) return [];
  const node = pick(site, childrenIn(select, 'expressions'));
  if (node === undefined || node.type === 'Star' || child(node, 'this')?.type === 'Star') return [];
  if (node.type === 'Alias') {
    const name = child(node, 'alias')?.value?.toLowerCase();
    const inner = child(node, 'this');
    const isUsed = site.tree.nodes.some(
      (each) => each.type === 'Identifier' && each.parent !== node && each.value?.toLowerCase() === name,
    );
    return inner === undefined || isUsed
      ? []
      : [{ node, patches: [replace({ start: inner.end, end: node.end }, '')] }];
  }
  const name = node.type === 'Column' ? `${child(node, 'this')?.value ?? 'value'}_value` : 'result';
  const text = ` AS ${name.replace(/[^\p{L}\p{N}_]+/gu, '_')}`;
  return [{ node, patches: [replace({ start: node.end, end: node.end }, text)] }];
}
