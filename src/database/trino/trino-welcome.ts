/**
 * What a server is asked first: how often it has what the URL names (what the account may not see counts as not there),
 * and in which zone it runs our statements.
 */
export function trinoWelcomeSql(catalog: string | undefined, schema: string | undefined): string {
  if (catalog === undefined) return 'SELECT 1, current_timezone()';
  const literal = (text: string): string => `'${text.toLowerCase().replaceAll("'", "''")}'`;
  const isThere = `FROM system.metadata.catalogs WHERE catalog_name = ${literal(catalog)}`;
  if (schema === undefined) return `SELECT count(*), current_timezone() ${isThere}`;
  return `SELECT count(*), current_timezone() FROM system.jdbc.schemas
    WHERE table_catalog = ${literal(catalog)} AND table_schem = ${literal(schema)}`;
}
