/** Statements of up to 100,000 characters that are legal, read little and are hard to analyse. `areas` has a row filter. */
const MOST_CHARACTERS = 99_000;

export interface HostileStatement {
  readonly what: string;
  readonly sql: string;
}

export function hostileStatements(isSmoke: boolean): readonly HostileStatement[] {
  const most = isSmoke ? 4_000 : MOST_CHARACTERS;
  return [
    {
      what: 'common tables, each of the restricted one',
      sql: `WITH ${fill(most, ', ', (at) => `c${at} AS (SELECT area_id FROM areas)`)} SELECT COUNT(*) FROM c0`,
    },
    {
      what: 'common tables, each of the one before',
      sql: `WITH c0 AS (SELECT area_id FROM areas), ${fill(most, ', ', (at) => `c${at + 1} AS (SELECT area_id FROM c${at})`)} SELECT COUNT(*) FROM c1`,
    },
    {
      what: 'columns',
      sql: `SELECT ${fill(most, ',', (at) => `a${at % 2}`)} FROM areas`.replaceAll(/\ba[01]\b/g, '1'),
    },
    {
      what: 'columns of the restricted table',
      sql: `SELECT ${fill(most, ', ', () => 'area_id')} FROM areas`,
    },
    { what: 'tables', sql: `SELECT COUNT(*) FROM ${fill(most, ', ', (at) => `areas AS t${at}`)}` },
    {
      what: 'subqueries one in the other',
      sql: nested(Math.floor(most / 60)),
    },
    { what: 'set operations', sql: fill(most, ' UNION ALL ', () => 'SELECT area_id FROM areas') },
    {
      what: 'conditions',
      sql: `SELECT COUNT(*) FROM areas WHERE ${fill(most, ' OR ', (at) => `area_id = ${at}`)}`,
    },
    { what: 'brackets', sql: `SELECT ${'('.repeat(most / 2 - 20)}1${')'.repeat(most / 2 - 20)}` },
  ];
}

function fill(most: number, separator: string, part: (at: number) => string): string {
  const parts: string[] = [];
  for (let [at, length] = [0, 100]; length < most; at += 1) {
    const next = part(at);
    parts.push(next);
    length += next.length + separator.length;
  }
  return parts.join(separator);
}

function nested(depth: number): string {
  let sql = 'SELECT area_id FROM areas';
  for (let at = 0; at < depth; at += 1) sql = `SELECT area_id FROM (${sql}) AS d${at}`;
  return sql;
}
