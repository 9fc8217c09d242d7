import { carried, type ForeignRecord, isEmpty } from '../foreign-record.ts';
import { isRecord } from '../lean-model.ts';

/** What a build adds to an entry of the manifest. */
const BUILT = new Set([
  'created_at',
  'depends_on',
  'fqn',
  'input_measures',
  'input_metrics',
  'metadata',
  'metric_aggregation_params',
  'node_relation',
  'original_file_path',
  'package_name',
  'path',
  'refs',
  'relation_name',
  'resource_type',
  'root_path',
  'source_meta',
  'sources',
  'unique_id',
  'unrendered_config',
  'metrics_depended_on',
]);
/** The metric inputs of a metric stand below this; at the top of an entry it is what a build adds. */
const WINDOWS = new Set(['window', 'offset_window', 'conversion_window']);
const PLAIN_DEFAULTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['is_partition', false],
  ['join_to_timespine', false],
  ['create_metric', false],
  ['enabled', true],
  ['use_discrete_percentile', false],
  ['use_approximate_percentile', false],
]);

/**
 * An entry of the manifest (semantic model, metric, exposure, …) in the form people write it in YAML: without what the
 * build has added, without what is empty or a default, filters as the text of their conditions, windows as `7 days`.
 */
export function plainEntry(raw: unknown): unknown {
  return carried(plain(raw, true));
}

function plain(value: unknown, isTop: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item, false));
  if (!isRecord(value)) return value;
  const filters = filterTexts(value);
  if (filters !== undefined) return filters;
  const entries = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    if (isTop && BUILT.has(key)) return [];
    if (key === 'input_measures' || key === 'metadata') return [];
    if (PLAIN_DEFAULTS.get(key) === item) return [];
    const inner = WINDOWS.has(key) ? windowText(item) : plain(item, false);
    return isEmpty(inner) ? [] : [[key, inner]];
  });
  const kept: ForeignRecord = Object.fromEntries(entries);
  // `measure: {name: orders}` says no more than `measure: orders`.
  return !isTop && Object.keys(kept).length === 1 && 'name' in kept && 'alias' in value ? kept.name : kept;
}

/** `{where_filters: [{where_sql_template: …}]}`: one condition is a text, several are a list. */
function filterTexts({ where_filters: filters }: ForeignRecord): unknown {
  if (!Array.isArray(filters)) return undefined;
  const texts = filters.flatMap((filter: unknown) =>
    isRecord(filter) && typeof filter.where_sql_template === 'string' ? [filter.where_sql_template] : [],
  );
  return texts.length === 1 ? texts[0] : texts;
}

function windowText(window: unknown): unknown {
  if (!isRecord(window) || typeof window.granularity !== 'string') return plain(window, false);
  return `${String(window.count)} ${window.granularity}`;
}
