/** Calls that no phrase knows, and what hangs on calls. */
import type { DialectName } from '../../dialects/dialect.ts';
import { READING } from '../../guard/reading-dialects.ts';
import type { PrintableNode } from '../../print/printable.ts';
import { child, childrenIn, type SqlNode, walk } from '../../tree/node.ts';
import { templatesOf } from '../phrases/all-phrases.ts';
import { templateKey } from '../phrases/phrase.ts';
import {
  allAs,
  as,
  build,
  callNode,
  caseNode,
  castNode,
  copy,
  numberNode,
  textNode,
  wordNode,
} from '../translation/built-node.ts';
import { kindIn } from '../translation/loose-values.ts';
import { readText } from '../translation/read-text.ts';
import type { Rules, Translation } from '../translation/translation.ts';
import { typeName } from '../translation/type-names.ts';
import { ownWords } from './dialect-keywords.ts';
import { translateSqliteTime } from './sqlite-times.ts';

export const CALL_RULES: Rules = {
  Count: translateCount,
  Rand: translateRandom,
  GroupConcat: (node, translation) => translateCollected(node, translation),
  Filter: translateFilter,
  WithinGroup: translateWithinGroup,
  Window: translateWindow,
  IgnoreNulls: (node, translation) =>
    ignoringNulls(translation.translate(node.children[0] ?? node), node, translation),
  RespectNulls: ({ children }, { translate }) => children[0] && translate(children[0]),
  Anonymous: (node, translation) =>
    translateSwitch(node, translation) ?? translateSqliteTime(node, translation),
  Date: translateSqliteTime,
  TimeToStr: translateSqliteTime,
};

/** A function no phrase knows: of the same name in the target it may mean something else. */
export function translateCall(node: SqlNode, translation: Translation): PrintableNode {
  const { from, to, unsupported, changed } = translation;
  const name = node.value ?? '';
  // A function with a phrase of its own was looked for in the target and not found.
  const isUnsayable = templatesOf(from).has(templateKey(node));
  const isThere = !isUnsayable && READING[to].functions.has(name.toLowerCase());
  if (isThere) changed('function', node, `${name.toUpperCase()} of ${to} may differ from that of ${from}`);
  else unsupported('function', node, `${to} does not have ${name.toUpperCase()} as ${from} does`);
  return copy(node, translation);
}

/**
 * `switch(x, MAP {'a': 1}, 0)` of DuckDB, which plans it as the CASE that it stands for. Where the value or what it is
 * otherwise is NULL without looking at a row, the whole call is NULL there, and no CASE.
 */
function translateSwitch(node: SqlNode, { from, translate }: Translation): PrintableNode | undefined {
  if (from !== 'duckdb' || node.value?.toLowerCase() !== 'switch') return undefined;
  const [key, map, otherwise] = childrenIn(node, 'expressions');
  if (key === undefined || map?.type !== 'Map' || map.children.length === 0) return undefined;
  if (mayBeConstantNull(key) || (otherwise !== undefined && mayBeConstantNull(otherwise))) return undefined;
  const branches = map.children.flatMap(({ type, children: [label, value] }) =>
    type === 'PropertyEQ' && label !== undefined && value !== undefined
      ? [as('ifs', build('If', [as('this', translate(label)), as('true', translate(value))]))]
      : [],
  );
  if (branches.length < map.children.length) return undefined;
  const last = otherwise === undefined ? [] : [as('default', translate(otherwise))];
  return build('Case', [as('this', translate(key)), ...branches, ...last]);
}

/** It is NULL, or has a part that is computed of constants alone. */
function mayBeConstantNull(node: SqlNode): boolean {
  const hasColumn = (part: SqlNode): boolean => [...walk(part)].some(({ type }) => type === 'Column');
  return [...walk(node)].some(
    (part) => part.type === 'Null' || (part.children.length > 0 && !hasColumn(part)),
  );
}

const COUNTS_ROWS: ReadonlySet<DialectName> = new Set(['mysql', 'snowflake']);

function translateCount(node: SqlNode, translation: Translation): PrintableNode {
  const { from, to, unsupported } = translation;
  const distinct = node.children.find(({ type }) => type === 'Distinct');
  const isOfRows = (distinct?.children.length ?? 0) > 1;
  if (isOfRows && !(COUNTS_ROWS.has(from) && COUNTS_ROWS.has(to))) {
    unsupported('function', node, `${to} does not count different rows of several columns`);
  }
  return copy(node, translation);
}

/** Whole numbers of any size in these, shares of one in the others. */
const LARGE_RANDOM: ReadonlySet<DialectName> = new Set(['sqlite', 'snowflake']);

function translateRandom(node: SqlNode, { from, to, changed }: Translation): PrintableNode {
  const isOrder = node.parent?.type === 'Ordered';
  const isSame = LARGE_RANDOM.has(from) === LARGE_RANDOM.has(to);
  if (!isOrder && !isSame) changed('function', node, `random numbers of ${to} have another range`);
  return callNode(to === 'mysql' || to === 'bigquery' ? 'RAND' : 'RANDOM', []);
}

