/** The part of the schema the writer sees, with the reasons of each item and what was left out. */
import type { Catalog } from '../../catalog/index.ts';
import type { SharedText } from '../../catalog/share/index.ts';
import type { TableIndex } from '../../knowledge/retrieve/index.ts';
import type { LedgerEntry } from '../../model/index.ts';
import type { LinkHypothesis, RefineResult } from '../../reasoning/roles/link-reasoner.ts';

/** How it was linked: nothing left out, retrieval filter, votes of hypotheses, rankers. */
export type LinkMode = 'full' | 'filter' | 'evilink' | 'rankers';

/** Where a reason comes from. */
export type ReasonKind =
  | 'hypothesis'
  | 'value'
  | 'name'
  | 'description'
  | 'hint'
  | 'key'
  | 'join-path'
  | 'partition'
  | 'example'
  | 'note'
  | 'metric'
  | 'ranker'
  | 'refinement';

export interface LinkReason {
  readonly kind: ReasonKind;
  /** A short sentence for people. */
  readonly text: string;
}

/** A reason that a model may be shown. */
export type SharedReason = LinkReason & { readonly text: SharedText };

/** R, U, K, D of EviLink (section 7); C, the candidates nobody chose, are not listed. */
export type Bucket = 'required' | 'uncertain' | 'kept' | 'discarded';

export interface LinkedItem {
  /** Canonical id of the catalog. */
  readonly id: string;
  readonly kind: 'table' | 'field';
  readonly because: readonly LinkReason[];
  /** Writers see both; `maybe` is what no evidence settled. */
  readonly tier: 'relevant' | 'maybe';
  /** Added for the join paths after linking; measures of linking leave it out. */
  readonly isAuto: boolean;
  /** In [0, 1], where the way of linking has one. */
  readonly score?: number;
  readonly votes?: { readonly support: number; readonly paths: number; readonly bucket: Bucket };
}

export interface LinkedSchema {
  readonly mode: LinkMode;
  /** Why this mode: `3 % of the context and 75 columns: the whole schema fits`. */
  readonly why: readonly string[];
  /** Only the linked tables and columns; the whole catalog in the mode `full`. */
  readonly catalog: Catalog;
  /** Tables and fields of `catalog` that something speaks for; in the mode `full` others are in view too. */
  readonly items: readonly LinkedItem[];
  /** What refinement put aside, with its reasons. */
  readonly discarded: readonly LinkedItem[];
  /** Of the EviLink mode. */
  readonly hypotheses: readonly LinkHypothesis[];
  readonly turns: readonly (readonly RefineResult[])[];
  /** Lists that were cut: `200 of 486 tables looked at`. */
  readonly leftOut: readonly string[];
  readonly warnings: readonly string[];
  /** Model calls of this linking. */
  readonly calls: readonly LedgerEntry[];
}

// Linked items in one order, each once.

/** `field sales.region`: the column `region` of `sales` has the id of the table `region` of a schema `sales`. */
export function itemKey({ kind, id }: Pick<LinkedItem, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}

/** In the order of the catalog, each table before its fields; of two for the same item the later one. */
export function orderItems(items: Iterable<LinkedItem>, { catalog }: TableIndex): readonly LinkedItem[] {
  const all = new Map([...items].map((item) => [itemKey(item), item]));
  const at = (kind: LinkedItem['kind'], id: string) => all.get(itemKey({ kind, id })) ?? [];
  return catalog.tables.flatMap(({ id, columns }) =>
    [at('table', id), ...columns.map((column) => at('field', column.id))].flat(),
  );
}
