import type { McpServer } from '@modelcontextprotocol/server';
import type { Session } from '../../../session.ts';
import { jsonResource } from './json-resource.ts';

/** `candor://knowledge`: notes and jargon that people wrote down, each with its place. */
export function addKnowledgeResource(server: McpServer, { authored, config, hiddenTables }: Session): void {
  server.registerResource(
    'knowledge',
    'candor://knowledge',
    { description: 'Notes and jargon that people wrote down.', mimeType: 'application/json' },
    (uri) => {
      const notes = authored.notes
        .filter(
          ({ user, tables }) =>
            (user ?? config.user) === config.user && !tables.some((id) => hiddenTables.has(id)),
        )
        .map(({ text, kind, topic, place, tables }) => ({ text, kind, topic, place, tables }));
      return jsonResource(uri, { notes, jargon: authored.jargon, untrusted: ['notes', 'jargon'] });
    },
  );
}
