/** What kind of values an expression has, as far as its form tells. */
import type { DialectName } from '../../dialects/dialect.ts';
import { child, childrenIn, type SqlNode } from '../../tree/node.ts';
import { type TypeMeaning, typeMeaning } from './type-names.ts';

/** `digits` is text of digits only. */
export type ValueKind = 'integer' | 'real' | 'text' | 'digits' | 'boolean' | 'date' | 'timestamp';

export interface KindContext {
  /** Kinds found before, since long sums ask for the same ones over and over. */
  readonly known: Map<SqlNode, ValueKind | undefined>;
  readonly dialect: DialectName;
  readonly columnKind: (column: SqlNode) => ValueKind | undefined;
}

/** Dialects whose `/` drops the rest when both sides are whole numbers. */
export const DIVIDES_WHOLE: ReadonlySet<DialectName> = new Set(['sqlite', 'postgres', 'trino']);

/** `COUNT(*)` is `integer`, `a = b` is `boolean`, a column is what the catalog says. */
export function kindOf(node: SqlNode, context: KindContext): ValueKind | undefined {
  if (context.known.has(node)) return context.known.get(node);
  const kind = findKind(node, context);
  context.known.set(node, kind);
  return kind;
}

function findKind(node: SqlNode, context: KindContext): ValueKind | undefined {
  const fixed = KINDS.get(node.type);
  if (fixed !== undefined) return fixed;
  const first = (): ValueKind | undefined => {
    const value = child(node, 'this') ?? child(node, 'expressions');
    return value && kindOf(value, context);
  };
  switch (node.type) {
    case 'Literal':
      if (node.flags.string !== undefined) return 'text';
      return /[.eE]/.test(node.value ?? '') ? 'real' : 'integer';
    case 'Column':
      return context.columnKind(node);
    case 'Cast':
    case 'TryCast':
      return storedKind(child(node, 'to')?.value ?? '', context.dialect);
    case 'Round':
      return context.dialect === 'sqlite' ? 'real' : first();
    case 'Sum':
      return first() === 'boolean' ? 'integer' : first();
    case 'Add':
    case 'Sub':
    case 'Mul':
    case 'Mod':
      return numberKind(node, context);
    case 'Div':
      return quotientKind(node, context);
    case 'TimeToStr':
      return formattedKind(node);
    case 'Anonymous':
      return namedKind(node);
    case 'Case':
    case 'If':
    case 'Coalesce':
    case 'Greatest':
    case 'Least':
      return commonKind(node, context);
    case 'Subquery':
    case 'Select':
      return queryKind(node, context);
    default:
      return SAME_AS_FIRST.has(node.type) ? first() : undefined;
  }
}

const KINDS: ReadonlyMap<string, ValueKind> = new Map<string, ValueKind>(
  Object.entries({
    boolean: `Boolean EQ NEQ GT GTE LT LTE And Or Xor Not Is In Between Like ILike Glob SimilarTo RegexpLike RegexpILike
      Exists NullSafeEQ NullSafeNEQ Escape StartsWith EndsWith LogicalAnd LogicalOr Contains`,
    integer: `Count CountIf ApproxDistinct Length StrPosition RowNumber Rank DenseRank Ntile Year Month Day Hour Minute
      Quarter Week WeekOfYear DayOfWeek DayOfWeekIso DayOfMonth DayOfYear DateDiff TimestampDiff BitwiseAnd BitwiseOr
      ByteLength Ascii Sign IntDiv Extract`,
    real: 'Avg Stddev StddevPop StddevSamp Variance VariancePop Sqrt Exp Ln Log Pi PercentileCont Median CumeDist PercentRank',
    text: `Lower Upper Concat ConcatWs DPipe Substring Trim Replace GroupConcat Reverse Repeat Pad Left Right Initcap
      SplitPart RegexpReplace RegexpExtract JSONExtractScalar Chr Translate ToChar Hex MD5`,
    date: 'CurrentDate DateFromParts LastDay',
    timestamp: 'CurrentTimestamp TimestampTrunc DateTrunc',
  }).flatMap(([kind, types]) => types.split(/\s+/).map((type) => [type, kind as ValueKind] as const)),
);

const SAME_AS_FIRST: ReadonlySet<string> = new Set(
  'Paren Alias Neg Pos Abs Max Min Nullif AnyValue FirstValue LastValue NthValue Lag Lead Distinct Window Filter'.split(
    ' ',
  ),
);

const STORED: Readonly<Partial<Record<TypeMeaning, ValueKind>>> = {
  boolean: 'boolean',
  int16: 'integer',
  int32: 'integer',
  int64: 'integer',
  float32: 'real',
  float64: 'real',
  decimal: 'real',
  text: 'text',
  char: 'text',
  date: 'date',
  timestamp: 'timestamp',
  timestamptz: 'timestamp',
};

/** The kind of values in a type. */
function storedKind(name: string, dialect: DialectName): ValueKind | undefined {
  const meaning = typeMeaning(name, dialect);
  return meaning === undefined ? undefined : STORED[meaning];
}

function numberKind(node: SqlNode, context: KindContext): ValueKind | undefined {
  const kinds = node.children.map((side) => kindOf(side, context));
  if (kinds.includes('real')) return 'real';
  return kinds.every((kind) => kind === 'integer' || kind === 'boolean') ? 'integer' : undefined;
}

function quotientKind(node: SqlNode, context: KindContext): ValueKind | undefined {
  return DIVIDES_WHOLE.has(context.dialect) ? numberKind(node, context) : 'real';
}

/** Formats of one numeric code give digits. */
function formattedKind(node: SqlNode): ValueKind {
  const format = node.children.find(({ flags }) => flags.string !== undefined)?.value ?? '';
  return /^%[YmdHMSjsuw]$/.test(format) ? 'digits' : 'text';
}

const NAMED_KINDS: Readonly<Record<string, ValueKind>> = {
  DATETIME: 'timestamp',
  DATE: 'date',
  JULIANDAY: 'real',
  TOTAL: 'real',
  PRINTF: 'text',
};

function namedKind(node: SqlNode): ValueKind | undefined {
  return NAMED_KINDS[(node.value ?? '').toUpperCase()];
}

/** The kind of all branches that are not NULL, when they agree. */
function commonKind(node: SqlNode, context: KindContext): ValueKind | undefined {
  const isBranched = node.type === 'Case' || node.type === 'If';
  const values = isBranched ? branchesOf(node) : node.children;
  const kinds = values.filter(({ type }) => type !== 'Null').map((value) => kindOf(value, context));
  if (kinds.length === 0 || kinds.includes(undefined)) return undefined;
  const different = new Set(kinds);
  if (different.size === 1) return kinds[0];
  return [...different].every((kind) => kind === 'integer' || kind === 'real') ? 'real' : undefined;
}

function branchesOf(node: SqlNode): readonly SqlNode[] {
  if (node.type === 'If') return node.flags.call === undefined ? [] : node.children.slice(1);
  const values = childrenIn(node, 'ifs').map((branch) => child(branch, 'true'));
  return [...values, child(node, 'default')].filter((value): value is SqlNode => value !== undefined);
}

function queryKind(node: SqlNode, context: KindContext): ValueKind | undefined {
  const select = node.type === 'Subquery' ? child(node, 'this') : node;
  const items = select?.type === 'Select' ? childrenIn(select, 'expressions') : [];
  return items.length === 1 && items[0] !== undefined ? kindOf(items[0], context) : undefined;
}
