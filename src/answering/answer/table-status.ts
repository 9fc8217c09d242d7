/** Which tables people trust and which they advise against, in words. */
import type { Assumption } from '../../answer.ts';
import type { Session } from '../../session/index.ts';
import { items, parse } from '../../sql/index.ts';

type Known = Pick<Session, 'catalog' | 'authored'>;

/** `deprecated, use orders in its place: it stopped in May`; a replacement that is not in the catalog is not named. */
export function statusText(
  { status, why, replacedBy }: Known['authored']['statuses'][number],
  { tables }: Known['catalog'],
): string {
  const other = tables.find(({ id }) => id === replacedBy);
  const instead = other === undefined ? '' : `, use ${other.name} in its place`;
  return `${status}${instead}${why === undefined ? '' : `: ${why}`}`;
}

/** One for each deprecated table that a query reads. */
export function deprecatedTables(sql: string, { catalog, authored }: Known): readonly Assumption[] {
  const deprecated = authored.statuses.filter(({ status }) => status === 'deprecated');
  const parsed = deprecated.length === 0 ? undefined : parse(sql, catalog.dialect);
  if (parsed?.ok !== true) return [];
  const read = new Map(items(parsed.tree, catalog).tables.map(({ id, name }) => [id, name]));
  return deprecated.flatMap((said) => {
    const name = read.get(said.table);
    const text = `${name} is ${statusText(said, catalog).replace(/\.$/, '')}.`;
    return name === undefined ? [] : [{ kind: 'status', text } as const];
  });
}
