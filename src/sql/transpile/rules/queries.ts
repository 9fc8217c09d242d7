/** Queries as a whole: the parts of a SELECT, set operations, VALUES and WITH. */
import type { DialectName } from '../../dialect.ts';
import type { PrintableNode } from '../../print/printable.ts';
import { child, childrenIn, type SqlNode, walk } from '../../tree/node.ts';
import { allAs, as, build, callNode, nameNode } from '../built-node.ts';
import { asValue } from '../loose-values.ts';
import { reportSyntax } from '../syntax-limits.ts';
import type { Rules, Translation } from '../translation.ts';
import { translateGroup } from './groups.ts';
import { translateLimits } from './limits.ts';
import { translateOperand } from './set-operands.ts';

export const QUERY_RULES: Rules = {
  Select: translateSelect,
  Union: translateSetOperation,
  Intersect: translateSetOperation,
  Except: translateSetOperation,
  Values: translateValues,
  Subquery: translateSubquery,
  With: translateWith,
  CTE: translateCte,
  Group: translateGroup,
};

const DROPPED: ReadonlySet<string> = new Set(['limit', 'offset', 'locks', 'into', 'sample']);
/** The list comes first, whatever the text began with. */
const EARLY: ReadonlySet<string> = new Set(['with', 'distinct', 'expressions']);

function translateSelect(node: SqlNode, translation: Translation): PrintableNode {
  reportSyntax(node, translation);
  reportDropped(node, translation);
  const kept = node.children.filter(({ role }) => !DROPPED.has(role));
  const list = kept.filter(({ role }) => EARLY.has(role)).map((part) => translatePart(part, translation));
  const hasList = list.some(({ role }) => role === 'expressions');
  const star = hasList || child(node, 'from') === undefined ? [] : [as('expressions', build('Star'))];
  const rest = kept.filter(({ role }) => !EARLY.has(role)).map(translation.translate);
  return build('Select', [...list, ...star, ...rest, ...translateLimits(node, translation)]);
}

/** A condition in the list is shown as 1 or 0 where the source shows it so. */
function translatePart(part: SqlNode, translation: Translation): PrintableNode {
  if (part.role !== 'expressions') return translation.translate(part);
  if (part.type !== 'Alias') return asValue(part, translation);
  const value = child(part, 'this');
  const alias = child(part, 'alias');
  if (value === undefined || alias === undefined) return translation.translate(part);
  return as(
    'expressions',
    build('Alias', [as('this', asValue(value, translation)), translation.translate(alias)]),
  );
}

/** Locks change nothing of the result; INTO and samples do. */
function reportDropped(node: SqlNode, { unsupported, changed, to }: Translation): void {
  for (const part of node.children) {
    if (part.role === 'locks') changed('lock', part, 'rows are not locked');
    if (part.role === 'into') unsupported('syntax', part, 'INTO writes');
    if (part.role === 'sample') unsupported('syntax', part, `${to} has no such sample`);
  }
}

function translateSetOperation(node: SqlNode, translation: Translation): PrintableNode {
  reportSyntax(node, translation);
  reportDropped(node, translation);
  const { translate } = translation;
  const parts = node.children.flatMap((part): readonly PrintableNode[] => {
    if (DROPPED.has(part.role)) return [];
    return part.role === 'this' || part.role === 'expression'
      ? [translateOperand(part, translation)]
      : [translate(part)];
  });
  const { all } = node.flags;
  return build(node.type, [...parts, ...translateLimits(node, translation)], {
    flags: all === undefined ? {} : { all },
  });
}

const NO_VALUES: ReadonlySet<DialectName> = new Set(['bigquery']);

/** Rows are in brackets, with the word ROW before them in MySQL. */
function translateValues(node: SqlNode, translation: Translation): PrintableNode {
  const { to, unsupported, translate } = translation;
  const isQuery = node.parent === undefined || node.role !== 'this' || node.parent.type !== 'Subquery';
  if (NO_VALUES.has(to) || (to === 'snowflake' && isQuery)) {
    unsupported('syntax', node, `${to} has no VALUES here`);
  }
  const rows = childrenIn(node, 'expressions').map((row) => {
    const values = row.type === 'Tuple' ? row.children.map(translate) : [translate(row)];
    return as(
      'expressions',
      to === 'mysql' ? callNode('ROW', values) : build('Tuple', allAs('expressions', values)),
    );
  });
  const rest = node.children
    .filter(({ role }) => role !== 'expressions' && !DROPPED.has(role))
    .map(translate);
  return build('Values', [...rest, ...rows, ...translateLimits(node, translation)]);
}

const NEEDS_ALIAS: ReadonlySet<DialectName> = new Set(['mysql', 'postgres']);

/** Tables out of queries need a name in MySQL, and in PostgreSQL before version 16. */
function translateSubquery(node: SqlNode, translation: Translation): PrintableNode {
  const { to, tree, translate } = translation;
  reportDropped(node, translation);
  const kept = node.children.filter(({ role }) => !DROPPED.has(role)).map(translate);
  const parts = [...kept, ...translateLimits(node, translation)];
  const isTable = node.role === 'this' && (node.parent?.type === 'From' || node.parent?.type === 'Join');
  const isQuery = ['Select', 'Union', 'Intersect', 'Except', 'Values', 'Subquery'].includes(
    node.children[0]?.type ?? '',
  );
  if (!isTable || !isQuery || child(node, 'alias') !== undefined || !NEEDS_ALIAS.has(to))
    return build('Subquery', parts);
  const before = tree.nodes.filter(({ type, id }) => type === 'Subquery' && id <= node.id).length;
  const alias = build('TableAlias', [as('this', nameNode(`subquery_${before}`))]);
  return build('Subquery', [...parts, as('alias', alias)]);
}

/** SQLite and Snowflake do not need the word RECURSIVE. */
function translateWith(node: SqlNode, { translate }: Translation): PrintableNode {
  const isRecursive = node.flags.recursive !== undefined || node.children.some(readsItself);
  return build('With', node.children.map(translate), { flags: isRecursive ? { recursive: 'true' } : {} });
}

function readsItself(cte: SqlNode): boolean {
  const alias = child(cte, 'alias');
  const name = alias && child(alias, 'this')?.value?.toLowerCase();
  const body = child(cte, 'this');
  if (name === undefined || body === undefined) return false;
  return [...walk(body)].some(
    (table) =>
      table.type === 'Table' && child(table, 'this')?.value?.toLowerCase() === name && !child(table, 'db'),
  );
}

const HAS_MATERIALIZED: ReadonlySet<DialectName> = new Set(['sqlite', 'postgres', 'duckdb']);

/** The hint changes no result and is left out where it is not known. */
function translateCte(node: SqlNode, { to, translate, unsupported }: Translation): PrintableNode {
  const { materialized } = node.flags;
  const columns = child(node, 'alias')?.children.length ?? 0;
  if (columns > 1 && to === 'bigquery') unsupported('syntax', node, 'bigquery names no columns here');
  const flags = materialized !== undefined && HAS_MATERIALIZED.has(to) ? { materialized } : {};
  return build('CTE', node.children.map(translate), { flags });
}
