import type { Catalog, Table } from '../../catalog/index.ts';
import type { AmbiguousPart } from './ambiguous-part.ts';
import { type AskedWord, type NamePlace, placeName } from './asked-words.ts';

/** Set by reason, as in the other rules: less of a name is too little to say that the question means it. */
const LEAST_SHARE = 0.5;
/** Tables of a key and a name are alike everywhere; with this many columns the same, chance is not the reason. */
const LEAST_COLUMNS = 2;
const MOST_CHOICES = 5;

/**
 * Tables that hold the same columns under other names, where the question means one of them and its words fit none
 * better than the others. What says so is the name of one, or a column that only they have.
 */
export function findCopiedTables(
  question: string,
  asked: readonly AskedWord[],
  catalog: Catalog,
): readonly AmbiguousPart[] {
  return copiesOf(catalog).flatMap((tables): AmbiguousPart[] => {
    const places = tables.map(({ name }) => placeName(name, asked));
    const fits = places.map((place) => (place === undefined || place.share < LEAST_SHARE ? 0 : place.share));
    const [best = 0] = [...fits].sort((left, right) => right - left);
    const isNamedAlone = best > 0 && fits.filter((fit) => fit === best).length === 1;
    if (isNamedAlone) return [];
    const place = best > 0 ? places[fits.indexOf(best)] : placeOwnColumn(tables, asked, catalog);
    if (place === undefined) return [];
    const { start, end } = place;
    const choices = tables
      .filter((_, at) => fits[at] === best)
      .slice(0, MOST_CHOICES)
      .map(({ id, name }) => ({ label: name, ids: [id] }));
    return [{ phrase: question.slice(start, end), span: { start, end }, kind: 'table', choices }];
  });
}

/** A schema is asked many questions; its tables are compared once. */
const known = new WeakMap<Catalog, readonly (readonly Table[])[]>();

function copiesOf(catalog: Catalog): readonly (readonly Table[])[] {
  const before = known.get(catalog);
  if (before !== undefined) return before;
  const alike = new Map<string, Table[]>();
  for (const table of catalog.tables) {
    if (table.columns.length < LEAST_COLUMNS) continue;
    const columns = table.columns.map(({ name, family }) => `${name.toLowerCase()} ${family}`);
    const key = columns.sort().join('\n');
    alike.set(key, [...(alike.get(key) ?? []), table]);
  }
  const groups = [...alike.values()].filter((tables) => tables.length > 1);
  known.set(catalog, groups);
  return groups;
}

/** Where the question names a column best that no other table has; undefined where another table's fits as well. */
function placeOwnColumn(
  tables: readonly Table[],
  asked: readonly AskedWord[],
  catalog: Catalog,
): NamePlace | undefined {
  const others = catalog.tables.filter((table) => !tables.includes(table));
  const isNamed = (table: Table): boolean => (placeName(table.name, asked)?.share ?? 0) >= LEAST_SHARE;
  const elsewhere = new Set(others.flatMap(({ columns }) => columns.map(({ name }) => name.toLowerCase())));
  const isOtherNamed = others.some(isNamed);
  let best: NamePlace | undefined;
  for (const { name } of tables[0]?.columns ?? []) {
    const lower = name.toLowerCase();
    if (elsewhere.has(lower) && isOtherNamed) continue;
    const place = placeName(name, asked);
    if (place !== undefined && place.share >= LEAST_SHARE && place.share > (best?.share ?? 0)) best = place;
  }
  return best;
}
