import type { GroundedKnowledge } from '../../reasoning/index.ts';
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
  return [...direct, ...spelt];
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
