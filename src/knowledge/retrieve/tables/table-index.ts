/** What ranking needs of a catalog at once: families of tables and the words of their names. */
import {
  type Catalog,
  type Column,
  type ColumnProfile,
  type Table,
  tableOfColumn,
} from '../../../catalog/index.ts';
import type { SharedProfile } from '../../../catalog/share/index.ts';
import { indexTerms } from '../../search/search-terms.ts';
import { groupFamilies, type TableFamily } from './table-families.ts';

export interface TableIndex<Profile extends ColumnProfile = ColumnProfile> {
  readonly catalog: Catalog<Profile>;
  readonly families: readonly TableFamily<Profile>[];
  table(id: string): Table<Profile> | undefined;
  column(id: string): Column<Profile> | undefined;
  familyOf(tableId: string): TableFamily<Profile> | undefined;
  /** Families of the same schema and pattern, itself included: their columns differ a little. */
  siblings(family: TableFamily<Profile>): readonly TableFamily<Profile>[];
  /** Whether a name of a table or column has this word in some form: `orderline` for `OrderLines`. */
  isNameWord(word: string): boolean;
  /** By family: the share of its name, rare words counting more, that is among these terms. */
  nameCoverage(terms: readonly string[]): ReadonlyMap<TableFamily<Profile>, number>;
  /** Tables with this name, bare or with what stands before it. */
  named(name: string): readonly Table<Profile>[];
}

/** The same of a catalog that models may know. */
export type SharedTables = TableIndex<SharedProfile>;

/**
 * Reads the catalog once; a catalog restricted by an access policy has an index of its own. `known` is what need not be
 * found out: where the catalog is a part of a larger one, how much a term tells in a name; and keys of columns.
 */
export function indexTables<Profile extends ColumnProfile>(
  catalog: Catalog<Profile>,
  known: {
    readonly rarity?: (term: string) => number;
    readonly columnsKey?: (table: Table<Profile>) => string;
  } = {},
): TableIndex<Profile> {
  const families = groupFamilies(catalog, known.columnsKey);
  const familyOf = new Map(
    families.flatMap((family) => family.members.map(({ table }) => [table.id, family] as const)),
  );
  const tables = new Map(catalog.tables.map((table) => [table.id, table]));
  const siblings = groupBy(families, ({ siblingKey }) => [siblingKey]);
  let words: ReadonlySet<string> | undefined;
  const byName = groupBy(catalog.tables, namesOf);
  const names = families.map((family) => nameTerms(family));
  const familiesWith = groupBy(families, ({ index }) => [...(names[index] ?? [])]);
  const rarity =
    known.rarity ??
    ((term: string): number => Math.log(1 + families.length / (1 + (familiesWith.get(term)?.length ?? 0))));
  const weights = names.map((terms) => sum([...terms].map(rarity)));
  return {
    catalog,
    families,
    table: (id) => tables.get(id),
    column: (id) => tables.get(tableOfColumn(id, tables) ?? '')?.columns.find((column) => column.id === id),
    familyOf: (id) => familyOf.get(id),
    siblings: (family) => siblings.get(family.siblingKey) ?? [family],
    isNameWord: (word) => {
      words ??= nameTermsOf(catalog);
      return indexTerms(word).every((term) => words?.has(term));
    },
    nameCoverage: (terms) => {
      const covered = new Map<TableFamily<Profile>, number>();
      for (const term of new Set(terms))
        for (const family of familiesWith.get(term) ?? [])
          covered.set(family, (covered.get(family) ?? 0) + rarity(term) / (weights[family.index] ?? 1));
      return covered;
    },
    named: (name) => byName.get(name.toLowerCase()) ?? [],
  };
}

/** The terms of a family's name; of its schema where the name has numbers only. */
function nameTerms({ members: [first] }: TableFamily): ReadonlySet<string> {
  if (first === undefined) return new Set();
  const own = indexTerms(first.table.name.replace(/\p{N}+/gu, ' '));
  return new Set(own.length > 0 ? own : indexTerms(first.table.schema ?? ''));
}

/** Different names are few: hundreds of thousands of columns have ten thousand. */
function nameTermsOf({ tables }: Catalog): ReadonlySet<string> {
  const names = new Set(tables.flatMap(({ name, schema = '' }) => [name, schema]));
  for (const { columns } of tables) for (const { name } of columns) names.add(name);
  return new Set([...names].flatMap(indexTerms));
}

/** `orders`, `sales.orders`, `warehouse.sales.orders`. */
function namesOf({ id, name, schema, catalog }: Table): readonly string[] {
  const names = [id, name];
  if (schema !== undefined) names.push(`${schema}.${name}`);
  if (schema !== undefined && catalog !== undefined) names.push(`${catalog}.${schema}.${name}`);
  return [...new Set(names.map((each) => each.toLowerCase()))];
}

function groupBy<Item>(
  items: readonly Item[],
  keysOf: (item: Item) => readonly string[],
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    for (const key of keysOf(item)) {
      const known = groups.get(key);
      if (known === undefined) groups.set(key, [item]);
      else known.push(item);
    }
  }
  return groups;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** `orders_2024`, `sales.orders`, in quotes or not. */
const IDENTIFIER = /[\p{L}_][\p{L}\p{N}_$]*(?:\.[\p{L}_][\p{L}\p{N}_$]*){0,2}/gu;
const QUOTED = /["`“]([^"`”\n]{1,200})["`”]/gu;
const BEFORE = /\btables?\s+(?:(?:named|called)\s+)?["`“']?$/i;
const AFTER = /^["`”']?\s+tables?\b/i;
const MAX_NAMES = 200;

/** Tables that the question names as such. Only of tables in the index: what a reader may not see is not found. */
export function namedTables(question: string, tables: Pick<TableIndex, 'named'>): readonly Table[] {
  return [...new Set(namesIn(question).flatMap((name) => tables.named(name)))];
}

/**
 * What may be names of tables: written as an identifier (`order_items`, `sales.orders`), in quotes, or beside the word
 * table. `orders` in a sentence is a word, which ranking weighs.
 */
export function namesIn(question: string): readonly string[] {
  const names = new Set<string>();
  for (const [, quoted = ''] of question.matchAll(QUOTED)) names.add(quoted.trim());
  for (const { 0: name, index } of question.matchAll(IDENTIFIER)) {
    if (names.size >= MAX_NAMES) break;
    const isIdentifier = /[_.]|\p{L}\p{N}/u.test(name);
    const before = question.slice(Math.max(0, index - 40), index);
    const after = question.slice(index + name.length, index + name.length + 10);
    if (isIdentifier || BEFORE.test(before) || AFTER.test(after)) names.add(name);
  }
  return [...names];
}
