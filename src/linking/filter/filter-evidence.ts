/** What retrieval says about columns, as the filter reads it. */
import type { Found, FoundColumn, Retrieved, SemanticModel, TableIndex } from '../../knowledge/index.ts';
import type { ReasonKind } from '../schema/linked-schema.ts';
import { definedItems } from './defined-items.ts';
import type { Signal } from './signal.ts';

/** By column id. */
export interface FilterEvidence {
  /** Words of the question are stored in it. */
  readonly values: ReadonlyMap<string, Signal>;
  /** Its name, description or meaning is near the question. */
  readonly columns: ReadonlyMap<string, Signal>;
  /** Its name is a keyword but for case, blanks and a plural. */
  readonly names: ReadonlyMap<string, Signal>;
  /** Columns and tables, by their ids, that a metric or dimension of the question is defined on. */
  readonly defined?: ReadonlyMap<string, Signal>;
}

export interface EvidenceSources {
  readonly tables: TableIndex;
  readonly semantics: Pick<SemanticModel, 'metrics'>;
  /** Of `similarColumns`. */
  readonly names?: readonly Found<FoundColumn>[];
}

/** The evidence of one question. */
export function filterEvidence(
  retrieved: Pick<Retrieved, 'values' | 'columns' | 'metrics' | 'dimensions'>,
  { tables, semantics, names = [] }: EvidenceSources,
): FilterEvidence {
  return {
    values: signals(retrieved.values, 'value'),
    columns: signals(retrieved.columns, 'description'),
    names: signals(names, 'name'),
    defined: definedItems(retrieved, semantics, tables),
  };
}

function signals(
  found: readonly Found<{ readonly columnId: string }>[],
  kind: ReasonKind,
): ReadonlyMap<string, Signal> {
  return new Map(
    found.map(({ item, score, because }) => [
      item.columnId,
      { score, because: because.map((text) => ({ kind, text })) },
    ]),
  );
}
