/** Keys of calls, CASE and what else is written with a word of its own. */
import { child, childrenIn } from '../tree/node.ts';
import { functionName } from './function-name.ts';
import type { KeyRule } from './keying.ts';
import { childKeys, flagsKey, keyIn } from './name-keys.ts';
import { orderDirection } from './order-direction.ts';

export const callKey: KeyRule = (keying, node) =>
  `${functionName(node).toLowerCase()}(${childKeys(keying, node.children)})${flagsKey(node)}`;

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

export const CALL_KEYS: readonly (readonly [type: string, rule: KeyRule])[] = [
  ['Count', count],
  ['Case', caseKey],
  ['If', ifKey],
  ['Cast', cast('cast')],
  ['TryCast', cast('try_cast')],
  ['Window', window],
  ['Exists', exists],
  ['Ordered', ordered],
];
