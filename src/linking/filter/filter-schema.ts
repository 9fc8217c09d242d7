/** FILTER: the columns that retrieval speaks for, with the keys that join their tables. */
import type { Catalog, Table } from '../../catalog/index.ts';
import { estimateTokens, renderSchema } from '../../catalog/prompt-schema/index.ts';
import type { JoinKeys } from '../join-paths/join-key.ts';
import { joinPaths } from '../join-paths/join-paths.ts';
import type { LinkedItem, LinkReason } from '../schema/linked-schema.ts';
import { restrictCatalog } from '../schema/restrict-catalog.ts';
import type { FilterEvidence } from './filter-evidence.ts';
import {
  addPathFields,
  type Backbone,
  type Found,
  type KeptField,
  keptFields,
  mergeSignals,
  touchedTables,
} from './kept-items.ts';

export interface FilterOptions {
  readonly backbone?: Backbone;
  /** Names that are like a keyword count as found. */
  readonly useNameMatches?: boolean;
  /** Joins between two tables with a found column, at most. */
  readonly maxHops?: number;
  /** Most tokens of the schema; absent: no limit. */
  readonly tokens?: number;
  /** How the schema will be shown, to measure it; absent: as `renderSchema` writes it. */
  readonly countTokens?: (part: Catalog) => number;
}

