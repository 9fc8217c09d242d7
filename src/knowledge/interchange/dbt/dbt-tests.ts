/** What the tests of a dbt project promise: keys, links, allowed values. */

import type { DescribedLink } from '../conversion/described-model.ts';
import type { Loss } from '../foreign/conversion.ts';
import { type ForeignRecord, isEmpty, recordsIn } from '../foreign/foreign-record.ts';
import { isRecord } from '../foreign/lean-model.ts';
import type { DbtNode } from './dbt-project.ts';
import { columnOf, entitiesOf, type SemanticLayer } from './semantic-layer.ts';

interface DbtTest {
  /** With its package where it has one: `dbt_utils.unique_combination_of_columns`. */
  readonly name: string;
  readonly args: ForeignRecord;
  /** It holds for every row: no `where`, no tolerated failures. */
  readonly isFirm: boolean;
}

/** The tests of a model or column, under the key of either time. */
function testsOf(record: ForeignRecord): readonly DbtTest[] {
  return [record.data_tests, record.tests].flatMap((list) =>
    Array.isArray(list) ? list.flatMap(readTest) : [],
  );
}

/** `unique`, `{accepted_values: {values: […]}}`, and with `arguments` or `config` inside. */
function readTest(raw: unknown): DbtTest[] {
  if (typeof raw === 'string') return [{ name: raw, args: {}, isFirm: true }];
  if (!isRecord(raw)) return [];
  const named =
    typeof raw.test_name === 'string' ? raw.test_name : Object.keys(raw).find((key) => isRecord(raw[key]));
  if (named === undefined) return [];
  const inner = typeof raw.test_name === 'string' ? raw : raw[named];
  if (!isRecord(inner)) return [];
  const config: ForeignRecord = { ...inner, ...(isRecord(inner.config) ? inner.config : {}) };
  const isFirm =
    isEmpty(config.where) &&
    config.severity !== 'warn' &&
    isEmpty(config.warn_if) &&
    isEmpty(config.error_if);
  return [{ name: named, args: isRecord(inner.arguments) ? inner.arguments : inner, isFirm }];
}

export interface Keys {
  readonly primaryKey: readonly string[];
  readonly uniqueKeys: readonly (readonly string[])[];
}

/**
 * The keys of a table: a declared primary key, else a column tested `unique` and `not_null`, else a tested combination
 * of columns that are all `not_null`. Whatever else is unique is a unique key.
 */
export function keysOf(properties: ForeignRecord, columns: readonly ForeignRecord[]): Keys {
  const tested = (column: ForeignRecord, name: string): boolean =>
    testsOf(column).some((test) => test.isFirm && test.name === name);
  const names = (matching: readonly ForeignRecord[]): string[] =>
    matching.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  const notNull = new Set(names(columns.filter((column) => tested(column, 'not_null'))));
  const unique = [
    ...names(columns.filter((column) => tested(column, 'unique'))).map((name) => [name]),
    ...testsOf(properties).flatMap((test) => (test.isFirm ? combination(test) : [])),
  ];
  const declared = declaredKey(properties, columns);
  const primaryKey = declared ?? unique.find((key) => key.every((name) => notNull.has(name))) ?? [];
  const isPrimary = (key: readonly string[]): boolean => key.join('\n') === primaryKey.join('\n');
  return { primaryKey, uniqueKeys: unique.filter((key) => !isPrimary(key)) };
}

function combination({ name, args }: DbtTest): string[][] {
  if (name !== 'dbt_utils.unique_combination_of_columns') return [];
  const listed = args.combination_of_columns;
  return Array.isArray(listed) && listed.length > 0 && listed.every((item) => typeof item === 'string')
    ? [listed]
    : [];
}

/** A constraint of a model contract. */
function declaredKey(properties: ForeignRecord, columns: readonly ForeignRecord[]): string[] | undefined {
  for (const constraint of recordsIn(properties.constraints)) {
    const listed = constraint.columns;
    if (constraint.type !== 'primary_key' || !Array.isArray(listed) || listed.length === 0) continue;
    if (listed.every((item) => typeof item === 'string')) return listed;
  }
  const own = columns.find(({ constraints }) =>
    recordsIn(constraints).some(({ type }) => type === 'primary_key'),
  );
  return typeof own?.name === 'string' ? [own.name] : undefined;
}

/** The column of another table that every value of this column is found in. */
function relationshipsOf(column: ForeignRecord): readonly { readonly to: unknown; readonly field: string }[] {
  return testsOf(column).flatMap(({ name, args }) =>
    name === 'relationships' && typeof args.field === 'string' ? [{ to: args.to, field: args.field }] : [],
  );
}

/** The values a column may have, where a test lists them. */
export function acceptedValuesOf(column: ForeignRecord): readonly (string | number)[] {
  return testsOf(column).flatMap(({ name, args }) =>
    name === 'accepted_values' && Array.isArray(args.values)
      ? args.values.filter(
          (value): value is string | number => typeof value === 'string' || Number.isFinite(value),
        )
      : [],
  );
}

interface LinkPlace {
  /** Names of the datasets, in the order of the nodes. */
  readonly names: readonly string[];
  readonly layer: SemanticLayer;
  readonly find: (reference: unknown) => DbtNode | undefined;
  readonly losses: Loss[];
}

/** Links that tests of relationships and shared entities say; each once, since projects often say both. */
export function importLinks(nodes: readonly DbtNode[], place: LinkPlace): DescribedLink[] {
  const links = new Map<string, DescribedLink>();
  for (const link of [...testedLinks(nodes, place), ...entityLinks(place.layer)]) {
    const key = JSON.stringify([link.from, link.fromColumns, link.to, link.toColumns]).toLowerCase();
    if (!links.has(key)) links.set(key, link);
  }
  return [...links.values()];
}

function testedLinks(nodes: readonly DbtNode[], { names, find, losses }: LinkPlace): DescribedLink[] {
  const nameOf = new Map(nodes.map((node, index) => [node, names[index] ?? node.name]));
  return nodes.flatMap(({ properties, place }, index) =>
    recordsIn(properties.columns).flatMap((column) =>
      relationshipsOf(column).flatMap(({ to, field }): DescribedLink[] => {
        const target = find(to);
        if (target === undefined) {
          const what = `a link to ${String(to)}, which is not here`;
          losses.push({ kind: 'kept', place: `${place}.${String(column.name)}`, what });
          return [];
        }
        const [from = '', name = ''] = [names[index], nameOf.get(target)];
        return [{ from, to: name, fromColumns: [String(column.name)], toColumns: [field], synonyms: [] }];
      }),
    ),
  );
}

/** A foreign entity leads to the semantic model that has it as primary or unique. */
function entityLinks({ models }: SemanticLayer): DescribedLink[] {
  return models.flatMap((model) =>
    entitiesOf(model.record, ['foreign']).flatMap((entity) => {
      const column = columnOf(entity);
      if (column === undefined) return [];
      for (const target of models) {
        const key = entitiesOf(target.record, ['primary', 'unique']).find(({ name }) => name === entity.name);
        const keyColumn = key && columnOf(key);
        if (keyColumn === undefined || target === model) continue;
        return [
          {
            from: model.dataset,
            to: target.dataset,
            fromColumns: [column],
            toColumns: [keyColumn],
            synonyms: [],
          },
        ];
      }
      return [];
    }),
  );
}
