/** Tree to canonical form. */
import { NAME_RULES } from '../scope/state/name-rules.ts';
import type { Scopes } from '../scope/state/scope.ts';
import { child, childrenIn, type SqlNode, type SqlTree } from '../tree/node.ts';
import { childKeys, flagsKey, genericKey, keyIn, NAME_KEYS } from './name-keys.ts';
import { openNames, type Source } from './names.ts';
import type { NameResolver, NormalForm, NormalOptions } from './normal-form.ts';
import { operandsOf, withoutBrackets } from './query-nodes.ts';
import { orderDirection } from './read-end.ts';
import { readQuery } from './read-query.ts';
import type { Keying, KeyRule } from './scalar-keys.ts';
import { functionName } from './scalar-keys.ts';

/**
 * The canonical form of a statement. Equal keys mean equal queries, as far as that shows without running them:
 * `SELECT T1.a FROM t AS T1 WHERE T1.b > 1` and `select A from T where 1.0 < b` have one key.
 */
export function normalise(tree: SqlTree, options: NormalOptions = {}): NormalForm {
  return normaliseWith(tree, options, (key) => key).form;
}

export interface Keyed {
  readonly form: NormalForm;
  /** Keys of expressions by node id. */
  readonly keys: readonly (string | undefined)[];
  /** The entries of FROM that columns belong to, by node id. */
  readonly owners: readonly (Source | undefined)[];
}

/** The same with all keys of expressions, each shortened by `fold`. */
export function normaliseWith(tree: SqlTree, options: NormalOptions, fold: (key: string) => string): Keyed {
  const keying: Keying = {
    tree,
    rules: NAME_RULES[tree.dialect],
    options,
    resolver: options.resolve?.(tree),
    fold,
    keys: new Array(tree.nodes.length),
    owners: new Array(tree.nodes.length),
    cache: { columnNames: undefined },
    readQuery,
    keyOf: expressionKey,
    names: openNames(undefined),
    clause: 'select',
    ctes: new Map(),
    found: [],
  };
  const query = readQuery(keying, tree.root);
  return { form: { tree, key: query.key, query }, keys: keying.keys, owners: keying.owners };
}

/** A text that is the same for queries that say the same: `normalKey(tree) === normalKey(other)`. */
export function normalKey(tree: SqlTree, options: NormalOptions = {}): string {
  return normalise(tree, options).key;
}

/** Keys of expressions: equal for expressions that must give the same value. */
function expressionKey(keying: Keying, node: SqlNode): string {
  const known = keying.keys[node.id];
  if (known !== undefined) return known;
  const rule = RULES.get(node.type) ?? (node.flags.call === undefined ? genericKey : callKey);
  const key = keying.fold(rule(keying, node));
  keying.keys[node.id] = key;
  return key;
}

const query: KeyRule = (keying, node) => {
  const inner = keying.readQuery(keying, node);
  keying.found.push(inner);
  return `(${inner.key})`;
};

const QUERIES = ['Select', 'Union', 'Intersect', 'Except', 'Values', 'Subquery'];

// Keys of operators, written so that equal conditions come out equal.

/** The sign in keys; `swaps` means that the operands may change places. */
const SIGNS: Readonly<Record<string, readonly [sign: string, swaps?: 'swaps']>> = {
  And: ['and', 'swaps'],
  Or: ['or', 'swaps'],
  Xor: ['xor', 'swaps'],
  EQ: ['=', 'swaps'],
  NEQ: ['<>', 'swaps'],
  NullSafeEQ: ['<=>', 'swaps'],
  NullSafeNEQ: ['<!>', 'swaps'],
  Add: ['+', 'swaps'],
  Mul: ['*', 'swaps'],
  BitwiseAnd: ['&', 'swaps'],
  BitwiseOr: ['|', 'swaps'],
  BitwiseXor: ['^', 'swaps'],
  LT: ['<'],
  LTE: ['<='],
  Is: ['is'],
  Like: ['like'],
  ILike: ['ilike'],
  Glob: ['glob'],
  SimilarTo: ['similar to'],
  RegexpLike: ['~'],
  RegexpILike: ['~*'],
  Escape: ['escape'],
  Collate: ['collate'],
  Sub: ['-'],
  Div: ['/'],
  IntDiv: ['//'],
  Mod: ['%'],
  DPipe: ['||'],
  BitwiseLeftShift: ['<<'],
  BitwiseRightShift: ['>>'],
  PropertyEQ: [':='],
};

