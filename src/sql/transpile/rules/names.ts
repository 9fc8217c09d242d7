/** Names and their quotes. */
import type { DialectName } from '../../dialects/dialect.ts';
import { DIALECTS } from '../../dialects/dialects.ts';
import { GRAMMARS } from '../../parser/grammars.ts';
import type { PrintableNode } from '../../print/printable.ts';
import { ancestor, child, childrenIn, type SqlNode } from '../../tree/node.ts';
import { hasAggregate } from '../translation/aggregate-types.ts';
import { as, build, callNode, copy, nameNode, textNode } from '../translation/built-node.ts';
import { isTextName } from '../translation/loose-values.ts';
import { reportSyntax } from '../translation/syntax-limits.ts';
import type { Rules, Translation } from '../translation/translation.ts';

export const NAME_RULES: Rules = {
  Identifier: translateIdentifier,
  Column: translateColumn,
  Table: translateTable,
  TableAlias: translateTableAlias,
};

/** Where names without quotes become lower or upper case. */
const FOLDS: Readonly<Partial<Record<DialectName, (name: string) => string>>> = {
  postgres: (name) => name.toLowerCase(),
  snowflake: (name) => name.toUpperCase(),
};

function translateIdentifier(node: SqlNode, { to, unsupported }: Translation): PrintableNode {
  const name = node.value ?? '';
  const { quoted } = node.flags;
  if (quoted === '@') unsupported('name', node, `${name} is a place of files`);
  if (quoted !== undefined) return nameNode(name, DIALECTS[to].quote);
  if (!isReserved(name, to) && /^[\p{L}_][\p{L}\p{N}_$]*$/u.test(name)) return nameNode(name);
  return nameNode(FOLDS[to]?.(name) ?? name, DIALECTS[to].quote);
}

function translateColumn(node: SqlNode, translation: Translation): PrintableNode {
  const { options, from, to, changed, bareColumns } = translation;
  const name = child(node, 'this');
  const mayBeText = from === 'sqlite' && node.children.length === 1 && name?.flags.quoted === '"';
  if (isTextName(node, translation)) return textNode(name?.value ?? '');
  if (mayBeText && options.isText === undefined && isCompared(node)) {
    const message = `"${name.value}" is a text in sqlite when no column has that name; ${to} takes it for a column`;
    changed('name', node, message);
  }
  reportParts(node, translation);
  const aliased = aggregateOfName(node, to);
  if (aliased !== undefined) return translation.translate(aliased);
  const column = copy(node, translation);
  const bare = bareColumns.get(node);
  if (bare === undefined) return column;
  const extreme = bare.extreme && valueAtExtreme(column, bare.extreme, translation);
  if (extreme !== undefined) return extreme;
  // The others refuse such columns unless they depend on the grouped ones; MySQL as it is set up by default.
  if (from === 'sqlite') {
    changed('grouping', node, `${name?.value} is not grouped: ${from} takes it from any row of the group`);
  }
  return callNode('ANY_VALUE', [column]);
}

const NO_ALIAS_IN_HAVING: ReadonlySet<DialectName> = new Set(['postgres', 'trino']);

/** HAVING with the name of an aggregate of the list: what the name stands for. */
function aggregateOfName(node: SqlNode, to: DialectName): SqlNode | undefined {
  if (!NO_ALIAS_IN_HAVING.has(to) || node.children.length !== 1) return undefined;
  const above = ancestor(node, ({ type }) => type === 'Having' || type === 'Select');
  const select = above?.type === 'Having' ? above.parent : undefined;
  const name = node.children[0]?.value?.toLowerCase();
  const item = childrenIn(select ?? node, 'expressions').find(
    ({ type, children }) =>
      type === 'Alias' &&
      children.some(({ role, value }) => role === 'alias' && value?.toLowerCase() === name),
  );
  const value = item && child(item, 'this');
  return value !== undefined && hasAggregate(value) ? value : undefined;
}

const EXTREMES: Readonly<Partial<Record<DialectName, readonly [most: string, least: string]>>> = {
  duckdb: ['ARG_MAX_NULL', 'ARG_MIN_NULL'],
  trino: ['MAX_BY', 'MIN_BY'],
  snowflake: ['MAX_BY', 'MIN_BY'],
  bigquery: ['MAX_BY', 'MIN_BY'],
};

