/** Values that a semantic model speaks of and that are stored nowhere: no name is wrong, and nothing is found. */

import { allValues, type Catalog, type Column } from '../../catalog/index.ts';
import { nearestNames } from '../../language/index.ts';
import { significantTokens, withoutQuotes } from '../../sql/dialects/index.ts';
import { lexSql } from '../../sql/index.ts';
import { findDatasetTable } from './find-dataset-table.ts';
import type { SemanticModel } from './semantic-model.ts';

/** A column and a value that it is said to have. */
interface Said {
  readonly owner: string;
  readonly column: string;
  readonly value: string;
}

/**
 * Sentences about mappings and conditions over values that their column does not have, with the nearest that it has. Only of columns all values of
 * which are known; a value may yet come, so that these are warnings.
 */
export function checkSemanticValues(model: SemanticModel, catalog: Catalog): readonly string[] {
  const tables = new Map(
    model.datasets.map((dataset) => [dataset.table, findDatasetTable(dataset, catalog)?.id ?? dataset.table]),
  );
  const columns = new Map(
    catalog.tables.flatMap((table) => table.columns.map((one) => [one.id, one] as const)),
  );
  const columnOf = (written: string): Column | undefined => {
    const dot = written.lastIndexOf('.');
    const table = written.slice(0, dot);
    return columns.get(`${tables.get(table) ?? table}${written.slice(dot)}`);
  };
  return [...new Set(saidBy(model).flatMap((said) => sentenceOf(said, columnOf(said.column), catalog)))];
}

function saidBy(model: SemanticModel): readonly Said[] {
  const mapped = model.valueMappings.map(({ column, value, surface }) => ({
    ...{ owner: `value mapping ${surface[0] ?? value}`, column, value: String(value) },
  }));
  const filters = model.datasets.flatMap(({ name, defaultFilter }) =>
    comparedIn(`dataset ${name}`, defaultFilter?.sql),
  );
  const metrics = model.metrics.flatMap((metric) =>
    [
      metric.expression,
      ...metric.filters,
      ...metric.conditionalFilters.flatMap(({ then, otherwise }) => [then, otherwise]),
    ].flatMap((sql) => comparedIn(`metric ${metric.name}`, sql)),
  );
  return [...mapped, ...filters, ...metrics];
}

/** `t.c = 'v'` and `t.c IN ('v', 'w')`; what is excluded need not be there. */
function comparedIn(owner: string, sql = ''): readonly Said[] {
  const tokens = significantTokens(lexSql(sql, 'sqlite'));
  const isText = (at: number): boolean => tokens[at]?.kind === 'text' || tokens[at]?.kind === 'number';
  return tokens.flatMap(({ kind, text }, at) => {
    const [dot, column, operator] = tokens.slice(at + 1, at + 4);
    if (kind !== 'word' || dot?.text !== '.' || column?.kind !== 'word') return [];
    const places: number[] = [];
    if (operator?.text === '=' && isText(at + 4)) places.push(at + 4);
    if (operator?.text.toUpperCase() === 'IN' && tokens[at + 4]?.text === '(')
      for (let next = at + 5; isText(next); next += 2) places.push(next);
    return places.map((place) => ({
      ...{
        owner,
        column: `${text}.${column.text}`.toLowerCase(),
        value: writtenValue(tokens[place]?.text ?? ''),
      },
    }));
  });
}

function writtenValue(literal: string): string {
  return literal.startsWith("'") ? withoutQuotes(literal) : literal;
}

function sentenceOf(
  { owner, value }: Said,
  column: Column | undefined,
  { dialect }: Catalog,
): readonly string[] {
  if (column === undefined || !isMissing(value, column, dialect)) return [];
  const nearest = nearestNames(value, allValues(column) ?? [], 3);
  return [
    `${owner}: ${column.id} has no value ${value}${nearest.length === 0 ? '' : `; nearest: ${nearest.join(', ')}`}.`,
  ];
}

/** All values of the column are known, and it is none of them. Times and booleans are written in many ways: of them nothing is said. */
export function isMissing(value: string, column: Column, dialect: Catalog['dialect']): boolean {
  const { family, profile } = column;
  const isCompared =
    family === 'number' || (family === 'text' && profile?.pattern?.startsWith('iso-') !== true);
  const stored = isCompared ? allValues(column) : undefined;
  const key = (text: string): string => {
    if (family === 'number') return String(Number(text));
    // MySQL and MariaDB compare texts without their case.
    return dialect === 'mysql' ? text.toLowerCase() : text;
  };
  return stored !== undefined && !stored.some((one) => key(one) === key(value));
}
