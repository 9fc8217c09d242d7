import { distinctWords } from '../conversion/model-from-description.ts';
import { distinctName } from '../conversion/names.ts';
import { blocks, withoutUndefined } from '../conversion/vendor-block.ts';
import type { Loss } from '../foreign/conversion.ts';
import { type ForeignRecord, recordsIn, textOf } from '../foreign/foreign-record.ts';
import { expressionIn, type LeanMetric } from '../foreign/lean-model.ts';
import { ratioIn, rewriteColumns } from '../foreign/sql-expression.ts';
import { DBT_VENDOR, type Placed } from './dbt-project.ts';
import {
  filterTexts,
  measureSql,
  readFilter,
  resolveFilterName,
  type SemanticLayer,
  type SemanticModel,
  timeColumnOf,
} from './semantic-layer.ts';
import { readSpoken, synonymsIn } from './spoken-words.ts';

/** A metric that a table of ours can answer. */
interface TableHome {
  readonly kind: 'table';
  readonly model: SemanticModel;
  readonly sql: string;
  readonly filters: readonly string[];
  readonly timeColumn: string | undefined;
}
type AnswerableHome = Exclude<Home, { readonly kind: 'none' }>;
type Home =
  | TableHome
  | { readonly kind: 'ratio'; readonly numerator: string; readonly denominator: string; readonly sql: string }
  | { readonly kind: 'none'; readonly why: string };

/** Metrics of metrics of metrics: deeper than this nobody can follow. */
const MOST_ROUNDS = 5;
/** Metrics that name each other twice grow fast. */
const LONGEST_SQL = 20_000;

export interface ImportedMetrics {
  readonly metrics: readonly LeanMetric[];
  /** Metrics without a place with us, each with where it stood in the list. */
  readonly kept: readonly { readonly at: number; readonly item: ForeignRecord }[];
}

/**
 * Metrics over one table and ratios of two of them. Cumulative and conversion metrics, offsets, and filters on other
 * tables have no place with us: half a definition would be a wrong figure, so these are kept whole.
 */
export function importMetrics(
  metrics: readonly Placed[],
  layer: SemanticLayer,
  losses: Loss[],
): ImportedMetrics {
  const homes = new Map<string, Home>();
  const kept: { at: number; item: ForeignRecord }[] = [];
  // A metric of others may stand before them.
  for (let round = 0; round < MOST_ROUNDS; round += 1)
    for (const { record } of metrics) {
      const found = homes.get(record.name);
      if (found === undefined || found.kind === 'none')
        homes.set(record.name, homeOf(record, { layer, homes }));
    }
  const taken = new Set<string>();
  const named = new Map<string, string>();
  const answerable = metrics.flatMap(({ record, place }, at) => {
    const home = homes.get(record.name) ?? { kind: 'none', why: 'not understood' };
    const isSecond = named.has(record.name);
    if (home.kind !== 'none' && !isSecond) {
      const spoken = readSpoken(record.name, textOf(record.label));
      named.set(record.name, distinctName([spoken, record.name], taken));
      return [{ record, home }];
    }
    const why = home.kind === 'none' ? home.why : 'a metric of this name stands there already';
    losses.push({ kind: 'kept', place, what: `metric ${record.name} takes no part in questions: ${why}` });
    kept.push({ at, item: record });
    return [];
  });
  const words = new Set([...named.values()].map((name) => name.toLowerCase()));
  return { metrics: answerable.map(({ record, home }) => metric(record, home, { named, words })), kept };
}

interface MetricNames {
  readonly named: ReadonlyMap<string, string>;
  /** Words that stand for a metric already, in lower case. */
  readonly words: Set<string>;
}

function metric(
  record: ForeignRecord & { name: string },
  home: AnswerableHome,
  { named, words }: MetricNames,
): LeanMetric {
  const name = named.get(record.name) ?? record.name;
  const label = textOf(record.label);
  const synonyms = distinctWords([label === name ? '' : label, ...synonymsIn(record)], [...words]);
  for (const word of synonyms) words.add(word.toLowerCase());
  const nameOf = (other: string): string => named.get(other) ?? other;
  const parts =
    home.kind === 'ratio'
      ? { numerator: nameOf(home.numerator), denominator: nameOf(home.denominator) }
      : undefined;
  const own =
    home.kind === 'table'
      ? {
          table: home.model.table.table,
          filters: home.filters.length === 0 ? undefined : home.filters,
          time_column:
            home.timeColumn === undefined ? undefined : `${home.model.table.table}.${home.timeColumn}`,
        }
      : { ratio: parts };
  return withoutUndefined({
    name,
    expression: expressionIn(home.sql),
    description: textOf(record.description),
    ai_context: synonyms.length === 0 ? undefined : { synonyms },
    custom_extensions: blocks({ CANDOR: own, [DBT_VENDOR]: { metric: record } }),
  });
}

interface Known {
  readonly layer: SemanticLayer;
  readonly homes: ReadonlyMap<string, Home>;
}

