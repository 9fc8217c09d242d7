import type { Found, FoundTable, Truncation } from './retrieved.ts';

interface Counted {
  readonly total: number;
}

export interface FoundLists {
  readonly tables: Counted & { readonly tables: readonly Found<FoundTable>[] };
  readonly examples: Counted & { readonly examples: readonly unknown[] };
  readonly notes: Counted & { readonly notes: readonly unknown[] };
  readonly words: {
    readonly metrics: Counted & { readonly found: readonly unknown[] };
    readonly dimensions: Counted & { readonly found: readonly unknown[] };
  };
}

/** The lists that a limit has cut, and the families of which not every table is named. */
export function listTruncations({ tables, examples, notes, words }: FoundLists): readonly Truncation[] {
  const lists: readonly Truncation[] = [
    { what: 'tables', shown: tables.tables.length, total: tables.total },
    { what: 'verified pairs', shown: examples.examples.length, total: examples.total },
    { what: 'notes', shown: notes.notes.length, total: notes.total },
    { what: 'metrics', shown: words.metrics.found.length, total: words.metrics.total },
    { what: 'dimensions', shown: words.dimensions.found.length, total: words.dimensions.total },
    ...tables.tables.flatMap(({ item: { family } }) =>
      family === undefined
        ? []
        : [{ what: `tables ${family.pattern}`, shown: family.members.length, total: family.total }],
    ),
  ];
  return lists.filter(({ shown, total }) => shown < total);
}
