/** Names and their quotes. */

import type { DialectName } from '../../dialect.ts';
import { FORMS } from '../../print/dialect-forms.ts';
import type { PrintableNode } from '../../print/printable.ts';
import { ancestor, child, childrenIn, type SqlNode } from '../../tree/node.ts';
import { hasAggregate } from '../aggregate-types.ts';
import { as, build, callNode, nameNode, textNode } from '../built-node.ts';
import { copy } from '../copy-node.ts';
import { isTextName } from '../loose-values.ts';
import { isReserved } from '../reserved-words.ts';
import { reportSyntax } from '../syntax-limits.ts';
import type { Rules, Translation } from '../translation.ts';

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
  if (quoted !== undefined) return nameNode(name, FORMS[to].quote);
  if (!isReserved(name, to) && /^[\p{L}_][\p{L}\p{N}_$]*$/u.test(name)) return nameNode(name);
  return nameNode(FOLDS[to]?.(name) ?? name, FORMS[to].quote);
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
