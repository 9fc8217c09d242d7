/** Compares a semantic model with itself and with a catalog: every name in it must mean something. */

import type { Catalog } from '../../catalog/schema/catalog.ts';
import { nearestNames } from '../../language/index.ts';
import { bindSamples, checkRestriction } from '../../sql/rewrite/index.ts';
import { columnsInSql } from './check-semantic-sql.ts';
import { findDatasetTable } from './find-dataset-table.ts';
import type { Dataset, Dimension, Metric, SemanticModel } from './semantic-model.ts';

/**
 * All problems of the model as sentences, each with the nearest names that do exist; none when it fits the
 * catalog. SQL fragments are checked for the columns they name, not for their grammar.
 */
export function checkSemanticModel(model: SemanticModel, catalog: Catalog): readonly string[] {
  const check = new ModelCheck(model, catalog);
  return [
    ...check.datasets(),
    ...check.relationships(),
    ...model.metrics.flatMap((metric) => check.metric(metric)),
    ...model.dimensions.flatMap((dimension) => check.dimension(dimension)),
    ...check.fields(),
    ...check.valueMappings(),
    ...checkDuplicates(model),
  ];
}

/** The names that exist, looked up once. Lives for one check. */
class ModelCheck {
  readonly #model: SemanticModel;
  readonly #tables: readonly string[];
  readonly #columns: ReadonlySet<string>;
  readonly #catalog: Catalog;
  readonly #dimensions: readonly string[];
  readonly #metrics: readonly string[];
  readonly #relationships: readonly string[];

  constructor(model: SemanticModel, catalog: Catalog) {
    this.#model = model;
    this.#catalog = catalog;
    this.#tables = catalog.tables.map((table) => table.id);
    this.#columns = new Set(catalog.tables.flatMap((table) => table.columns.map((column) => column.id)));
    this.#dimensions = model.dimensions.map((dimension) => dimension.name);
    this.#metrics = model.metrics.map((metric) => metric.name);
    this.#relationships = model.relationships.map((relationship) => relationship.name);
  }

