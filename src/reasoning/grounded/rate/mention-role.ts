import { type Mention, withoutQuotes } from '../mention/mention.ts';
import { COLUMN_ROLES, type QueryTraits } from './query-traits.ts';

/** Names worse than this are passed over. */
const NAMED = 0.6;
const MOST = 4;
/** What a query uses the words of a mention for: a role of a column, a comparison with a value, a table, or nothing. */
export function mentionRole(mention: Mention, traits: QueryTraits): string {
  const { texts, columns, tables } = meaningsOf(mention);
  const literal = traits.literals.find(({ text }) => texts.has(text));
  if (literal !== undefined) return literal.operator;
  for (const id of columns) {
    const roles = traits.columns.get(id);
    const role = roles && COLUMN_ROLES.find((each) => roles.has(each));
    if (role !== undefined && role !== 'join') return role;
  }
  return tables.some((id) => traits.tables.has(id)) ? 'table' : 'none';
}

/** What a mention may be in a query. */
interface Meanings {
  /** Of literals, in lower case. */
  readonly texts: ReadonlySet<string>;
  readonly columns: readonly string[];
  readonly tables: readonly string[];
}

/** Every candidate of a question asks for the same. */
const known = new WeakMap<Mention, Meanings>();

function meaningsOf(mention: Mention): Meanings {
  const before = known.get(mention);
  if (before !== undefined) return before;
  const { nouns, values, number, isQuoted } = mention;
  const texts = new Set(
    [...values.map(({ value }) => value), ...(number === undefined ? [] : [number])].map((value) =>
      String(value).toLowerCase(),
    ),
  );
  if (isQuoted) texts.add(withoutQuotes(mention).trim().toLowerCase());
  const named = nouns.filter(({ score }) => score >= NAMED);
  const meanings = {
    texts,
    columns: named.flatMap(({ kind, id }) => (kind === 'column' ? [id] : [])).slice(0, MOST),
    tables: named.flatMap(({ kind, tableId }) => (kind === 'table' ? [tableId] : [])),
  };
  known.set(mention, meanings);
  return meanings;
}
