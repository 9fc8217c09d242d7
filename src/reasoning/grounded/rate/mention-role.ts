import type { Mention } from '../mention/mention.ts';
import { COLUMN_ROLES, type QueryTraits } from './query-traits.ts';

/** Names worse than this are passed over. */
const NAMED = 0.6;
const MOST = 4;
/** The text of a mention has its marks. */
const QUOTES = /^["'“‘`]|["'”’`]$/g;

/** What a query uses the words of a mention for: a role of a column, a comparison with a value, a table, or nothing. */
export function mentionRole(mention: Mention, traits: QueryTraits): string {
  const texts = new Set(
    [
      ...mention.values.map(({ value }) => value),
      ...(mention.number === undefined ? [] : [mention.number]),
    ].map((value) => String(value).toLowerCase()),
  );
  if (mention.isQuoted) texts.add(mention.text.replace(QUOTES, '').trim().toLowerCase());
  const literal = traits.literals.find(({ text }) => texts.has(text));
  if (literal !== undefined) return literal.operator;
  const columns = mention.nouns
    .filter(({ kind, score }) => kind === 'column' && score >= NAMED)
    .slice(0, MOST);
  for (const { id } of columns) {
    const roles = traits.columns.get(id);
    const role = roles && COLUMN_ROLES.find((each) => roles.has(each));
    if (role !== undefined && role !== 'join') return role;
  }
  const isTable = mention.nouns.some(
    ({ kind, tableId, score }) => kind === 'table' && score >= NAMED && traits.tables.has(tableId),
  );
  return isTable ? 'table' : 'none';
}
