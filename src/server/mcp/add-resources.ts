import { ResourceTemplate } from '@modelcontextprotocol/server';
import { stringify } from 'yaml';
import { CandorError } from '../../errors.ts';
import type { McpDesk, ToolBench } from './mcp-desk.ts';

const SEMANTICS = 'candor://semantics';
const KNOWLEDGE = 'candor://knowledge';
const MOST_NAMES = 100;

/** What a client may read beside asking: figures, notes, and tables by name. */
export function addResources({ server, desk }: ToolBench): void {
  const { session } = desk;
  server.registerResource(
    'semantic model',
    SEMANTICS,
    { description: 'Metrics, dimensions and rules of this project', mimeType: 'application/yaml' },
    () => textOf(SEMANTICS, 'application/yaml', stringify(session.semantics)),
  );
  server.registerResource(
    'knowledge',
    KNOWLEDGE,
    { description: 'Notes and jargon that people wrote', mimeType: 'text/markdown' },
    () => textOf(KNOWLEDGE, 'text/markdown', knowledgeText(desk)),
  );
  const names = session.catalog.tables.map(({ id }) => id);
  const template = new ResourceTemplate('candor://tables/{id}', {
    list: undefined,
    complete: { id: (value) => names.filter((id) => id.includes(value.toLowerCase())).slice(0, MOST_NAMES) },
  });
  server.registerResource(
    'table',
    template,
    { description: 'Columns, types and keys of a table', mimeType: 'application/yaml' },
    (uri, { id }) => textOf(uri.href, 'application/yaml', tableText(String(id), desk)),
  );
}

function textOf(uri: string, mimeType: string, text: string) {
  return { contents: [{ uri, mimeType, text }] };
}

function knowledgeText({ session: { authored } }: McpDesk): string {
  const notes = authored.notes.map(({ text }) => `- ${text}`);
  const jargon = authored.jargon.map(({ term, meaning }) => `- **${term}**: ${meaning}`);
  return [...notes, ...jargon].join('\n');
}

function tableText(id: string, { session: { catalog } }: McpDesk): string {
  const table = catalog.tables.find((each) => each.id === decodeURIComponent(id));
  if (table === undefined)
    throw new CandorError('catalog.unknown-name', `there is no table ${id.slice(0, 200)}`);
  return stringify({
    id: table.id,
    ...(table.comment !== undefined && { description: table.comment }),
    columns: table.columns.map((column) => ({ name: column.name, type: column.type })),
  });
}
