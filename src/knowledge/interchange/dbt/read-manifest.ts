import { z } from 'zod';
import type { ForeignFile, Loss } from '../foreign/conversion.ts';
import { openForeign } from '../foreign/foreign-document.ts';
import {
  accept,
  carried,
  type ForeignRecord,
  isEmpty,
  textOf,
  withoutEmpty,
} from '../foreign/foreign-record.ts';
import { isRecord } from '../foreign/lean-model.ts';
import {
  type CatalogColumn,
  type DbtKind,
  type DbtNode,
  type DbtProject,
  type Placed,
  writeReference,
} from './dbt-project.ts';

/** Versions of the manifest whose shape is known. */
const VERSIONS = { first: 9, last: 12 };
const KINDS: ReadonlySet<string> = new Set(['model', 'seed', 'snapshot']);
/** Keys that a node has in the manifest as people write them in YAML. */
const PROPERTY_KEYS = [
  'description',
  'group',
  'access',
  'constraints',
  'deprecation_date',
  'latest_version',
  'version',
];
const SOURCE_KEYS = ['source_description', 'loader'];

const TEXT = z.string().nullish();
const MANIFEST = z.looseObject({
  metadata: z.looseObject({ dbt_schema_version: TEXT, project_name: TEXT }).nullish(),
  nodes: z.record(z.string(), z.unknown(), 'expected `nodes`, as target/manifest.json has them'),
});
const NODE = z.looseObject({
  resource_type: z.string(),
  name: z.string().trim().min(1),
  database: TEXT,
  schema: TEXT,
  alias: TEXT,
  identifier: TEXT,
  source_name: TEXT,
  columns: z.record(z.string(), z.unknown()).nullish(),
  config: z.looseObject({ materialized: TEXT }).nullish(),
});
const TEST = z.looseObject({
  attached_node: TEXT,
  column_name: TEXT,
  test_metadata: z.looseObject({
    name: z.string(),
    namespace: TEXT,
    kwargs: z.looseObject({ column_name: TEXT }).nullish(),
  }),
  config: z.looseObject({}).nullish(),
  depends_on: z.looseObject({ nodes: z.array(z.string()).nullish() }).nullish(),
});
const NAMED = z.looseObject({ name: z.string().trim().min(1) });
const CATALOG = z.looseObject({
  nodes: z.record(z.string(), z.unknown(), 'expected `nodes`, as target/catalog.json has them'),
});
const CATALOG_NODE = z.looseObject({
  columns: z.record(
    z.string(),
    z.looseObject({ name: TEXT, type: TEXT, index: z.number().nullish(), comment: TEXT }),
  ),
});

/** A test as YAML writes it, with the column it is for. */
interface AttachedTest {
  readonly column?: string;
  readonly raw: unknown;
}

/** A project from `target/manifest.json`, its columns and types from `target/catalog.json` where that is given. */
export function readManifest(
  file: ForeignFile,
  catalogFile: ForeignFile | undefined,
  losses: Loss[],
): DbtProject {
  const document = openForeign(file);
  const manifest = document.check(MANIFEST, document.value, []);
  checkVersion(textOf(manifest.metadata?.dbt_schema_version), file.path, losses);
  const catalog = catalogFile === undefined ? undefined : readCatalog(catalogFile, losses);
  const tests = readTests(manifest.nodes, losses);
  const entries = [...Object.entries(manifest.nodes), ...entriesOf(manifest.sources)];
  const nodes = entries.flatMap(([id, raw]) => {
    if (!isRecord(raw) || !(KINDS.has(String(raw.resource_type)) || raw.resource_type === 'source'))
      return [];
    const node = readNode(id, raw, tests.get(id) ?? [], losses);
    if (node === undefined) return [];
    const columns = catalog?.get(id);
    if (catalog !== undefined && columns === undefined)
      losses.push({
        kind: 'approximated',
        place: node.place,
        what: 'not in the catalog; columns as documented',
      });
    return [columns === undefined ? node : { ...node, catalog: columns }];
  });
  const names = new Map(nodes.map((node) => [node.place, node]));
  const others = Object.fromEntries(
    ['exposures', 'saved_queries', 'groups'].flatMap((key): [string, unknown[]][] => {
      const list = entriesOf(manifest[key]).flatMap(([id, raw]) => carriedEntry(id, raw, names));
      if (list.length === 0) return [];
      const what = `${list.length} ${key} are carried along; there is nothing like them here`;
      losses.push({ kind: 'kept', place: key, what });
      return [[key, list]];
    }),
  );
  return {
    name: textOf(manifest.metadata?.project_name) ?? 'dbt',
    nodes,
    semanticModels: entriesOf(manifest.semantic_models).flatMap(([id, raw]) => placed(id, raw, losses)),
    metrics: entriesOf(manifest.metrics).flatMap(([id, raw]) => placed(id, raw, losses)),
    others,
  };
}