  datasets(): string[] {
    return this.#model.datasets.flatMap((dataset) => {
      const where = `dataset ${dataset.name}`;
      return [
        ...this.#table(where, dataset.table),
        ...dataset.primaryKey.flatMap((column) => this.#column(where, column, dataset.table)),
        ...this.#sql(where, dataset.defaultFilter?.sql, dataset.table),
        ...this.#column(where, dataset.timeColumn, dataset.table),
        ...this.#column(where, dataset.displayColumn, dataset.table),
        ...this.#policy(where, dataset),
      ];
    });
  }

  /** Row filter and masks name columns of their table alone, so that they are read with it. */
  #policy(where: string, dataset: Dataset): string[] {
    const { table: name, rowFilter, columnMasks = {}, isTrustedView } = dataset;
    const masks = Object.entries(columnMasks);
    if (rowFilter === undefined && masks.length === 0 && isTrustedView !== true) return [];
    const table = findDatasetTable(dataset, this.#catalog);
    if (table === undefined) return [`${where}: ${dataset.source ?? name} means no table, or more than one.`];
    const { dialect } = this.#catalog;
    const keyed = masks.map(([column, mask]) => [`${table.id}${column.slice(name.length)}`, mask] as const);
    const unknown = keyed.flatMap(([column]) => this.#column(where, column, table.id));
    if (unknown.length > 0) return unknown;
    const bind = (sql: string): string => bindSamples(sql, dialect);
    const problem = checkRestriction(
      { filter: rowFilter && bind(rowFilter), masks: new Map(keyed.map(([id, mask]) => [id, bind(mask)])) },
      { table, dialect, schema: this.#catalog },
    );
    return [
      ...(problem === undefined ? [] : [`${where}: ${problem}.`]),
      ...(isTrustedView === true && table.ownsRows === true
        ? [
            `${where}: ${table.id} shows rows of its own alone; trusted_view is for views and tables that show others.`,
          ]
        : []),
    ];
  }

  relationships(): string[] {
    return this.#model.relationships.flatMap((link) => {
      const where = `relationship ${link.name}`;
      return [
        ...this.#table(where, link.from),
        ...this.#table(where, link.to),
        ...link.fromColumns.flatMap((column) => this.#column(where, column, link.from)),
        ...link.toColumns.flatMap((column) => this.#column(where, column, link.to)),
      ];
    });
  }

  metric(metric: Metric): string[] {
    const where = `metric ${metric.name}`;
    const { table, ratio } = metric;
    const conditions = metric.conditionalFilters;
    return [
      ...this.#table(where, table),
      ...this.#sql(where, metric.expression, table),
      ...metric.filters.flatMap((filter) => this.#sql(where, filter, table)),
      ...conditions.flatMap((item) =>
        [item.then, item.otherwise].flatMap((sql) => this.#sql(where, sql, table)),
      ),
      ...this.#column(where, metric.timeColumn, table),
      ...(ratio === undefined ? [] : this.#ratio(where, ratio)),
      ...[...metric.mandatoryDimensions, ...conditions.flatMap((item) => item.whenDimensions)].flatMap(
        (name) => known(where, 'dimension', name, this.#dimensions),
      ),
    ];
  }

  dimension(dimension: Dimension): string[] {
    const where = `dimension ${dimension.name}`;
    const via = Object.entries(dimension.via ?? {});
    return [
      ...this.#table(where, dimension.table),
      ...this.#column(where, dimension.column, dimension.table),
      ...(dimension.parent === undefined
        ? []
        : known(where, 'dimension', dimension.parent, this.#dimensions)),
      ...via.flatMap(([table, link]) => [
        ...this.#table(where, table),
        ...known(where, 'relationship', link, this.#relationships),
      ]),
    ];
  }

  fields(): string[] {
    return (this.#model.fields ?? []).flatMap(({ name, table, column }) =>
      this.#column(`field ${name}`, column, table),
    );
  }

  valueMappings(): string[] {
    return this.#model.valueMappings.flatMap((mapping) =>
      this.#column(`value mapping ${mapping.surface[0] ?? mapping.value}`, mapping.column),
    );
  }

  #ratio(where: string, ratio: { readonly numerator: string; readonly denominator: string }): string[] {
    return [ratio.numerator, ratio.denominator].flatMap((name) => {
      const part = this.#model.metrics.find((metric) => metric.name === name);
      if (part === undefined) return known(where, 'metric', name, this.#metrics);
      return part.ratio === undefined
        ? []
        : [`${where}: ${name} is a ratio itself; a ratio needs two plain metrics.`];
    });
  }

  #table(where: string, table: string | undefined): string[] {
    return table === undefined ? [] : known(where, 'table', table, this.#tables);
  }

  #column(where: string, column: string | undefined, table?: string): string[] {
    if (column === undefined) return [];
    if (table !== undefined && !column.startsWith(`${table}.`)) {
      return [`${where}: ${column} is not a column of ${table}.`];
    }
    if (this.#columns.has(column)) return [];
    const [owner = ''] = column.split('.');
    // An unknown table is reported once, by itself.
    if (table !== undefined && !this.#tables.includes(table)) return [];
    const siblings = this.#catalog.tables.find((item) => item.id === owner)?.columns.map((item) => item.id);
    return known(where, 'column', column, siblings ?? this.#columns);
  }

  #sql(where: string, sql: string | undefined, table: string | undefined): string[] {
    return columnsInSql(sql ?? '').flatMap((column) => this.#column(where, column, table));
  }
}

function known(where: string, kind: string, name: string, names: Iterable<string>): string[] {
  const all = [...names];
  if (all.includes(name)) return [];
  const nearest = nearestNames(name, all, 3);
  return [
    `${where}: unknown ${kind} ${name}${nearest.length === 0 ? '' : `; nearest: ${nearest.join(', ')}`}.`,
  ];
}

/**
 * Names that stand twice. Two dimensions may share a synonym (the province of a dealer, the province of a
 * registration): the metric decides which can be reached. Two metrics may not: nothing could tell them apart.
 */
function checkDuplicates(model: SemanticModel): string[] {
  const words = (items: readonly { name: string; synonyms: readonly string[] }[]): string[] =>
    items.flatMap((item) => [...new Set([item.name, ...item.synonyms].map((word) => word.toLowerCase()))]);
  return [
    ...repeated(
      'dataset',
      model.datasets.map((item) => item.name),
    ),
    ...repeated(
      'relationship',
      model.relationships.map((item) => item.name),
    ),
    ...repeated(
      'dimension',
      model.dimensions.map((item) => item.name),
    ),
    ...repeated('metric word', words(model.metrics)),
    ...repeated(
      'jargon',
      model.jargon.map((item) => item.term),
    ),
    ...repeated(
      'vague term',
      model.vagueTerms.map((item) => item.term),
    ),
    ...repeated(
      'value mapping',
      model.valueMappings.flatMap((item) =>
        item.surface.map((word) => `${word.toLowerCase()} of ${item.column}`),
      ),
    ),
  ];
}

function repeated(kind: string, names: readonly string[]): string[] {
  const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [...twice].map((name) => `${kind} ${name} stands twice.`);
}
