/**
 * A dbt project as its manifest and its YAML files both give it: tables with their properties, and the semantic layer
 * (MetricFlow). Properties stay in the form people write them in YAML, which is the form that is written again.
 */
import type { ForeignRecord } from '../foreign/foreign-record.ts';

/** The vendor of what only this format knows. */
export const DBT_VENDOR = 'DBT';

export type DbtKind = 'model' | 'source' | 'seed' | 'snapshot';

export interface DbtNode {
  readonly kind: DbtKind;
  /** As `ref` and `source` name it. */
  readonly name: string;
  /** Of a source: its group, with the properties of the group. */
  readonly source?: ForeignRecord & { readonly name: string };
  /** The table with schema and database before it, as far as known. */
  readonly relation: readonly string[];
  /** Without `name`. */
  readonly properties: ForeignRecord;
  /** Columns as the database has them, where a catalog says so. */
  readonly catalog?: readonly CatalogColumn[];
  readonly place: string;
}

export interface CatalogColumn {
  readonly name: string;
  readonly type?: string;
  readonly comment?: string;
}

export interface DbtProject {
  readonly name: string;
  readonly nodes: readonly DbtNode[];
  readonly semanticModels: readonly Placed[];
  readonly metrics: readonly Placed[];
  /** Parts without a place with us, by their key at the top of a file: `exposures`, `saved_queries`, `groups`. */
  readonly others: Readonly<Record<string, readonly unknown[]>>;
}

/** Something of the semantic layer in its YAML form. */
export interface Placed {
  readonly record: ForeignRecord & { readonly name: string };
  readonly place: string;
}

/** Keys at the top of a file that are carried without effect. */
export const CARRIED_KEYS = [
  'exposures',
  'saved_queries',
  'groups',
  'time_spines',
  'unit_tests',
  'macros',
] as const;

/** What `ref('orders')`, `ref('package', 'orders')` and `source('raw', 'orders')` name. */
export function readReference(
  text: unknown,
): { readonly source?: string; readonly name: string } | undefined {
  if (typeof text !== 'string' || text.length > 1_000) return undefined;
  const found =
    /^\s*(?:\{\{)?\s*(ref|source)\(\s*(['"])([^'"]+)\2\s*(?:,\s*(['"])([^'"]+)\4\s*)?(?:,\s*(?:v|version)\s*=\s*[^,)]{1,20})?\)\s*(?:\}\})?\s*$/.exec(
      text,
    );
  if (found === null) return undefined;
  const [, kind, , first = '', , second] = found;
  if (kind === 'source') return second === undefined ? undefined : { source: first, name: second };
  return { name: second ?? first };
}

/** How a node is referred to. */
export function writeReference({ kind, name, source }: Pick<DbtNode, 'kind' | 'name' | 'source'>): string {
  return kind === 'source' ? `source('${source?.name ?? ''}', '${name}')` : `ref('${name}')`;
}

/** Looks nodes up by reference. */
export function nodeIndex<T extends Pick<DbtNode, 'kind' | 'name' | 'source'>>(
  nodes: readonly T[],
): (reference: unknown) => T | undefined {
  const key = (name: string, source?: string): string => JSON.stringify([name, source ?? null]);
  const byKey = new Map<string, T>();
  for (const node of nodes) {
    const own = key(node.name, node.kind === 'source' ? node.source?.name : undefined);
    if (!byKey.has(own)) byKey.set(own, node);
  }
  return (reference) => {
    const named = readReference(reference);
    return named && byKey.get(key(named.name, named.source));
  };
}
