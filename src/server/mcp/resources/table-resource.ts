import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import type { Catalog, Table } from '../../../catalog/index.ts';
import { jsonResource } from './json-resource.ts';

/** A list says the first tables only: `search_catalog` and completion find the others. */
const MOST_LISTED = 100;
/** The protocol's own bound. */
const MOST_COMPLETIONS = 100;

const uriOf = (id: string): string => `candor://tables/${encodeURIComponent(id)}`;

/** `candor://tables/{id}`: one table with its columns, keys and comments. */
export function addTableResource(server: McpServer, catalog: Catalog): void {
  const template = new ResourceTemplate('candor://tables/{id}', {
    list: () => ({
      resources: catalog.tables.slice(0, MOST_LISTED).map(({ id, kind }) => ({
        uri: uriOf(id),
        name: id,
        description: kind,
        mimeType: 'application/json',
      })),
    }),
    complete: { id: (begun) => completions(catalog, begun) },
  });
  server.registerResource(
    'table',
    template,
    { description: 'A table: columns, types, keys, comments.', mimeType: 'application/json' },
    (uri, { id }) => {
      const written = String(id).toLowerCase();
      const table = catalog.tables.find(
        (each) => each.id === written || encodeURIComponent(each.id).toLowerCase() === written,
      );
      if (table === undefined)
        throw new ResourceNotFoundError(uri.href, 'There is no such table; search_catalog finds names.');
      return jsonResource(uri, { ...describe(table, catalog), untrusted: ['comment', 'columns.comment'] });
    },
  );
}

/** Ids that begin with what was typed, then those that hold it. */
function completions({ tables }: Catalog, begun: string): string[] {
  const typed = begun.toLowerCase();
  const ids = tables.map(({ id }) => id).filter((id) => id.includes(typed));
  const first = ids.filter((id) => id.startsWith(typed));
  return [...first, ...ids.filter((id) => !id.startsWith(typed))].slice(0, MOST_COMPLETIONS);
}

function describe(
  { id, name, kind, comment, columns, primaryKey, rowCount }: Table,
  { foreignKeys }: Catalog,
) {
  return {
    ...{ id, name, kind, comment, rowCount, primaryKey },
    columns: columns.map(({ name: column, type, isNullable, comment: said }) => ({
      ...{ name: column, type, isNullable, comment: said },
    })),
    foreignKeys: foreignKeys.filter(({ fromTable, toTable }) => fromTable === id || toTable === id),
  };
}