const HAS_FILTER: ReadonlySet<DialectName> = new Set(['sqlite', 'duckdb', 'postgres', 'trino']);
/** Aggregates that pass over NULL, so that a condition inside does what FILTER does. */
const SKIPS_NULL: ReadonlySet<string> = new Set(
  'Count Sum Avg Min Max Stddev StddevPop StddevSamp Variance VariancePop AnyValue'.split(' '),
);

/** `SUM(x) FILTER (WHERE c)` as `SUM(CASE WHEN c THEN x END)`. */
function translateFilter(node: SqlNode, translation: Translation): PrintableNode | undefined {
  const { to, unsupported, translate } = translation;
  const call = child(node, 'this');
  const filter = child(node, 'expression');
  if (call === undefined || filter === undefined) return undefined;
  const condition = filter.type === 'Where' ? (child(filter, 'this') ?? filter) : filter;
  if (HAS_FILTER.has(to)) {
    const where = build('Where', [as('this', translate(condition))]);
    return build('Filter', [as('this', translate(call)), as('expression', where)]);
  }
  const written = translate(call);
  const [value, ...others] = written.children;
  if (!SKIPS_NULL.has(call.type) || value === undefined || others.length > 0) {
    unsupported('syntax', node, `${to} has no FILTER`);
    return written;
  }
  return build(written.type, [filtered(value, translate(condition))], written);
}

function filtered(value: PrintableNode, condition: PrintableNode): PrintableNode {
  if (value.type === 'Distinct') {
    return as(
      value.role,
      build(
        'Distinct',
        value.children.map((inner) => filtered(inner, condition)),
      ),
    );
  }
  const kept = value.type === 'Star' ? numberNode('1') : value;
  return as(value.role, caseNode([[condition, kept]]));
}

const HAS_WITHIN: ReadonlySet<DialectName> = new Set(['duckdb', 'postgres', 'snowflake']);

function translateWithinGroup(node: SqlNode, translation: Translation): PrintableNode | undefined {
  const { to, unsupported } = translation;
  const call = child(node, 'this');
  const order = child(node, 'expression');
  if (call?.type === 'GroupConcat') return translateCollected(call, translation, order);
  if (!HAS_WITHIN.has(to)) unsupported('syntax', node, `${to} has no WITHIN GROUP`);
  return copy(node, translation);
}

/** Calls that a window may stand behind. */
function isWindowed(node: PrintableNode): boolean {
  return node.flags.call !== undefined || ['IgnoreNulls', 'Filter', 'WithinGroup'].includes(node.type);
}

const PLACES: ReadonlySet<string> = new Set(['LastValue', 'NthValue', 'FirstValue']);

function translateWindow(node: SqlNode, translation: Translation): PrintableNode | undefined {
  const { from, to, unsupported, translate } = translation;
  if (node.role === 'windows') {
    if (to === 'snowflake') unsupported('syntax', node, 'snowflake has no WINDOW clause');
    return copy(node, translation);
  }
  const call = child(node, 'this');
  if (call === undefined) return undefined;
  const parts = node.children.map(translate);
  if (parts[0] !== undefined && !isWindowed(parts[0])) {
    unsupported('function', call, `${to} says ${call.value} by more than a function, so it has no window`);
  }
  const isPlace =
    PLACES.has(call.type) && child(node, 'spec') === undefined && child(node, 'alias') === undefined;
  if (!isPlace || (from !== 'snowflake' && to !== 'snowflake')) return build('Window', parts);
  return build('Window', [...parts, as('spec', wholeFrame(from === 'snowflake'))]);
}

/** Snowflake looks at the whole partition where the others stop at the current row. */
function wholeFrame(isWhole: boolean): PrintableNode {
  return build('WindowSpec', [], {
    flags: {
      kind: isWhole ? 'ROWS' : 'RANGE',
      from: 'UNBOUNDED PRECEDING',
      to: isWhole ? 'UNBOUNDED FOLLOWING' : 'CURRENT ROW',
    },
  });
}

const NULLS_INSIDE: ReadonlySet<DialectName> = new Set(['duckdb', 'bigquery']);
const NULLS_BEHIND: ReadonlySet<DialectName> = new Set(['snowflake', 'trino']);

/** `FIRST_VALUE(x IGNORE NULLS)` or `FIRST_VALUE(x) IGNORE NULLS`. */
export function ignoringNulls(
  call: PrintableNode,
  node: SqlNode,
  { to, unsupported }: Translation,
): PrintableNode {
  if (NULLS_INSIDE.has(to)) {
    return build(call.type, [...call.children, as('having', wordNode('IGNORE NULLS'))], call);
  }
  if (!NULLS_BEHIND.has(to)) unsupported('syntax', node, `${to} has no IGNORE NULLS`);
  return build('IgnoreNulls', [as('this', call)]);
}

// GROUP_CONCAT, STRING_AGG and LISTAGG: value, separator and order stand at other places in each dialect.

