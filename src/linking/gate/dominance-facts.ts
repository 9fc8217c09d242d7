/** Whether a question has one reading that stands out, as far as retrieval can tell. */
import type { Retrieved, TableIndex } from '../../knowledge/index.ts';

export interface DominanceFacts {
  /** Metrics that the question names. */
  readonly metrics: readonly string[];
  /** Words that were found among the stored values, or stand in quotes, and how many columns hold them. */
  readonly literals: readonly { readonly text: string; readonly columns: number }[];
  /** Words that mean several things. */
  readonly vague: readonly string[];
}

export interface DominanceSources {
  readonly tables: TableIndex;
  /** Texts that the question has in quotes: they are meant as values, whether they were found or not. */
  readonly quoted?: readonly string[];
  readonly vague?: readonly string[];
}

/** Reads the facts off what was found. Equal columns of one family of tables count as one. */
export function dominanceFacts(
  { metrics, values }: Pick<Retrieved, 'metrics' | 'values'>,
  { tables, quoted = [], vague = [] }: DominanceSources,
): DominanceFacts {
  const columns = new Map<string, Set<string>>(quoted.map((text) => [text.toLowerCase(), new Set()]));
  for (const { item } of values)
    for (const { keyword, match } of item.values) {
      // What is only like a value resolves nothing.
      if (match === 'similar') continue;
      const key = keyword.toLowerCase();
      columns.set(key, (columns.get(key) ?? new Set()).add(familyColumn(item.columnId, tables)));
    }
  return {
    metrics: metrics.filter(({ score }) => score >= 1).map(({ item }) => item.name),
    literals: [...withoutParts(columns)].map(([text, found]) => ({ text, columns: found.size })),
    vague,
  };
}

function familyColumn(columnId: string, tables: TableIndex): string {
  const tableId = tables.column(columnId)?.tableId;
  const family = tableId === undefined ? undefined : tables.familyOf(tableId);
  return family === undefined ? columnId : `${family.index}${columnId.slice(tableId?.length)}`;
}

/** `York` says nothing where `New York` was found. */
function withoutParts(columns: ReadonlyMap<string, ReadonlySet<string>>): typeof columns {
  const found = [...columns].filter(([, ids]) => ids.size > 0).map(([text]) => text);
  const isPart = (text: string): boolean =>
    found.some((other) => other.length > text.length && ` ${other} `.includes(` ${text} `));
  return new Map([...columns].filter(([text]) => !isPart(text)));
}
