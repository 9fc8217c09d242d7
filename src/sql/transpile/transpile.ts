/** A statement of one dialect as a statement of another, and what did not come over. */
import type { DialectName } from '../dialects/dialect.ts';
import { parse } from '../parser/parse.ts';
import { unprintedWords } from '../print/own-words.ts';
import { contextOf, nodesOf, partsOf, printNode, printTree } from '../print/print-tree.ts';
import type { PrintableNode } from '../print/printable.ts';
import { child, childrenIn, type SqlNode, type SqlTree } from '../tree/node.ts';
import { translateNode } from './translate-node.ts';
import { hasAggregate } from './translation/aggregate-types.ts';
import { findBareColumns } from './translation/bare-columns.ts';
import { sameTree } from './translation/match-phrase.ts';
import type { Diagnostic, DiagnosticRule, Translation, TranspileOptions } from './translation/translation.ts';

export interface Transpiled {
  readonly sql: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * `transpile(tree, 'duckdb')` of `SELECT IFNULL(a, 0) FROM t LIMIT 5, 10` gives
 * `SELECT COALESCE(a, 0) FROM t LIMIT 10 OFFSET 5`. Without diagnostics the result means the same, up to what only
 * the database knows: collations, types of columns, time zones. With `unsupported` among them it must not be run.
 */
export function transpile(tree: SqlTree, to: DialectName, options: TranspileOptions = {}): Transpiled {
  if (tree.dialect === to) return { sql: printTree(tree), diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  const translation = createTranslation({ tree, to, options, diagnostics });
  if (tree.root.type === 'Command') {
    translation.unsupported('syntax', tree.root, 'only queries are translated');
    return { sql: printTree(tree), diagnostics };
  }
  reportStatement(translation);
  const sql = printNode(translation.translate(tree.root), contextOf(to));
  const again = parse(sql, to);
  if (!again.ok) {
    translation.unsupported('result', tree.root, `the result is no ${to}: ${again.error.message}`);
  }
  return { sql, diagnostics };
}

interface Call {
  readonly tree: SqlTree;
  readonly to: DialectName;
  readonly options: TranspileOptions;
  /** Filled while the statement is translated. */
  readonly diagnostics: Diagnostic[];
}

function createTranslation({ tree, to, options, diagnostics }: Call): Translation {
  const reporterOf =
    (kind: Diagnostic['kind']) =>
    (rule: DiagnosticRule, node: SqlNode, message: string): void => {
      if (diagnostics.some((known) => known.message === message)) return;
      diagnostics.push({ kind, rule, node, span: { start: node.start, end: node.end }, message });
    };
  const translation: Translation = {
    tree,
    from: tree.dialect,
    to,
    options,
    unrecorded: findUnrecorded(tree),
    bareColumns: findBareColumns(tree, to),
    kinds: new Map(),
    chained: new Map(),
    translate: (node) => translateNode(node, translation),
    unsupported: reporterOf('unsupported'),
    changed: reporterOf('changed'),
  };
  return translation;
}

// Words of the source that the tree keeps no trace of and that weigh something.

/** Read by a rule, or without meaning for the result. */
const LIGHT_WORDS: Readonly<Record<string, string>> = {
  GroupConcat: 'SEPARATOR',
  StrPosition: 'IN',
  Substring: 'FROM FOR',
  Values: 'ROW',
  Array: 'ARRAY',
  Star: 'EXCEPT EXCLUDE',
  From: 'TABLE',
  Kwarg: ':=',
  Cast: 'USING',
  Limit: '%',
  DataType: '< >',
  Select: `STRAIGHT_JOIN HIGH_PRIORITY SQL_SMALL_RESULT SQL_BIG_RESULT SQL_BUFFER_RESULT SQL_NO_CACHE SQL_CACHE
    SQL_CALC_FOUND_ROWS`,
};

/** Hints to the optimiser about indexes, and sets of characters in a cast. */
const LIGHT_WHEN_THERE: ReadonlySet<string> = new Set(['INDEX', 'INDEXED', 'KEY', 'CHARSET', 'CHARACTER']);

/** By node; a node without such words is not in the map. */
function findUnrecorded(tree: SqlTree): ReadonlyMap<SqlNode, readonly string[]> {
  const context = contextOf(tree.dialect, tree);
  const found = new Map<SqlNode, readonly string[]>();
  const open: PrintableNode[] = [tree.root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const parts = partsOf(node, context);
    const words = weighty(node.type, unprintedWords(node, parts, context));
    // Every node of a parsed tree is a SqlNode; the printer only asks for less.
    if (words.length > 0) found.set(node as SqlNode, words);
    open.push(...nodesOf(parts));
  }
  return found;
}

function weighty(type: string, words: readonly string[]): readonly string[] {
  if (words.some((word) => LIGHT_WHEN_THERE.has(word))) return [];
  const light = new Set((LIGHT_WORDS[type] ?? '').split(/\s+/));
  return words.filter((word) => !light.has(word));
}

/** What concerns a statement as a whole: how texts are compared, how names are told apart, what is sorted. */
function reportStatement(translation: Translation): void {
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