function checkVersion(schema: string | undefined, path: string, losses: Loss[]): void {
  const version = Number(/\/v(\d{1,4})\.json$/.exec(schema ?? '')?.[1] ?? Number.NaN);
  if (version >= VERSIONS.first && version <= VERSIONS.last) return;
  const said = Number.isNaN(version) ? 'a manifest without a version' : `version ${version} of the manifest`;
  const what = `${said}; known are v${VERSIONS.first} to v${VERSIONS.last}, and it is read as the last of them`;
  losses.push({ kind: 'approximated', place: path, what });
}

function entriesOf(value: unknown): readonly [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}

function placed(id: string, raw: unknown, losses: Loss[]): Placed[] {
  const record = accept(NAMED, plainEntry(raw), id, losses);
  return record === undefined ? [] : [{ record, place: id }];
}

/** An exposure, saved query or group as YAML writes it: what the build has added is left out. */
function carriedEntry(id: string, raw: unknown, nodes: ReadonlyMap<string, DbtNode>): unknown[] {
  const plain = plainEntry(raw);
  if (!isRecord(plain) || !isRecord(raw)) return [{ name: id }];
  const ids = isRecord(raw.depends_on) && Array.isArray(raw.depends_on.nodes) ? raw.depends_on.nodes : [];
  const references = ids.flatMap((item: unknown) => {
    const node = nodes.get(String(item));
    return node === undefined ? [] : [writeReference(node)];
  });
  return [id.startsWith('exposure.') ? { ...plain, ...withoutEmpty({ depends_on: references }) } : plain];
}

function readNode(
  id: string,
  raw: ForeignRecord,
  tests: readonly AttachedTest[],
  losses: Loss[],
): DbtNode | undefined {
  const node = accept(NODE, raw, id, losses);
  if (node === undefined) return undefined;
  if (node.config?.materialized === 'ephemeral') {
    losses.push({ kind: 'dropped', place: id, what: 'an ephemeral model has no table to ask' });
    return undefined;
  }
  const isSource = node.resource_type === 'source';
  const table = textOf(node.identifier) ?? textOf(node.alias) ?? node.name;
  const relation = [node.database, node.schema, table].flatMap((part) => textOf(part) ?? []);
  const columns = Object.entries(node.columns ?? {}).flatMap(([name, column]) =>
    readColumn(name, column, tests, `${id}.${name}`, losses),
  );
  const own = tests.filter(({ column }) => column === undefined).map(({ raw: test }) => test);
  const { meta, tags } = { ...node.config, ...withoutEmpty({ meta: node.meta, tags: node.tags }) };
  const config = withoutEmpty({ ...(table === node.name || isSource ? {} : { alias: table }), meta, tags });
  const kept = Object.fromEntries(
    PROPERTY_KEYS.map((key) => [key, key === 'access' && node[key] === 'protected' ? '' : node[key]]),
  );
  return {
    kind: kindOf(node.resource_type),
    name: node.name,
    ...(isSource ? { source: sourceOf(node) } : {}),
    relation,
    properties: withoutEmpty({
      ...kept,
      ...(isSource && table !== node.name ? { identifier: table } : {}),
      config: carried(config),
      data_tests: own,
      columns,
    }),
    place: id,
  };
}