/** Chains of these are one operator with many operands, whatever the brackets. */
const CHAINS: ReadonlySet<string> = new Set(['And', 'Or', 'Add', 'Mul', 'DPipe']);

/** Types whose keys need brackets inside another operator. */
const BRACKETED: ReadonlySet<string> = new Set([
  ...Object.keys(SIGNS),
  'GT',
  'GTE',
  'Not',
  'Between',
  'In',
  'Neg',
]);

const APOSTROPHE = 39;
const DIGIT_0 = 48;
const DIGIT_9 = 57;

/** What NOT makes of a comparison; NULL stays NULL on both sides. */
const NEGATED: Readonly<Record<string, readonly [sign: string, order: 'sorted' | 'written' | 'reversed']>> = {
  EQ: ['<>', 'sorted'],
  NEQ: ['=', 'sorted'],
  NullSafeEQ: ['<!>', 'sorted'],
  NullSafeNEQ: ['<=>', 'sorted'],
  LT: ['<=', 'reversed'],
  LTE: ['<', 'reversed'],
  GT: ['<=', 'written'],
  GTE: ['<', 'written'],
};

const not: KeyRule = (keying, node) => {
  const below = child(node, 'this');
  if (below === undefined) return 'not';
  const inner = withoutBrackets(below);
  if (inner.type === 'Not') return keyIn(keying, inner, 'this');
  const negated = NEGATED[inner.type];
  // NOT (a = ANY (…)) says more than a <> ANY (…).
  const isQuantified = inner.children.some(({ type }) => type === 'Any' || type === 'All');
  if (negated === undefined || isQuantified) return `not ${operandKey(keying, inner)}`;
  const [sign, order] = negated;
  const keys = inner.children.map((operand) => operandKey(keying, operand));
  if (order === 'reversed') keys.reverse();
  return (order === 'sorted' ? sorted(keys) : keys).join(` ${sign} `);
};

const negative: KeyRule = (keying, { children }) =>
  `-${children.map((operand) => operandKey(keying, operand)).join('')}`;

/** In which order and how often a list names its values says nothing. */
const inList: KeyRule = (keying, node) => {
  const [subject, ...rest] = node.children;
  if (subject === undefined) return 'in';
  const keys = rest.map((value) => keying.keyOf(keying, value));
  const list = childrenIn(node, 'expressions').length === 0 ? keys : [...new Set(keys)].sort();
  return `${operandKey(keying, subject)} in (${list.join(', ')})`;
};

const between: KeyRule = (keying, node) => {
  const [subject, low, high] = node.children.map((part) => operandKey(keying, part));
  return `${subject} between ${node.flags.symmetric === undefined ? '' : 'symmetric '}${low} and ${high}`;
};

const transparent: KeyRule = (keying, node) => keyIn(keying, node, 'this');

/** Keys of calls, CASE and what else is written with a word of its own. */
const callKey: KeyRule = (keying, node) =>
  `${functionName(node).toLowerCase()}(${childKeys(keying, node.children)})${flagsKey(node)}`;

const OPERATOR_KEYS: readonly (readonly [type: string, rule: KeyRule])[] = [
  ...Object.keys(SIGNS).map((type) => [type, binary(type)] as const),
  ['GT', flipped('<')],
  ['GTE', flipped('<=')],
  ['Not', not],
  ['Neg', negative],
  ['Pos', transparent],
  ['Paren', transparent],
  ['In', inList],
  ['Between', between],
];

/** `COUNT(1)` counts rows as `COUNT(*)` does. */
const count: KeyRule = (keying, node) => {
  const [only, ...more] = node.children;
  const isConstant = only?.type === 'Literal' && more.length === 0;
  return isConstant && keying.options.keepsCounts !== true ? 'count(*)' : callKey(keying, node);
};

const caseKey: KeyRule = (keying, node) => {
  const branches = childrenIn(node, 'ifs').map((branch) => keying.keyOf(keying, branch));
  return caseText(keyIn(keying, node, 'this'), branches, keyIn(keying, node, 'default'));
};

