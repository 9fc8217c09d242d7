/** Expressions with their queries and the owners of their columns left out: what remains the same when those change. */
import type { SqlNode } from '../tree/node.ts';
import type { Frame, Side } from './comparing.ts';
import { functionName } from './function-name.ts';
import { flagsKey } from './name-keys.ts';

export function frameOf(side: Side, node: SqlNode): Frame {
  const known = side.frames.get(node);
  if (known !== undefined) return known;
  const frame = readFrame(side, node);
  side.frames.set(node, frame);
  return frame;
}

const TRANSPARENT: ReadonlySet<string> = new Set(['Paren', 'Alias', 'Pos']);
/** Operands may change places. */
const FREE: ReadonlySet<string> = new Set(['And', 'Or', 'EQ', 'NEQ', 'Add', 'Mul']);
/** `a > b` is `b < a`. */
const FLIPPED: Readonly<Record<string, string>> = { GT: 'LT', GTE: 'LTE' };

function readFrame(side: Side, node: SqlNode): Frame {
  const { type, children } = node;
  if (side.queries.has(node)) return { text: '(query)', columns: [] };
  if (type === 'Column')
    return { text: `column ${children.at(-1)?.value?.toLowerCase() ?? '*'}`, columns: [node] };
  const [only] = children;
  if (TRANSPARENT.has(type) && only !== undefined) {
    return frameOf(side, children.find(({ role }) => role === 'this') ?? only);
  }
  if (only === undefined)
    return { text: side.keys[node.id] ?? `${type} ${node.value?.toLowerCase()}`, columns: [] };
  const parts = children.map((below) => frameOf(side, below));
  if (FREE.has(type))
    parts.sort((one, other) => (one.text < other.text ? -1 : one.text > other.text ? 1 : 0));
  if (FLIPPED[type] !== undefined) parts.reverse();
  const name = node.flags.call === undefined ? (FLIPPED[type] ?? type) : functionName(node);
  const inside = parts.map(({ text }) => text).join(', ');
  return {
    text: side.fold(`${name}${flagsKey(node)}(${inside})`),
    columns: parts.flatMap(({ columns }) => columns),
  };
}
