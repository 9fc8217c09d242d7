import type { Catalog } from '../../../catalog/index.ts';
import { type SharedText, sharedSchemaText } from '../../../catalog/share/index.ts';
import type { Metric, SemanticModel } from '../../../knowledge/semantic/index.ts';
import { editContext } from '../context/edit-context.ts';
import { findRoute, tableOf } from '../inventory/find-route.ts';
import type { Inventory } from '../inventory/inventory.ts';
import type { BenchItem } from '../items/bench-item.ts';
import { makeDice } from '../items/seeded-random.ts';

/** Metrics and tables besides those that the question is about, so that what is due must be found. */
const OTHER_METRICS = 6;
const OTHER_TABLES = 2;
const MOST_VALUES = 12;

/** What is known where an item is asked, stored values among it. */
export interface PromptKnowledge {
  readonly schema: SharedText;
  /** Metrics, rules, stored values, and the query that failed where there is one. */
  readonly about: readonly { readonly title: string; readonly text: string }[];
}

/** The part of an item's edited context that its metric needs, with some of the rest beside it. */
export function promptKnowledge(item: BenchItem, inventory: Inventory): PromptKnowledge {
  const { semantics, catalog } = editContext(inventory, item.edits);
  const dice = makeDice(1, item.id);
  const metric = semantics.metrics.find(({ name }) => name === metricOf(item));
  const others = dice.shuffle(semantics.metrics.filter((each) => each !== metric)).slice(0, OTHER_METRICS);
  const metrics = dice.shuffle([...(metric === undefined ? [] : [metric]), ...others]);
  const tables = tablesOf(metric, semantics);
  const more = dice.shuffle(catalog.tables.filter(({ id }) => !tables.has(id))).slice(0, OTHER_TABLES);
  const shown = catalog.tables.filter((table) => tables.has(table.id) || more.includes(table));
  const { errorSql, errorMessage = '' } = item;
  return {
    schema: schemaText(shown, catalog),
    about: [
      { title: 'Metrics', text: metrics.map(metricText).join('\n') },
      { title: 'Rules', text: rulesText(semantics, item.now) },
      { title: 'Stored values', text: valuesText(item, semantics) },
      ...(errorSql === undefined
        ? []
        : [
            { title: 'Query that failed', text: errorSql },
            { title: 'What the engine said', text: errorMessage },
          ]),
    ],
  };
}

/** Tables of the metric and of every dimension it reaches. */
function tablesOf(metric: Metric | undefined, semantics: SemanticModel): ReadonlySet<string> {
  if (metric === undefined) return new Set();
  const names = metric.ratio === undefined ? [metric.name] : Object.values(metric.ratio);
  const parts = semantics.metrics.filter(({ name }) => names.includes(name));
  const tables = parts.flatMap((part) => [
    ...(part.table === undefined ? [] : [part.table]),
    ...semantics.dimensions.flatMap((dimension) => {
      const search = findRoute(part, dimension, semantics);
      return search.kind === 'route' ? search.route.map(({ to }) => tableOf(to, semantics)) : [];
    }),
  ]);
  return new Set(tables);
}

function schemaText(tables: Catalog['tables'], catalog: Catalog): SharedText {
  const ids = new Set(tables.map(({ id }) => id));
  const foreignKeys = catalog.foreignKeys.filter(
    ({ fromTable, toTable }) => ids.has(fromTable) && ids.has(toTable),
  );
  const part = { ...catalog, tables, foreignKeys };
  return sharedSchemaText(part, 'all', { style: 'xiyan', examplesPerColumn: 3 });
}

/** A demanded dimension stands above the calculation, where it cannot be overlooked. */
function metricText(metric: Metric): string {
  const { name, synonyms, description, expression, ratio, filters, mandatoryDimensions, timeColumn } = metric;
  return [
    `## ${name}`,
    ...(synonyms.length > 0 ? [`also: ${synonyms.join(', ')}`] : []),
    ...(mandatoryDimensions.length > 0 ? [`needs: ${mandatoryDimensions.join(', ')}`] : []),
    ...(description === undefined ? [] : [description]),
    ratio === undefined ? `= ${expression ?? ''}` : `= ${ratio.numerator} / ${ratio.denominator}`,
    ...(filters.length > 0 ? [`where ${filters.join(' AND ')}`] : []),
    ...(timeColumn === undefined ? [] : [`dated by ${timeColumn}`]),
  ].join('\n');
}

function rulesText({ timeRules, datasets, vagueTerms, jargon }: SemanticModel, now: string): string {
  return [
    `Today is ${now}.`,
    timeRules.defaultWindow === 'current-year'
      ? 'Where a question about a dated metric names no period, it means the current year.'
      : 'Where a question names no period, it means all of it.',
    timeRules.excludesToday
      ? '“Last 7 days” and “to date” end yesterday.'
      : '“Last 7 days” and “to date” end today.',
    `The fiscal year starts in month ${timeRules.fiscalYearStartMonth}; weeks start on ${timeRules.weekStart}.`,
    ...datasets.flatMap(({ table, defaultFilter }) =>
      defaultFilter === undefined ? [] : [`Whatever reads ${table} keeps only ${defaultFilter.sql}.`],
    ),
    ...vagueTerms.map(({ term, options }) => `“${term}” must be asked about: ${options.join(', ')}.`),
    ...jargon.map(({ term, meaning }) => `${term} means ${meaning}.`),
  ].join('\n');
}

/** The values of the question first, then others of the mapped columns. */
function valuesText({ entities }: BenchItem, { dimensions, valueMappings }: SemanticModel): string {
  const own = entities.flatMap((entity) => {
    const at = entity.indexOf('=');
    const column = dimensions.find(({ name }) => name === entity.slice(0, at))?.column;
    return column === undefined ? [] : [`${column} = ${entity.slice(at + 1)}`];
  });
  const mapped = valueMappings.map(
    ({ column, value, surface }) => `${surface.join(', ')}: ${column} = ${value}`,
  );
  const lines = [...new Set([...own, ...mapped])].slice(0, own.length + MOST_VALUES);
  return lines.length === 0 ? '(none)' : lines.join('\n');
}

/** The metric that an item was made of: its template names it. */
function metricOf({ templateId }: Pick<BenchItem, 'templateId'>): string {
  return templateId.split('|')[1] ?? '';
}
