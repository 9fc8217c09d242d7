import {
  type McpServer,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { type Catalog, type Table, tableOfColumn } from '../../../catalog/index.ts';
import { toJsonValue } from '../../../results/index.ts';
import type { Session } from '../../../session/index.ts';
import { mayRead } from '../../catalog/notes-about.ts';

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

function jsonResource(uri: URL, value: unknown): ReadResourceResult {
  const text = JSON.stringify(toJsonValue(value), null, 1);
  return { contents: [{ uri: uri.href, mimeType: 'application/json', text }] };
}

/** `candor://knowledge`: notes and jargon that people wrote down, each with its place. */
export function addKnowledgeResource(server: McpServer, session: Session): void {
  const { authored } = session;
  server.registerResource(
    'knowledge',
    'candor://knowledge',
    { description: 'Notes and jargon that people wrote down.', mimeType: 'application/json' },
    (uri) => {
      const notes = authored.notes
        .filter((note) => mayRead(note, session))
        .map(({ text, kind, topic, place, tables }) => ({ text, kind, topic, place, tables }));
      return jsonResource(uri, { notes, jargon: authored.jargon, untrusted: ['notes', 'jargon'] });
    },
  );
}

/** `candor://semantics`: the business words of the database, without the access policy and what it hides. */
export function addSemanticsResource(server: McpServer, session: Session): void {
  server.registerResource(
    'semantics',
    'candor://semantics',
    {
      description:
        'The semantic model: metrics, dimensions, joins, time rules, words that are refused or asked about.',
      mimeType: 'application/json',
    },
    (uri) => jsonResource(uri, readable(session)),
  );
}

function readable({ semantics, hiddenTables }: Session) {
  const isSeen = (table: string | undefined): boolean => table === undefined || !hiddenTables.has(table);
  const { datasets, relationships, metrics, dimensions, valueMappings, ...rest } = semantics;
  return {
    ...rest,
    datasets: datasets
      .filter(({ table }) => isSeen(table))
      .map(({ rowFilter: _filter, columnMasks: _masks, isTrustedView: _trusted, ...dataset }) => dataset),
    relationships: relationships.filter(({ from, to }) => isSeen(from) && isSeen(to)),
    metrics: metrics.filter(({ table }) => isSeen(table)),
    dimensions: dimensions.filter(({ table }) => isSeen(table)),
    valueMappings: valueMappings.filter(({ column }) => isSeen(tableOfColumn(column, hiddenTables))),
  };
}