export interface FilteredSchema {
  readonly catalog: Catalog;
  /** Tables, each before its columns, in the order of the catalog. */
  readonly items: readonly LinkedItem[];
  /** What was cut to stay within the limit. */
  readonly leftOut: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Keeps a column if a value, its meaning, its name or a definition speaks for it, or if it is a key of the backbone;
 * tables without a kept column are left out. Over the limit, columns that are no keys are cut, the lowest score first.
 * Source: ThothAI, section 10, the documented rule.
 */
export function filterSchema(
  catalog: Catalog,
  evidence: FilterEvidence,
  keys: JoinKeys,
  options: FilterOptions = {},
): FilteredSchema {
  const { backbone = 'paths', useNameMatches = true, maxHops } = options;
  const found = mergeSignals(evidence, useNameMatches);
  const touched = touchedTables(catalog, found);
  const fields = keptFields(catalog, found, ({ id }) => backbone === 'all' || touched.has(id));
  const paths =
    backbone === 'paths' ? joinPaths(keys, touched, maxHops === undefined ? {} : { maxHops }) : undefined;
  addPathFields(fields, paths?.items ?? []);
  const bridges = new Map(
    (paths?.items ?? []).flatMap(({ id, kind, because }) =>
      kind === 'table' ? [[id, because] as const] : [],
    ),
  );
  const named = new Set([...[...touched].filter((id) => found.has(id)), ...bridges.keys()]);
  const { kept, leftOut, warnings } = withinBudget(catalog, fields, { ...options, named });
  const part = restrictCatalog(catalog, named, kept);
  return {
    catalog: part,
    items: part.tables.flatMap((table) => [
      tableItem(table, { fields, found, bridges }),
      ...table.columns.map(({ id }) => fieldItem(id, fields)),
    ]),
    leftOut,
    warnings: [...unknownIn(catalog, found), ...apart(paths?.groups ?? [], part), ...warnings],
  };
}

interface Within {
  readonly kept: ReadonlySet<string>;
  readonly leftOut: readonly string[];
  readonly warnings: readonly string[];
}

/** Columns of the lowest score last in the catalog go first; keys stay. */
function withinBudget(
  catalog: Catalog,
  fields: ReadonlyMap<string, KeptField>,
  { tokens: limit, named, ...options }: FilterOptions & { readonly named: ReadonlySet<string> },
): Within {
  const all = new Set(fields.keys());
  if (limit === undefined) return { kept: all, leftOut: [], warnings: [] };
  const countTokens = options.countTokens ?? ((part: Catalog) => estimateTokens(renderSchema(part)));
  const cuttable = catalog.tables
    .flatMap(({ columns }) => columns.map(({ id }) => ({ id, score: fields.get(id)?.score })))
    .filter(({ id }) => fields.get(id)?.isKey === false)
    .reverse()
    .sort((a, b) => (a.score ?? 0) - (b.score ?? 0))
    .map(({ id }) => id);
  const measure = (columnIds: ReadonlySet<string>): number =>
    countTokens(restrictCatalog(catalog, named, columnIds));
  const { kept, cut, tokens } = fitBudget(all, cuttable, { tokens: limit, countTokens: measure });
  const what = `${cut.length} of ${all.size} columns`;
  return {
    kept,
    leftOut:
      cut.length === 0
        ? []
        : [`${what} cut to stay within ${limit} tokens, the least likely first: ${listed(cut)}`],
    warnings:
      tokens > limit ? [`the keys alone take about ${tokens} tokens, more than the ${limit} allowed`] : [],
  };
}

interface TableReasons {
  readonly fields: ReadonlyMap<string, KeptField>;
  readonly found: Found;
  readonly bridges: ReadonlyMap<string, readonly LinkReason[]>;
}

/** What speaks for the table itself, for the best of its columns, or for its keys. */
function tableItem({ id, columns }: Table, { fields, found, bridges }: TableReasons): LinkedItem {
  const own = found.get(id);
  const scored = columns
    .flatMap((column) => ({ column, field: fields.get(column.id) }))
    .filter(({ field }) => field?.score !== undefined)
    .sort((a, b) => (b.field?.score ?? 0) - (a.field?.score ?? 0));
  const ofColumns = scored.slice(0, REASONS).flatMap(({ column, field }) => {
    const [reason] = field?.because ?? [];
    return reason === undefined ? [] : [{ ...reason, text: `its column ${column.name}: ${reason.text}` }];
  });
  const bridge = bridges.get(id);
  const because = [...(own?.because ?? []), ...ofColumns, ...(bridge ?? [])];
  const score = Math.max(own?.score ?? 0, ...scored.map(({ field }) => field?.score ?? 0));
  return {
    id,
    kind: 'table',
    because: because.length > 0 ? because : [{ kind: 'key', text: 'its keys are kept' }],
    tier: 'relevant',
    isAuto: bridge !== undefined,
    ...(score > 0 ? { score } : {}),
  };
}

/** Columns of a table that stand for it. */
const REASONS = 3;

function fieldItem(id: string, fields: ReadonlyMap<string, KeptField>): LinkedItem {
  const { because, score, isAuto } = fields.get(id) ?? SHOWN_KEY;
  return { id, kind: 'field', because, tier: 'relevant', isAuto, ...(score === undefined ? {} : { score }) };
}

/** A table that is named itself shows the keys it has. */
const SHOWN_KEY: KeptField = {
  because: [{ kind: 'key', text: 'it is a key of a table in view' }],
  isKey: true,
  isAuto: false,
};

/** An index may be older than the schema. */
function unknownIn({ tables }: Catalog, found: Found): readonly string[] {
  const left = new Set(found.keys());
  for (const { id, columns } of tables) {
    left.delete(id);
    for (const column of columns) left.delete(column.id);
  }
  const unknown = [...left];
  return unknown.length === 0 ? [] : [`what was found is not in the schema: ${listed(unknown)}`];
}

function apart(groups: readonly (readonly string[])[], { tables }: Catalog): readonly string[] {
  const inView = new Set(tables.map(({ id }) => id));
  const shown = groups
    .map((group) => group.filter((id) => inView.has(id)))
    .filter(({ length }) => length > 0);
  if (shown.length < 2) return [];
  return [`no join path connects these tables: ${shown.map(listed).join(' | ')}`];
}

const MOST_LISTED = 5;

function listed(ids: readonly string[]): string {
  const rest = ids.length - MOST_LISTED;
  return `${ids.slice(0, MOST_LISTED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Cuts a filtered schema down to what may be shown. */
interface FilterBudget {
  /** Tokens that the schema may take. */
  readonly tokens: number;
  /** Tokens of the schema with these columns. */
  readonly countTokens: (columnIds: ReadonlySet<string>) => number;
}

interface Fitted {
  readonly kept: ReadonlySet<string>;
  /** Lowest score first. */
  readonly cut: readonly string[];
  /** Tokens of what is kept. */
  readonly tokens: number;
}

/**
 * Cuts as few of the columns as possible, the first of `cuttable` first, until the rest is within the budget; fewer
 * columns never take more tokens, so the number is found by halving. What is not in `cuttable` stays.
 */
function fitBudget(
  columns: ReadonlySet<string>,
  cuttable: readonly string[],
  { tokens: limit, countTokens }: FilterBudget,
): Fitted {
  const without = (count: number): ReadonlySet<string> => {
    const gone = new Set(cuttable.slice(0, count));
    return new Set([...columns].filter((id) => !gone.has(id)));
  };
  let low = 0;
  let high = cuttable.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (countTokens(without(middle)) <= limit) high = middle;
    else low = middle + 1;
  }
  const kept = without(low);
  return { kept, cut: cuttable.slice(0, low), tokens: countTokens(kept) };
}
