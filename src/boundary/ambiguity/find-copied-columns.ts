import type { Catalog, Column, Table } from '../../catalog/index.ts';
import { nameWords } from '../../catalog/index.ts';
import type { AmbiguousPart } from './ambiguous-part.ts';
import { type AskedWord, placeName } from './asked-words.ts';

/** Less of a name is too little to say that the question means it. */
const LEAST_SHARE = 0.5;

/**
 * Columns a table shares with one split off from it: a table named after it, all of whose columns it has too. The
 * columns that say which row it is join the two and are one thing told twice, so they are never asked about.
 */
export function findCopiedColumns(
  question: string,
  asked: readonly AskedWord[],
  catalog: Catalog,
): readonly AmbiguousPart[] {
  const parts: AmbiguousPart[] = [];
  for (const whole of catalog.tables)
    for (const split of catalog.tables) {
      if (!isSplitFrom(split, whole)) continue;
      const joining = joiningColumns(split, whole, catalog);
      for (const copy of split.columns) {
        if (joining.has(copy.name.toLowerCase())) continue;
        const place = placeName(copy.name, asked);
        const column = sameNamed(copy, whole);
        if (column === undefined || place === undefined || place.share < LEAST_SHARE) continue;
        parts.push({
          phrase: question.slice(place.start, place.end),
          span: { start: place.start, end: place.end },
          kind: 'join-path',
          choices: [
            { label: `${column.name} of ${whole.name}`, ids: [column.id] },
            { label: `${copy.name} of ${split.name}, joined to ${whole.name}`, ids: [copy.id] },
          ],
        });
      }
    }
  return parts;
}

function isSplitFrom(split: Table, whole: Table): boolean {
  if (split === whole || split.columns.length < 2 || split.columns.length >= whole.columns.length)
    return false;
  const [own, base] = [nameWords(split.name), nameWords(whole.name)];
  if (own.length <= base.length || !base.every((word, at) => own[at] === word)) return false;
  return split.columns.every((column) => sameNamed(column, whole) !== undefined);
}

function sameNamed(column: Column, table: Table): Column | undefined {
  const lower = column.name.toLowerCase();
  return table.columns.find(({ name }) => name.toLowerCase() === lower);
}

/** Lower-case names: the whole table's primary key, and what a declared key ties. */
function joiningColumns(split: Table, whole: Table, catalog: Catalog): ReadonlySet<string> {
  const ids = new Set([
    ...whole.primaryKey,
    ...split.primaryKey,
    ...catalog.foreignKeys
      .filter(({ fromTable, toTable }) => fromTable === split.id || toTable === split.id)
      .flatMap(({ fromColumns, toColumns }) => [...fromColumns, ...toColumns]),
  ]);
  return new Set(
    [...split.columns, ...whole.columns]
      .filter(({ id }) => ids.has(id))
      .map(({ name }) => name.toLowerCase()),
  );
}
