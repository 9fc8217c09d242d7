import { indexTerms } from '../search/search-terms.ts';
import { type ChosenMembers, databaseOf } from './choose-members.ts';
import type { TableSigns } from './rank-tables.ts';

const SHOWN_COLUMNS = 3;
const SHOWN_DATABASES = 4;

/** Why a table was found, in short sentences for people, surest first. */
export function explainTable(
  signs: TableSigns,
  { members, namedCount }: ChosenMembers,
  terms: readonly string[],
): readonly string[] {
  const table = members[0]?.table;
  if (table === undefined) return [];
  const asked = new Set(terms);
  const namedBy = indexTerms(table.name).filter((term) => asked.has(term));
  const columns = table.columns.filter(({ name }) => indexTerms(name).some((term) => asked.has(term)));
  const databases = [
    ...new Set(members.filter((member) => member.table.name === table.name).map(databaseOf)),
  ];
  return [
    signs.isNamed ? 'the question names it' : '',
    namedBy.length > 0 ? `its name has words of the question: ${[...new Set(namedBy)].join(', ')}` : '',
    columns.length > 0
      ? `its columns do: ${shortList(
          columns.map(({ name }) => name),
          SHOWN_COLUMNS,
        )}`
      : '',
    signs.words > 0 && columns.length === 0 ? 'its descriptions have words of the question' : '',
    signs.cosine > 0 ? `it is near the question in meaning (${signs.cosine.toFixed(2)})` : '',
    namedCount > 0
      ? `${namedCount} of ${members.length} tables ${signs.family.pattern} are of days, numbers or words in the question`
      : '',
    namedCount === 0 && members.length > 1
      ? `the first of ${members.length} tables ${signs.family.pattern}`
      : '',
    databases.length > 1 ? `it stands in several databases: ${shortList(databases, SHOWN_DATABASES)}` : '',
    signs.isCertified ? 'people have certified it' : '',
    signs.isDeprecated ? 'people have marked it as deprecated' : '',
    signs.popularity > 0 ? `it is in use (popularity ${signs.popularity.toFixed(1)})` : '',
  ].filter((text) => text !== '');
}

function shortList(names: readonly string[], most: number): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(', ')} and ${rest} more` : names.join(', ');
}
