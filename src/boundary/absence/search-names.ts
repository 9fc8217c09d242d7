import type { GroundedKnowledge } from '../../reasoning/index.ts';
import { isSkeleton } from './is-skeleton.ts';
import type { Likeness, NearName } from './near-name.ts';
import { isOtherSpelling } from './search-values.ts';
import { shownColumn, shownTable, spoken } from './shown-names.ts';

type Named = ReturnType<GroundedKnowledge['names']['match']>[number];

/** From here on the words are the name; below it they are a part of it: “type” of `dealer_type`. */
const WHOLE_NAME = 0.95;
const MOST_SPELLINGS = 3;

/** Tables, columns, figures and dimensions that the words name, or would if they were spelt otherwise. */
export function searchNames(words: readonly string[], knowledge: GroundedKnowledge): readonly NearName[] {
  const direct = knowledge.names.match(words).map((noun) => named(noun, likenessOf(noun), knowledge));
  const [only] = words;
  if (only === undefined || words.length > 1 || direct.some(({ how }) => how === 'same')) return direct;
  const spelt = [...knowledge.names.vocabulary]
    .filter((word) => isOtherSpelling(only, word))
    .slice(0, MOST_SPELLINGS)
    .flatMap((word) => knowledge.names.match([word]))
    .filter((noun) => likenessOf(noun) === 'same')
    .map((noun) => named(noun, 'spelling', knowledge));
  return [...direct, ...spelt, ...akin(only, knowledge)];
}

/** Names with a word that is akin: `delivered_at` for “deliveries”, `svc_lvl` for “service”. */
function akin(word: string, { catalog }: GroundedKnowledge): readonly NearName[] {
  const isIn = (name: string): boolean => partsOf(name).some((part) => isAkin(word, part));
  const tables = catalog.tables.filter(({ name }) => isIn(name));
  const columns = catalog.tables.flatMap((table) =>
    table.columns
      .filter(({ name }) => isIn(name))
      .map(
        (column): NearName => ({
          ...{ text: spoken(column.name), shown: `${table.name}.${column.name}`, how: 'part' },
          what: `a column of ${table.name}`,
        }),
      ),
  );
  return [
    ...tables.map(
      ({ name }): NearName => ({ text: spoken(name), shown: name, what: 'a table', how: 'part' }),
    ),
    ...columns,
  ];
}

function partsOf(name: string): readonly string[] {
  return spoken(name).split(/[^\p{L}\p{N}]+/u);
}

const SHORTEST_STEM = 5;
const LONGEST_ENDING = 4;

/** Two words with one beginning, or a word and its consonants: what may be related is not told to be absent. */
function isAkin(word: string, part: string): boolean {
  if (word.length < 4 || part.length < 3 || word[0] !== part[0]) return false;
  let shared = 0;
  while (shared < Math.min(word.length, part.length) && word[shared] === part[shared]) shared++;
  const ending = Math.max(word.length, part.length) - shared;
  if (shared >= SHORTEST_STEM && ending <= LONGEST_ENDING) return true;
  return part.length < word.length && (shared === part.length || isSkeleton(word, part));
}

function likenessOf({ score, why }: Named): Likeness {
  if (/^synonym of (?:name|synonym|comment) of /.test(why)) return 'synonym';
  if (why.startsWith('comment of ')) return 'description';
  return score >= WHOLE_NAME && /^(?:name|synonym) of /.test(why) ? 'same' : 'part';
}

function named({ kind, id, tableId }: Named, how: Likeness, { catalog }: GroundedKnowledge): NearName {
  switch (kind) {
    case 'table': {
      const name = shownTable(id, catalog);
      return { text: spoken(name), shown: name, what: 'a table', how };
    }
    case 'column': {
      const name = shownColumn(id, catalog);
      const own = spoken(name.slice(name.indexOf('.') + 1));
      return { text: own, shown: name, what: `a column of ${shownTable(tableId, catalog)}`, how };
    }
    case 'metric':
      return { text: id, shown: id, what: 'a figure', how };
    case 'dimension':
      return { text: id, shown: id, what: 'a dimension', how };
  }
}
