import type { FlagName, SqlNode, SqlTree } from '../tree/node.ts';
import { functionName } from './function-name.ts';
import { literalKey } from './literal-key.ts';
import { typeName } from './type-name.ts';
import { unreadKey } from './unread-key.ts';

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
