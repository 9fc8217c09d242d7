import type { ServerDescription } from '../interface/database.ts';
import type { MysqlProduct } from '../session-settings/index.ts';
import type { ReadCatalogRows } from './mysql-connection.ts';

const READ_ONLY_BY =
  'a READ ONLY transaction and session for each statement, reset afterwards; one prepared statement; LOCAL INFILE off';

/** What a reader needs, and what reveals no more than names. */
const HARMLESS: ReadonlySet<string> = new Set([
  'SELECT',
  'USAGE',
  'SHOW VIEW',
  'SHOW DATABASES',
  'SHOW_ROUTINE',
]);

/** The server's version, the account, and the rights it has beyond reading. */
export async function describeMysql(
  product: MysqlProduct,
  read: ReadCatalogRows,
): Promise<ServerDescription> {
  let user = '';
  await read('SELECT CURRENT_USER()', ([name]) => {
    user = String(name);
  });
  const excessRights: string[] = [];
  await read('SHOW GRANTS', ([text]) => excessRights.push(...excessOf(String(text))));
  const version = /^[\d.]+/.exec(product.version)?.[0] ?? product.version;
  const title = product.isMariadb ? 'MariaDB' : 'MySQL';
  return { product: `${title} ${version}`, user, readOnlyBy: READ_ONLY_BY, excessRights };
}

/** ``GRANT SELECT, INSERT (`a`) ON `shop`.* TO …``; lines of roles and proxies name no object. */
function excessOf(grant: string): readonly string[] {
  const match = /^GRANT (.+?) ON (\S+) TO /.exec(grant.replace(/ \([^)]*\)/g, ''));
  const [, rights = '', object = ''] = match ?? [];
  return rights
    .split(',')
    .map((right) => right.trim())
    .filter((right) => right !== '' && !HARMLESS.has(right))
    .map((right) => `${right} on ${object.replaceAll('`', '')}`);
}
