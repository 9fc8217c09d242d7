import type { McpServer } from '@modelcontextprotocol/server';
import type { Session } from '../../../session/index.ts';
import { mayRead } from '../../catalog/notes-about.ts';
import { jsonResource } from './json-resource.ts';

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