/** A branch of CASE; IIF(c, a, b) and IF(c, a, b) are a CASE with one branch. */
const ifKey: KeyRule = (keying, node) => {
  const [condition, yes, no = ''] = node.children.map((part) => keying.keyOf(keying, part));
  const branch = `${condition} then ${yes}`;
  return node.flags.call === undefined ? branch : caseText('', [branch], no);
};

/** The order of partitions says nothing. */
const window: KeyRule = (keying, node) => {
  const partitions = childrenIn(node, 'partition_by').map((part) => keying.keyOf(keying, part));
  const by = partitions.length === 0 ? '' : `partition by ${partitions.sort().join(', ')} `;
  const rest = node.children.filter(({ role }) => role !== 'this' && role !== 'partition_by');
  return `${keyIn(keying, node, 'this')} over (${by}${childKeys(keying, rest)})`;
};

const exists: KeyRule = (keying, node) => {
  const below = child(node, 'this');
  return below === undefined ? 'exists' : `exists ${keying.keyOf(keying, below)}`;
};

const ordered: KeyRule = (keying, node) =>
  keyIn(keying, node, 'this') + orderDirection(node, keying.tree.dialect);

const CALL_KEYS: readonly (readonly [type: string, rule: KeyRule])[] = [
  ['Count', count],
  ['Case', caseKey],
  ['If', ifKey],
  ['Cast', cast('cast')],
  ['TryCast', cast('try_cast')],
  ['Window', window],
  ['Exists', exists],
  ['Ordered', ordered],
];

const RULES: ReadonlyMap<string, KeyRule> = new Map<string, KeyRule>([
  ...NAME_KEYS,
  ...OPERATOR_KEYS,
  ...CALL_KEYS,
  ...QUERIES.map((type) => [type, query] as const),
]);

function operandKey(keying: Keying, node: SqlNode): string {
  const inner = withoutBrackets(node);
  const key = keying.keyOf(keying, inner);
  return BRACKETED.has(inner.type) ? `(${key})` : key;
}

function binary(type: string): KeyRule {
  const [sign, swaps] = SIGNS[type] ?? [type];
  const isChain = CHAINS.has(type);
  return (keying, node) => {
    // A call by that name, as LIKE(a, b), may take its arguments in another order.
    if (node.flags.call !== undefined) return callKey(keying, node);
    const operands = isChain ? operandsOf(node) : node.children;
    const keys = operands.map((operand) => operandKey(keying, operand));
    return (swaps === undefined ? keys : sorted(keys)).join(` ${sign} `);
  };
}

/** Names before constants, so that keys read as conditions are written. */
function sorted(keys: string[]): string[] {
  return keys.sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : one > other ? 1 : 0));
}

function rank(key: string): number {
  const first = key.charCodeAt(0);
  return first === APOSTROPHE || (first >= DIGIT_0 && first <= DIGIT_9) ? 1 : 0;
}

/** `a > b` is `b < a`. */
function flipped(sign: string): KeyRule {
  return (keying, { children }) => {
    const keys = children.map((operand) => operandKey(keying, operand));
    return keys.reverse().join(` ${sign} `);
  };
}

/** Without ELSE a CASE gives NULL. */
function caseText(subject: string, branches: readonly string[], otherwise: string): string {
  const whens = branches.map((branch) => ` when ${branch}`).join('');
  return `case${subject && ` ${subject}`}${whens} else ${otherwise || 'null'} end`;
}

function cast(word: string): KeyRule {
  return (keying, node) => {
    const format = keyIn(keying, node, 'expression');
    const type = keyIn(keying, node, 'to');
    return `${word}(${keyIn(keying, node, 'this')} as ${type}${format && ` format ${format}`})`;
  };
}

/** Names as a schema has them: `normalise(tree, { resolve: (tree) => resolverFromScopes(scopes(tree, schema)) })`. */
export function resolverFromScopes({ references }: Scopes): NameResolver {
  return ({ id }) => {
    const reference = references[id];
    switch (reference?.kind) {
      case 'column':
      case 'hidden':
        return { kind: 'source', node: reference.source.node };
      case 'open':
        return reference.source && { kind: 'source', node: reference.source.node };
      case 'text':
        return { kind: 'text' };
      default:
        return undefined;
    }
  };
}
