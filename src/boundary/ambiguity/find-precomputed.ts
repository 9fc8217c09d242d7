import type { Catalog, Column } from '../../catalog/index.ts';
import { nameWords } from '../../catalog/index.ts';
import type { AmbiguousPart } from './ambiguous-part.ts';
import { type AskedWord, placeName } from './asked-words.ts';

type Aggregate = 'max' | 'min' | 'avg' | 'sum' | 'count';

/** How columns that hold an aggregate are named. */
const NAMED: ReadonlyMap<string, Aggregate> = new Map([
  ['max', 'max'],
  ['maximum', 'max'],
  ['min', 'min'],
  ['minimum', 'min'],
  ['avg', 'avg'],
  ['average', 'avg'],
  ['mean', 'avg'],
  ['sum', 'sum'],
  ['total', 'sum'],
  ['count', 'count'],
]);

/** How people ask for one; superlatives in -est are read as either end. */
const SAID: Readonly<Record<Aggregate, RegExp>> = {
  max: /\b(max|maximum|most|top|latest|last|\p{L}{2,}est)\b/iu,
  min: /\b(min|minimum|least|earliest|first|\p{L}{2,}est)\b/iu,
  avg: /\b(avg|average|averages|averaged|mean)\b/iu,
  sum: /\b(sum|total|totals|altogether|overall|how (?:many|much)|combined)\b/iu,
  count: /\b(count|number of|how many)\b/iu,
};

const LEAST_SHARE = 0.5;

/** Questions for an aggregate of a column where another column already holds that aggregate: `avg_age` beside `age`. */
export function findPrecomputed(
  question: string,
  asked: readonly AskedWord[],
  catalog: Catalog,
): readonly AmbiguousPart[] {
  const columns = catalog.tables.flatMap((table) => table.columns);
  const byName = new Map<string, Column[]>();
  for (const column of columns) {
    const key = nameWords(column.name).join(' ');
    const named = byName.get(key);
    if (named === undefined) byName.set(key, [column]);
    else named.push(column);
  }
  return columns.flatMap((made) => {
    const [head = '', ...rest] = nameWords(made.name);
    const aggregate = NAMED.get(head);
    if (aggregate === undefined || rest.length === 0 || !SAID[aggregate].test(question)) return [];
    const raw = (byName.get(rest.join(' ')) ?? []).filter((column) => isBasis(column, made)).slice(0, 4);
    const [first] = raw;
    const place = first === undefined ? undefined : placeName(first.name, asked);
    if (place === undefined || place.share < LEAST_SHARE) return [];
    return [
      {
        phrase: question.slice(place.start, place.end),
        span: { start: place.start, end: place.end },
        kind: 'aggregate' as const,
        choices: [
          ...raw.map(({ id, tableId, name }) => ({
            label: `${aggregate} of ${name} over the rows of ${tableId}`,
            ids: [id],
          })),
          { label: `${made.name} as ${made.tableId} holds it`, ids: [made.id] },
        ],
      },
    ];
  });
}

/** A column of the same table, or of one that the table of aggregates is named after. */
function isBasis(raw: Column, made: Column): boolean {
  const [base, own] = [nameWords(raw.tableId), new Set(nameWords(made.tableId))];
  return base.every((word) => own.has(word));
}
