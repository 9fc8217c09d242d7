import { flagsKey } from '../normal/name-keys.ts';
import type { Source } from '../normal/names.ts';
import { functionName, literalKey, typeName, unreadKey } from '../normal/scalar-keys.ts';
import { child, type FlagName, type SqlNode, type SqlTree } from '../tree/node.ts';
import type { Comparing, Frame, Side } from './difference.ts';

/**
 * Whether two expressions with different keys differ only in what is told elsewhere: in a query they hold, in the
 * table a name belongs to when that table was exchanged, or in whether a name is qualified at all.
 */
export function isSameAround(comparing: Comparing, one: SqlNode, other: SqlNode): boolean {
  const before = frameOf(comparing.before, one);
  const after = frameOf(comparing.after, other);
  if (before.text !== after.text || before.columns.length !== after.columns.length) return false;
  return before.columns.every((column, index) => {
    const opposite = after.columns[index];
    return opposite !== undefined && mayBeOne(comparing, column, opposite);
  });
}

function mayBeOne({ before, after, sources }: Comparing, one: SqlNode, other: SqlNode): boolean {
  const [owner, opposite] = [before.owners[one.id], after.owners[other.id]];
  if (owner !== undefined && opposite !== undefined) return sources.get(owner.node) === opposite.node;
  // A qualifier that names no table is a fault of its own.
  const [left, right] = [qualifierOf(one, owner), qualifierOf(other, opposite)];
  return left === right;
}

/** The qualifier of a column whose owner is not known. */
function qualifierOf(column: SqlNode, owner: Source | undefined): string | undefined {
  return owner === undefined ? child(column, 'table')?.value?.toLowerCase() : undefined;
}

/** Expressions with their queries and the owners of their columns left out: what remains the same when those change. */
function frameOf(side: Side, node: SqlNode): Frame {
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

/** Whether two nodes of one type say the same beside their children: names, literals, marks. */
export function sameScalars(trees: readonly [SqlTree, SqlTree], a: SqlNode, b: SqlNode): boolean {
  return (
    contentOf(a, trees[0]) === contentOf(b, trees[1]) &&
    MARKS.every((mark) => markOf(a, mark) === markOf(b, mark))
  );
}

function contentOf(node: SqlNode, tree: SqlTree): string | undefined {
  switch (node.type) {
    case 'Literal':
      return literalKey(node);
    case 'DataType':
      return typeName(node.value ?? '', tree.dialect);
    case 'Var':
    case 'Boolean':
    case 'Identifier':
      return node.value?.toLowerCase();
    case 'Command':
    case 'TableColumns':
      return unreadKey({ tree }, node);
    default:
      return node.flags.call === undefined ? node.value : functionName(node);
  }
}

/** All but quotes, spellings of operators, and where NULLs sort. */
const MARKS: readonly FlagName[] = [
  'desc',
  'side',
  'kind',
  'method',
  'all',
  'byName',
  'recursive',
  'lateral',
  'ordinality',
  'unpivot',
  'percent',
  'ties',
  'symmetric',
  'from',
  'to',
  'exclude',
  'as',
];

/** INNER and OUTER are words one may leave out. */
const EMPTY_KINDS: ReadonlySet<string> = new Set(['INNER', 'OUTER']);
/** Types whose sign tells more than the type. */
const SIGNED: ReadonlySet<string> = new Set([
  'Operator',
  'UnaryOperator',
  'JSONExtract',
  'JSONExtractScalar',
]);

function markOf({ type, flags }: SqlNode, mark: FlagName): string | undefined {
  if (mark === 'kind' && type === 'Join' && EMPTY_KINDS.has(flags.kind ?? '')) return undefined;
  return mark === 'kind' && SIGNED.has(type) ? flags.operator : flags[mark];
}