interface Collected {
  readonly value: PrintableNode;
  /** A node, or the text that stands where none is given. */
  readonly separator: PrintableNode;
  readonly isComma: boolean;
  readonly isDistinct: boolean;
  readonly order: PrintableNode | undefined;
}

/** The call in the target; `order` is what WITHIN GROUP gave, if the call stands in one. */
function translateCollected(
  node: SqlNode,
  translation: Translation,
  order?: SqlNode,
): PrintableNode | undefined {
  const collected = readCollected(node, translation, order);
  return collected && WRITERS[translation.to](collected, node, translation);
}

const DEFAULT_SEPARATORS: Readonly<Partial<Record<DialectName, string>>> = { snowflake: '' };
/** These want a text; the others make one of any value. */
const WANTS_TEXT: ReadonlySet<DialectName> = new Set(['postgres', 'trino', 'bigquery']);

function readCollected(node: SqlNode, translation: Translation, order?: SqlNode): Collected | undefined {
  const { from, to, tree, translate } = translation;
  const distinct = node.children.find(({ type }) => type === 'Distinct');
  const inList = node.children.filter(
    ({ role, type }) => role !== 'order' && role !== 'limit' && type !== 'Distinct',
  );
  const values = [...(distinct === undefined ? [] : childrenIn(distinct, 'expressions')), ...inList];
  const hasSeparator = from === 'mysql' ? ownWords(node, tree).includes('SEPARATOR') : values.length > 1;
  const separator = hasSeparator ? values.at(-1) : undefined;
  const [value, ...more] = hasSeparator ? values.slice(0, -1) : values;
  if (value === undefined || more.length > 0 || child(node, 'limit') !== undefined) return undefined;
  const isText = ['text', 'digits'].includes(kindIn(value, translation) ?? '');
  const written = translate(value);
  const sorted = order ?? child(node, 'order');
  const text = separator === undefined ? (DEFAULT_SEPARATORS[from] ?? ',') : readText(separator, tree);
  return {
    value: WANTS_TEXT.has(to) && !isText ? castNode(written, typeName('text', to) ?? 'TEXT') : written,
    separator: separator === undefined ? textNode(text ?? ',') : translate(separator),
    isComma: text === ',' && (separator === undefined || separator.flags.string !== undefined),
    isDistinct: distinct !== undefined,
    order: sorted && translate(sorted),
  };
}

type Writer = (collected: Collected, node: SqlNode, translation: Translation) => PrintableNode;

const WRITERS: Readonly<Record<DialectName, Writer>> = {
  sqlite: writeSqlite,
  duckdb: (collected) => writeInside('STRING_AGG', collected, !collected.isComma),
  postgres: (collected) => writeInside('STRING_AGG', collected, true),
  bigquery: (collected) => writeInside('STRING_AGG', collected, !collected.isComma),
  mysql: writeMysql,
  snowflake: (collected) => withinGroup(collected, collected.order),
  // LISTAGG must say an order; where the source says none, any will do.
  trino: (collected) => withinGroup(collected, collected.order ?? orderBy(collected.value)),
};

/** SQLite takes no separator beside DISTINCT. */
function writeSqlite(collected: Collected, node: SqlNode, { unsupported }: Translation): PrintableNode {
  if (collected.isDistinct && !collected.isComma) {
    unsupported('function', node, 'sqlite has only commas between distinct texts');
  }
  return writeInside('GROUP_CONCAT', collected, !collected.isComma);
}

function writeInside(name: string, collected: Collected, saysSeparator: boolean): PrintableNode {
  const { value, separator, isDistinct, order } = collected;
  const values = saysSeparator ? [value, separator] : [value];
  const list = isDistinct ? [build('Distinct', allAs('expressions', values))] : values;
  return called(name, [...allAs('expressions', list), ...(order === undefined ? [] : [as('order', order)])]);
}

function writeMysql(collected: Collected): PrintableNode {
  const { value, separator, isDistinct, isComma, order } = collected;
  const first = isDistinct ? build('Distinct', [as('expressions', value)]) : value;
  const sorted = order === undefined ? [] : [as('order', order)];
  if (isComma) return called('GROUP_CONCAT', [as('expressions', first), ...sorted]);
  const parts = [as('expressions', first), ...sorted, as('expressions', separator)];
  return build('GroupConcat', parts, { value: 'GROUP_CONCAT', flags: { call: 'true', kind: 'SEPARATOR' } });
}

function withinGroup(collected: Collected, order: PrintableNode | undefined): PrintableNode {
  const call = writeInside('LISTAGG', { ...collected, order: undefined }, true);
  return order === undefined ? call : build('WithinGroup', [as('this', call), as('expression', order)]);
}

function orderBy(value: PrintableNode): PrintableNode {
  return build('Order', [as('expressions', build('Ordered', [as('this', value)]))]);
}

function called(name: string, parts: readonly PrintableNode[]): PrintableNode {
  return build('GroupConcat', parts, { value: name, flags: { call: 'true' } });
}
