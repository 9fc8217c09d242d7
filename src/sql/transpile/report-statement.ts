/** What concerns a statement as a whole: how texts are compared, how names are told apart, what is sorted. */
import type { DialectName } from '../dialect.ts';
import { child, childrenIn, type SqlNode } from '../tree/node.ts';
import { hasAggregate } from './aggregate-types.ts';
import { sameTree } from './match-phrase.ts';
import type { Translation } from './translation.ts';

export function reportStatement(translation: Translation): void {
  reportTextCase(translation);
  reportFolding(translation);
  for (const node of translation.tree.nodes) {
    if (node.type !== 'Select') continue;
    reportDistinctOrder(node, translation);
    reportGroupedStar(node, translation);
  }
}

/** MySQL's usual collations take `A` for `a` in every comparison; once a statement is enough to say so. */
function reportTextCase({ tree, from, to, changed }: Translation): void {
  if (from !== 'mysql' && to !== 'mysql') return;
  const compared = tree.nodes.find(
    (node) =>
      (node.type === 'EQ' || node.type === 'NEQ' || node.type === 'In') && node.children.some(hasLetters),
  );
  if (compared === undefined) return;
  changed('text-case', compared, 'mysql compares texts by their collation, usually without regard to case');
}

function hasLetters(node: SqlNode): boolean {
  return node.flags.string !== undefined && /\p{L}/u.test(node.value ?? '');
}

/** Names that differ in case are two names where quotes keep it. */
const KEEPS_CASE: ReadonlySet<DialectName> = new Set(['postgres', 'snowflake']);

/** One name written with quotes here and without them or otherwise there: two names in the target. */
function reportFolding({ tree, from, to, changed }: Translation): void {
  if (KEEPS_CASE.has(from) || !KEEPS_CASE.has(to)) return;
  const seen = new Map<string, SqlNode>();
  for (const node of tree.nodes) {
    if (node.type !== 'Identifier') continue;
    const name = (node.value ?? '').toLowerCase();
    const before = seen.get(name);
    if (before === undefined) seen.set(name, node);
    else if (isOther(before, node, to)) {
      changed('name', node, `${node.value} is quoted or written otherwise elsewhere: two names in ${to}`);
      return;
    }
  }
}

function isOther(left: SqlNode, right: SqlNode, to: DialectName): boolean {
  return stored(left, to) !== stored(right, to);
}

function stored(node: SqlNode, to: DialectName): string {
  const name = node.value ?? '';
  if (node.flags.quoted !== undefined) return name;
  return to === 'snowflake' ? name.toUpperCase() : name.toLowerCase();
}

/** These show, and sort by, what is neither grouped nor among the different values. */
const TAKES_ANY_ROW: ReadonlySet<DialectName> = new Set(['sqlite', 'mysql']);

function reportDistinctOrder(select: SqlNode, { from, to, unsupported }: Translation): void {
  const order = child(select, 'order');
  const isPlain = child(select, 'distinct')?.children.length === 0;
  if (order === undefined || !isPlain || !TAKES_ANY_ROW.has(from) || TAKES_ANY_ROW.has(to)) return;
  const list = childrenIn(select, 'expressions');
  for (const item of order.children) {
    const value = child(item, 'this');
    if (value === undefined || value.type === 'Literal' || list.some((shown) => isShown(shown, value)))
      continue;
    unsupported('grouping', item, `${to} sorts different rows only by what they show`);
  }
}

function isShown(shown: SqlNode, value: SqlNode): boolean {
  if (isStar(shown)) return true;
  const name = value.type === 'Column' ? value.children.at(-1)?.value?.toLowerCase() : undefined;
  if (shown.type !== 'Alias') return sameTree(shown, value) || lastName(shown) === name;
  const inner = child(shown, 'this');
  return (
    child(shown, 'alias')?.value?.toLowerCase() === name || (inner !== undefined && sameTree(inner, value))
  );
}

function lastName(node: SqlNode): string | undefined {
  return node.type === 'Column' ? (node.children.at(-1)?.value ?? '').toLowerCase() : '';
}

/** `*` and `t.*`, not COUNT(*). */
function isStar(item: SqlNode): boolean {
  return item.type === 'Star' || (item.type === 'Column' && item.children.at(-1)?.type === 'Star');
}

/** A star beside GROUP BY or an aggregate: all columns of any row of the group. */
function reportGroupedStar(select: SqlNode, { from, to, unsupported }: Translation): void {
  if (!TAKES_ANY_ROW.has(from) || TAKES_ANY_ROW.has(to)) return;
  const list = childrenIn(select, 'expressions');
  const star = list.find(isStar);
  const isGrouped = child(select, 'group') !== undefined || list.some(hasAggregate);
  if (star === undefined || !isGrouped) return;
  unsupported(
    'grouping',
    star,
    `${to} shows of a group only what is grouped, not all columns of one of its rows`,
  );
}
