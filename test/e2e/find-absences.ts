/** What an answer says to be absent, and where plain SQL and plain text find it all the same. */
import type { Answer } from '../../src/answer.ts';
import type { Session } from '../../src/session/project/session.ts';

/** The words that an answer says are nothing here, with the places where they are. */
export async function findUntrueAbsences(answer: Answer, session: Session): Promise<readonly string[]> {
  const untrue: string[] = [];
  for (const word of claimedIn(answer)) {
    const place = await findPlainly(word, session);
    if (place !== undefined) untrue.push(`“${word}” is in ${place}`);
  }
  return untrue;
}

/** The words that an answer says are not here; a project's own list of what is out of scope is its author's word. */
export function claimedIn(answer: Answer): readonly string[] {
  const said = answer.kind === 'reject' ? answer.message : answer.kind === 'abstain' ? answer.reason : '';
  const [claim] =
    /(?:[Nn]othing|There is no|no metric|no dimension) [^“]*(?:“[^”]*”(?: or )?)+/.exec(said) ?? [];
  return [...(claim ?? '').matchAll(/“([^”]+)”/g)].flatMap(([, word]) => word ?? []);
}

/** Where a word stands, or its singular: in a name, in what is written of something, or in an indexed column of texts. */
export async function findPlainly(
  word: string,
  { catalog, semantics, database, config, values }: Session,
): Promise<string | undefined> {
  const lower = word.toLowerCase();
  const forms = [...new Set([lower, lower.replace(/ies$/, 'y'), lower.replace(/s$/, '')])];
  const isIn = (text: string): boolean =>
    forms.some((form) =>
      new RegExp(`(?<![\\p{L}\\p{N}])${form.replace(/\W/g, '.')}s?(?![\\p{L}\\p{N}])`, 'iu').test(
        text.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' '),
      ),
    );
  for (const one of [...semantics.metrics, ...semantics.dimensions, ...semantics.datasets])
    if (isIn([one.name, ...one.synonyms, one.description ?? ''].join('\n'))) return one.name;
  for (const table of catalog.tables) {
    if (isIn(`${table.name}\n${table.comment ?? ''}`)) return table.id;
    for (const column of table.columns) if (isIn(`${column.name}\n${column.comment ?? ''}`)) return column.id;
  }
  const indexed = values.columns();
  for (const table of catalog.tables)
    for (const column of table.columns.filter(({ id }) => indexed.get(id)?.use === 'similar')) {
      const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
      const where = forms.map((form) => `${quote(column.name)} LIKE '%${form.replaceAll("'", "''")}%'`);
      // A value that is too long for the index is among those of which the answer says that they were not looked through.
      const sql = `SELECT DISTINCT ${quote(column.name)} FROM ${quote(table.name)} WHERE LENGTH(${quote(column.name)}) <= 80 AND (${where.join(' OR ')})`;
      const { rows } = await database.query(sql, config.limits);
      if (rows.some(([value]) => typeof value === 'string' && isIn(value))) return column.id;
    }
  return undefined;
}