/** Beside one MAX or MIN, SQLite takes the columns from the row that has it. */
function valueAtExtreme(
  column: PrintableNode,
  extreme: SqlNode,
  { from, to, translate, unsupported }: Translation,
): PrintableNode | undefined {
  const names = EXTREMES[to];
  const [value] = extreme.children;
  if (from !== 'sqlite' || value === undefined || value.type === 'Distinct') return undefined;
  if (names === undefined) {
    const message = `sqlite takes it from the row of the ${extreme.type.toUpperCase()}, which ${to} has no function for`;
    unsupported('grouping', extreme, message);
    return undefined;
  }
  return callNode(extreme.type === 'Max' ? names[0] : names[1], [column, translate(value)]);
}

/** Where a text is more likely than a column: to the right of a comparison. */
function isCompared(node: SqlNode): boolean {
  const isRight = node.role === 'expression' || (node.role === 'expressions' && node.parent?.type === 'In');
  return isRight && ['EQ', 'NEQ', 'Like', 'In', 'GT', 'GTE', 'LT', 'LTE'].includes(node.parent?.type ?? '');
}

const FEW_PARTS: ReadonlySet<DialectName> = new Set(['sqlite', 'mysql']);

/** A database, a schema and a table: SQLite and MySQL have one level less. */
function reportParts(node: SqlNode, { to, unsupported }: Translation): void {
  if (child(node, 'catalog') === undefined || !FEW_PARTS.has(to)) return;
  unsupported('name', node, `${to} has no catalogs above its databases`);
}

function translateTable(node: SqlNode, translation: Translation): PrintableNode {
  reportParts(node, translation);
  const { from, to, unsupported, translate } = translation;
  const name = child(node, 'this');
  if (name?.flags.quoted === "'") unsupported('name', node, 'a file in FROM');
  if (name?.flags.call !== undefined) {
    unsupported('function', node, `${to} does not have ${name.value} in FROM as ${from} does`);
  }
  const kept = node.children.filter((part) => {
    const isDropped = ['TableSample', 'Version', 'TableHint'].includes(part.type);
    if (isDropped) reportSyntax(part, translation);
    return !isDropped;
  });
  return as(node.role, build('Table', kept.map(translate)));
}

/** `AS t (a, b)`: SQLite knows it for common table expressions only, BigQuery not at all. */
function translateTableAlias(node: SqlNode, translation: Translation): PrintableNode {
  const { to, unsupported } = translation;
  const hasColumns = child(node, 'columns') !== undefined;
  const isWith = node.parent?.type === 'CTE';
  if (hasColumns && (to === 'bigquery' || (to === 'sqlite' && !isWith))) {
    unsupported('syntax', node, `${to} cannot name the columns of a table here`);
  }
  return as(node.role, copy(node, translation));
}

// Words that are names in most dialects and must be quoted in one, beyond those the printer quotes anyway.

const MORE: Readonly<Record<DialectName, string>> = {
  sqlite: '',
  duckdb: `analyse analyze asymmetric symmetric both collate column constraint deferrable describe desc do
    initially lambda leading only pivot_longer pivot_wider placing show some summarize trailing variadic
    asof positional semi anti glob isnull notnull overlaps similar tablesample authorization concurrently
    freeze generated verbose collation ilike cast coalesce exists extract grouping interval map nullif
    overlay position row struct substring treat trim try_cast values unpack`,
  postgres: `placing symmetric asymmetric both leading trailing concurrently freeze ilike isnull notnull overlaps
    similar verbose tablesample variadic cast coalesce exists extract greatest least grouping interval
    nullif overlay position row substring treat trim values localtime session_user current_user
    authorization binary returning`,
  mysql: `rank dense_rank row_number groups system window lead lag first_value last_value ntile cume_dist
    percent_rank nth_value recursive cube grouping function lateral key keys index interval condition call
    database databases div double float integer int long read release rename repeat replace require schema
    separator show signal sql usage use varying write rows range option character char change mod desc
    describe explain`,
  trino: `current_catalog current_path current_schema deallocate extract localtime normalize skip uescape prepare
    describe`,
  snowflake: `account connection database gscluster ilike increment issue minus organization regexp revoke rlike row
    rows schema start sample trigger try_cast whenever view`,
  bigquery: `hash groups rollup current rows range new no of proto ignore respect enum lookup merge treat window
    within contains define escape exclude following preceding unbounded tablesample struct`,
};

const RESERVED: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(MORE).map(([dialect, words]) => [dialect, new Set(words.split(/\s+/))]),
);

/** Whether the dialect takes the word for something else than a name. */
function isReserved(name: string, dialect: DialectName): boolean {
  const word = name.toLowerCase();
  return (
    DIALECTS[dialect].reserved.has(word) ||
    GRAMMARS[dialect].reserved.has(word.toUpperCase()) ||
    RESERVED.get(dialect)?.has(word) === true
  );
}