function kindOf(type: string): DbtKind {
  return type === 'source' || type === 'seed' || type === 'snapshot' ? type : 'model';
}

function sourceOf(node: z.infer<typeof NODE>): ForeignRecord & { name: string } {
  const [description, loader] = SOURCE_KEYS.map((key) => node[key]);
  const name = textOf(node.source_name) ?? 'source';
  const schema = textOf(node.schema);
  return {
    name,
    ...withoutEmpty({ description, loader, database: node.database, schema: schema === name ? '' : schema }),
  };
}

function readColumn(
  name: string,
  raw: unknown,
  tests: readonly AttachedTest[],
  place: string,
  losses: Loss[],
): ForeignRecord[] {
  const column = accept(z.looseObject({ name: TEXT }), raw, place, losses);
  if (column === undefined) return [];
  const own = tests.filter(
    (test) => test.column?.toLowerCase() === (textOf(column.name) ?? name).toLowerCase(),
  );
  const { description, data_type, quote, constraints, meta, tags, config } = column;
  const inConfig = isRecord(config) ? config : {};
  return [
    {
      name: textOf(column.name) ?? name,
      ...withoutEmpty({
        description,
        data_type,
        quote,
        constraints: carried(constraints),
        config: carried(withoutEmpty({ meta: inConfig.meta ?? meta, tags: inConfig.tags ?? tags })),
        data_tests: own.map(({ raw: test }) => test),
      }),
    },
  ];
}

/** The tests of every node, as YAML writes them. */
function readTests(nodes: ForeignRecord, losses: Loss[]): ReadonlyMap<string, readonly AttachedTest[]> {
  const tests = new Map<string, AttachedTest[]>();
  for (const [id, raw] of Object.entries(nodes)) {
    // A test of its own SQL promises nothing that could be read here.
    if (!isRecord(raw) || raw.resource_type !== 'test' || !isRecord(raw.test_metadata)) continue;
    const test = accept(TEST, raw, id, losses);
    if (test === undefined) continue;
    const { name, namespace, kwargs } = test.test_metadata;
    const { model: _, column_name, ...args } = kwargs ?? {};
    const node = textOf(test.attached_node) ?? test.depends_on?.nodes?.at(-1);
    if (node === undefined) continue;
    const { where, severity } = test.config ?? {};
    const config = withoutEmpty({ where, severity: String(severity).toLowerCase() === 'warn' ? 'warn' : '' });
    const inside = { ...withoutEmpty(args), ...withoutEmpty({ config }) };
    const full = textOf(namespace) === undefined ? name : `${namespace}.${name}`;
    const column = textOf(test.column_name) ?? textOf(column_name);
    const written = Object.keys(inside).length === 0 ? full : { [full]: carried(inside) };
    tests.set(node, [
      ...(tests.get(node) ?? []),
      { ...(column === undefined ? {} : { column }), raw: written },
    ]);
  }
  return tests;
}

function readCatalog(file: ForeignFile, losses: Loss[]): ReadonlyMap<string, readonly CatalogColumn[]> {
  const document = openForeign(file);
  const catalog = document.check(CATALOG, document.value, []);
  const entries = [...Object.entries(catalog.nodes), ...entriesOf(catalog.sources)];
  return new Map(
    entries.flatMap(([id, raw]): [string, CatalogColumn[]][] => {
      const node = accept(CATALOG_NODE, raw, `${file.path}: ${id}`, losses);
      if (node === undefined) return [];
      const columns = Object.entries(node.columns).sort(([, a], [, b]) => (a.index ?? 0) - (b.index ?? 0));
      return [
        [
          id,
          columns.map(([key, { name, type, comment }]) => ({
            name: textOf(name) ?? key,
            type: textOf(type),
            comment: textOf(comment),
          })),
        ],
      ];
    }),
  );
}

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
