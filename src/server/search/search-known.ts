import { findValues, type Retrieved } from '../../knowledge/retrieve/index.ts';
import type { Session } from '../../session/index.ts';

export const SEARCH_KINDS = ['table', 'column', 'value', 'note', 'example', 'metric'] as const;
type SearchKind = (typeof SEARCH_KINDS)[number];

interface KnownHit {
  readonly kind: SearchKind;
  /** Of a table or column; the place of a note, the file of an example, the name of a metric. */
  readonly id: string;
  readonly text?: string;
  /** Of an example. */
  readonly sql?: string;
  /** In [0, 1], comparable within its kind. */
  readonly score: number;
  readonly because: string;
}

export interface SearchRequest {
  readonly text: string;
  readonly kinds: readonly SearchKind[];
  /** Of each kind. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

export interface KnownHits {
  readonly hits: readonly KnownHit[];
  /** What was cut, or did not work, in words. */
  readonly cut: readonly string[];
}

/** What is known by these words, kind by kind, the best first. Throws `store.*`. */
export async function searchKnown(
  { text, kinds, limit, signal }: SearchRequest,
  session: Session,
): Promise<KnownHits> {
  const base = await session.base.open();
  const { scope, model } = base;
  const values = kinds.includes('value')
    ? await findValues([text], session.values, { scope: scope.tables, embedding: model, signal })
    : undefined;
  const found = kinds.some((kind) => kind !== 'value')
    ? await base.retrieve({ question: text, signal })
    : undefined;
  const lists = kinds.map((kind) => {
    if (kind === 'value') return { kind, all: valueHits(values?.values ?? []) };
    return { kind, all: found === undefined ? [] : hitsOf(kind, found) };
  });
  const cut = [
    ...lists.flatMap(({ kind, all }) =>
      all.length > limit ? [`${kind}s: ${limit} of ${all.length} shown`] : [],
    ),
    ...[...(values?.truncations ?? []), ...(found?.truncations ?? [])].map(
      ({ what, shown, total }) => `${what}: ${shown} of ${total} looked at`,
    ),
    ...(values?.warnings ?? []),
    ...(found?.warnings ?? []),
  ];
  return { hits: lists.flatMap(({ all }) => all.slice(0, limit)), cut: [...new Set(cut)] };
}

function valueHits(values: Retrieved['values']): KnownHit[] {
  return values.flatMap(({ item: { columnId, values: found } }) =>
    found.map(({ value, match, ratio }) => ({
      ...{ kind: 'value' as const, id: columnId, text: value, score: ratio },
      because: `${match}, ${ratio.toFixed(2)} alike`,
    })),
  );
}

function hitsOf(kind: Exclude<SearchKind, 'value'>, found: Retrieved): KnownHit[] {
  const list = <Item>(
    all: readonly { readonly item: Item; readonly score: number; readonly because: readonly string[] }[],
    show: (item: Item) => Pick<KnownHit, 'id' | 'text' | 'sql'>,
  ): KnownHit[] =>
    all.map(({ item, score, because }) => ({ kind, ...show(item), score, because: because.join('; ') }));
  switch (kind) {
    case 'table':
      // A small schema is found whole; what nothing speaks for is not a hit.
      return list(
        found.tables.filter(({ because }) => because.length > 0),
        ({ tableId, isDeprecated, isCertified }) => ({
          id: tableId,
          ...(isDeprecated && { text: 'deprecated' }),
          ...(isCertified && { text: 'certified' }),
        }),
      );
    case 'column':
      return list(found.columns, ({ columnId }) => ({ id: columnId }));
    case 'note':
      return list(found.notes, ({ place, text }) => ({ id: place, text }));
    case 'example':
      return list(found.examples, ({ pair }) => ({ id: pair.file, text: pair.question, sql: pair.sql }));
    case 'metric':
      return list(found.metrics, ({ name, description }) => ({
        id: name,
        ...(description !== undefined && { text: description }),
      }));
  }
}
