/**
 * What "if unsure keep" (EviLink, section 5) adds to the columns of one query. Each is a rule of keys and names with its
 * own switch.
 */
import { nameWords } from '../../language/index.ts';
import type { KeyIndex } from './key-index.ts';
import type { SqlUse } from './read-hypothesis.ts';

export type ExpansionName = 'own-keys' | 'parents' | 'joins' | 'named' | 'bridges' | 'twins' | 'display';

export const EXPANSION_NAMES: readonly ExpansionName[] = [
  'own-keys',
  'parents',
  'joins',
  'named',
  'bridges',
  'twins',
  'display',
];

/** Those that gain recall at little cost; chosen on databases other than the test-only ones. */
export const DEFAULT_EXPANSIONS: readonly ExpansionName[] = [
  'own-keys',
  'parents',
  'joins',
  'named',
  'bridges',
];

export interface ExpandedUse {
  readonly tables: ReadonlySet<string>;
  readonly fields: ReadonlySet<string>;
  /** Which expansion put a column in; those of the query itself are absent. */
  readonly because: ReadonlyMap<string, ExpansionName>;
}

/** The columns of a query and what the expansions add, in their order: a later one builds on what an earlier added. */
export function expandUse(
  use: SqlUse,
  names: readonly ExpansionName[],
  { index, text }: { readonly index: KeyIndex; readonly text: string },
): ExpandedUse {
  const tables = new Set(use.tables);
  const fields = new Set(use.fields);
  const because = new Map<string, ExpansionName>();
  for (const name of EXPANSION_NAMES.filter((known) => names.includes(known))) {
    for (const id of RULES[name]({ tables, fields, subjects: use.subjects }, index, text)) {
      const column = index.columns.get(id);
      if (column === undefined || fields.has(id)) continue;
      fields.add(id);
      tables.add(column.tableId);
      because.set(id, name);
    }
  }
  return { tables, fields, because };
}

type Rule = (use: SqlUse, index: KeyIndex, text: string) => string[];

const RULES: Readonly<Record<ExpansionName, Rule>> = {
  // COUNT(*) in one query is COUNT(id) in another, and "which customer" may be answered by name or by id.
  'own-keys': ({ subjects }, { tables }) => [...subjects].flatMap((id) => tables.get(id)?.primaryKey ?? []),

  // A key compared with a value says as much as the key it refers to, so that a join to that table may stand there too.
  parents: ({ tables, fields }, { linksFrom }) =>
    [...tables].flatMap((id) =>
      (linksFrom.get(id) ?? []).flatMap(({ fromColumns, toColumns }) =>
        fromColumns.flatMap((column, at) => (fields.has(column) ? [toColumns[at] ?? ''] : [])),
      ),
    ),

  // Two tables may be linked in several ways: owner and last editor of a post.
  joins: ({ tables }, { linksFrom }) =>
    [...tables].flatMap((id) =>
      (linksFrom.get(id) ?? []).flatMap(({ toTable, fromColumns, toColumns }) =>
        tables.has(toTable) ? [...fromColumns, ...toColumns] : [],
      ),
    ),

  // What the question or its hint calls by name is meant, in whichever of the tables it stands.
  named: ({ tables }, index, text) => {
    const asked = ` ${nameWords(text).join(' ')} `;
    return [...tables].flatMap((id) =>
      (index.tables.get(id)?.columns ?? []).flatMap((column) => {
        const words = nameWords(column.name).join(' ');
        return words.length > 2 && asked.includes(` ${words} `) ? [column.id] : [];
      }),
    );
  },

  // A table with links to two of the tables is another way between them: posts, their history, users.
  bridges: ({ tables }, { tables: all, linksFrom }) =>
    [...all.keys()].flatMap((id) => {
      if (tables.has(id)) return [];
      const links = (linksFrom.get(id) ?? []).filter(({ toTable }) => tables.has(toTable));
      if (new Set(links.map(({ toTable }) => toTable)).size < 2) return [];
      return links.flatMap(({ fromColumns, toColumns }) => [...fromColumns, ...toColumns]);
    }),

  twins: findTwins,

  // Rows that one query counts by their key another counts by their name.
  display: ({ subjects }, { tables }) =>
    [...subjects].flatMap((id) =>
      (tables.get(id)?.columns ?? []).flatMap((column) =>
        /^(?:name|title)$/.test(nameWords(column.name).at(-1) ?? '') ? [column.id] : [],
      ),
    ),
};

/** The same fact kept a second time: a column of one name in a table about the same thing, with the keys to reach it. */
function findTwins({ fields }: SqlUse, { columns, keys, named, linksFrom }: KeyIndex): string[] {
  return [...fields].flatMap((id) => {
    const column = columns.get(id);
    if (column === undefined || keys.has(id)) return [];
    const own = new Set((linksFrom.get(column.tableId) ?? []).flatMap(({ toColumns }) => toColumns));
    return (named.get(column.name.toLowerCase()) ?? []).flatMap((twin) => {
      if (twin.tableId === column.tableId) return [];
      const shared = (linksFrom.get(twin.tableId) ?? []).filter(({ toColumns }) =>
        toColumns.every((key) => own.has(key)),
      );
      return shared.length === 0 ? [] : [twin.id, ...shared.flatMap(({ fromColumns }) => fromColumns)];
    });
  });
}
