/** Names that no table or column has. */
import { nameWords } from '../../../../language/index.ts';
import { child } from '../../../../sql/tree/index.ts';
import type { ErrorName, Mutation, Proposal } from '../site/mutation.ts';
import { pick, quoted, replace, type Site, tableOf, tablesOf } from '../site/site.ts';

export const NAME_ERRORS: readonly Mutation<ErrorName>[] = [
  { name: 'column-invented', propose: inventColumns },
  { name: 'table-invented', propose: inventTables },
];

function inventColumns(site: Site): readonly Proposal[] {
  const taken = new Set(
    site.scopes.all.flatMap(({ sources }) => sources.flatMap(({ columns }) => [...columns.byKey.keys()])),
  );
  return site.uses.flatMap(({ node, column, source }) => {
    const names = namesLike(column.name, tableOf(site, source)?.name ?? '', site.random());
    const name = pick(
      site,
      names.filter((each) => !taken.has(each.toLowerCase())),
    );
    const identifier = child(node, 'this');
    if (name === undefined || identifier === undefined) return [];
    return [{ node, patches: [replace(identifier, quoted(site, name))] }];
  });
}

/** Columns that name the table itself as their qualifier are written with the new name too. */
function inventTables(site: Site): readonly Proposal[] {
  const taken = new Set(site.schema.catalog.tables.map(({ name }) => name.toLowerCase()));
  return site.selects.flatMap((select) =>
    tablesOf(site, select).flatMap((source) => {
      const { node, alias } = source;
      const names = namesLike(tableOf(site, source)?.name ?? '', '', site.random());
      const name = pick(
        site,
        names.filter((each) => !taken.has(each.toLowerCase())),
      );
      const identifier = child(node, 'this');
      if (name === undefined || identifier === undefined) return [];
      const qualifiers = site.uses.flatMap((use) =>
        alias === undefined && use.source === source ? (child(use.node, 'table') ?? []) : [],
      );
      const text = quoted(site, name);
      return [{ node, patches: [identifier, ...qualifiers].map((each) => replace(each, text)) }];
    }),
  );
}

/** Other spellings: plural, camel case, words left out, the table before it, a slip; `place` in [0, 1) says where it is. */
export function namesLike(name: string, table: string, place: number): readonly string[] {
  const words = nameWords(name);
  const at = 1 + Math.floor(place * Math.max(0, name.length - 2));
  const [first = '', ...others] = words;
  const owner = nameWords(table).at(-1)?.replace(/s$/, '') ?? '';
  const camel = first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  const spellings = [
    /s$/i.test(name) ? name.slice(0, -1) : `${name}s`,
    words.join('_'),
    camel,
    words.join(''),
    owner === '' ? '' : `${owner}_${words.join('_')}`,
    words.length > 1 ? words.slice(1).join('_') : '',
    words.length > 1 ? words.slice(0, -1).join('_') : '',
    name.length > 3 ? name.slice(0, at) + name.slice(at + 1) : '',
    name.length > 3 ? name.slice(0, at) + name.charAt(at) + name.slice(at) : '',
  ];
  return [...new Set(spellings)].filter((each) => each !== '' && each.toLowerCase() !== name.toLowerCase());
}