function homeOf(record: ForeignRecord, known: Known): Home {
  const parameters = recordsIn([record.type_params])[0] ?? {};
  switch (record.type) {
    case 'simple':
      return simpleHome(record, parameters, known);
    case 'ratio':
      return ratioHome(record, parameters, known);
    case 'derived':
      return derivedHome(record, parameters, known);
    default:
      return { kind: 'none', why: `it is of the type ${String(record.type)}` };
  }
}

function none(why: string): Home {
  return { kind: 'none', why };
}

function simpleHome(record: ForeignRecord, parameters: ForeignRecord, { layer }: Known): Home {
  const given = parameters.measure;
  const input = recordsIn([given])[0] ?? {};
  const measure = layer.measures.get(textOf(given) ?? String(input.name));
  if (measure === undefined) return none('its measure is not there');
  if (measure.record.non_additive_dimension !== undefined)
    return none('its measure does not add up over time');
  if (input.join_to_timespine === true || input.fill_nulls_with !== undefined)
    return none('days without rows would have to count');
  const sql = measureSql(measure);
  if (sql === undefined) return none('its measure is not understood');
  const filters = readFilters([input.filter, record.filter], measure.model);
  if (typeof filters === 'string') return none(filters);
  return { kind: 'table', model: measure.model, sql, filters, timeColumn: timeColumnOf(measure) };
}

/** Conditions over `table.column`, or why there are none. */
function readFilters(given: readonly unknown[], model: SemanticModel): string[] | string {
  const texts = given.map(filterTexts);
  if (texts.includes(undefined)) return 'its filter is not a text';
  const filters: string[] = [];
  for (const text of texts.flatMap((list) => list ?? [])) {
    const result = readFilter(text, (name) => resolveFilterName(name, model));
    if (!result.ok) return result.why;
    // A bare column could be of any table that the query joins.
    const sql = rewriteColumns(result.sql, (parts) => (parts.length === 2 ? parts.join('.') : undefined));
    if (sql === undefined) return 'its filter is not understood';
    filters.push(result.sql);
  }
  return filters;
}

/** The name of an input metric that is taken as it is, without filter or offset of its own. */
function plainInput(input: unknown): string | undefined {
  if (typeof input === 'string') return input;
  const record = recordsIn([input])[0];
  const others = Object.keys(record ?? {}).filter((key) => key !== 'name' && key !== 'alias');
  return others.length === 0 ? textOf(record?.name) : undefined;
}

function ratioHome(record: ForeignRecord, parameters: ForeignRecord, { homes }: Known): Home {
  if (filterTexts(record.filter)?.length !== 0) return none('it filters both parts of a ratio');
  const [numerator, denominator] = [plainInput(parameters.numerator), plainInput(parameters.denominator)];
  if (numerator === undefined || denominator === undefined)
    return none('a part of it has a filter of its own');
  return ratio(numerator, denominator, homes);
}

/** For a ratio the SQL is what other tools read; we divide the two metrics. */
function ratio(numerator: string, denominator: string, homes: Known['homes']): Home {
  const [above, below] = [homes.get(numerator), homes.get(denominator)];
  if (above?.kind !== 'table' || below?.kind !== 'table')
    return none('a part of it is no metric of one table');
  return { kind: 'ratio', numerator, denominator, sql: `${above.sql} / ${below.sql}` };
}

function derivedHome(record: ForeignRecord, parameters: ForeignRecord, { homes }: Known): Home {
  const expr = textOf(parameters.expr);
  const inputs = Array.isArray(parameters.metrics) ? parameters.metrics : [];
  if (expr === undefined || inputs.length === 0) return none('it has no expression');
  const names = new Map<string, string>();
  for (const input of inputs) {
    const name = plainInput(input);
    if (name === undefined) return none('an input of it has a filter or an offset');
    names.set(textOf(recordsIn([input])[0]?.alias) ?? name, name);
  }
  const parts = [...names.values()].map((name) => homes.get(name));
  const tables = parts.filter((part): part is TableHome => part?.kind === 'table');
  if (tables.length < parts.length) return none('an input of it is no metric of one table');
  const hasFilter = filterTexts(record.filter)?.length !== 0;
  const sides = hasFilter ? undefined : ratioIn(expr);
  const [above, below] = [names.get(sides?.numerator ?? ''), names.get(sides?.denominator ?? '')];
  if (above !== undefined && below !== undefined) return ratio(above, below, homes);
  const [first] = tables;
  if (first === undefined || !tables.every((table) => isSameHome(table, first)))
    return none('its inputs differ in their tables, filters or times');
  const sqls = new Map([...names].map(([word, name]) => [word, homes.get(name)]));
  const sql = rewriteColumns(expr, (word) => {
    const home = word.length === 1 ? sqls.get(word[0] ?? '') : undefined;
    return home?.kind === 'table' ? `(${home.sql})` : undefined;
  });
  if (sql === undefined || sql.length > LONGEST_SQL) return none('its expression is not understood');
  const filters = readFilters([record.filter], first.model);
  if (typeof filters === 'string') return none(filters);
  return { ...first, sql, filters: [...first.filters, ...filters] };
}

function isSameHome(a: TableHome, b: TableHome): boolean {
  return (
    a.model === b.model && a.timeColumn === b.timeColumn && a.filters.join('\n') === b.filters.join('\n')
  );
}
