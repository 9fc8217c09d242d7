import type { McpServer } from '@modelcontextprotocol/server';
import { tableOfColumn } from '../../../catalog/index.ts';
import type { Session } from '../../../session/index.ts';
import { jsonResource } from './json-resource.ts';

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
