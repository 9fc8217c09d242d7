import type { Config } from '../../config/index.ts';
import { redactUrl } from '../../database/index.ts';

export type Places = Pick<Config, 'root' | 'derivedDirectory' | 'databaseUrl'>;

/**
 * A text for people who need not know where the project lies and what it connects to: folders of the machine are left out of
 * paths, and the address of the database out of messages. Whoever runs the server finds both in its settings.
 */
export function withoutPlaces(text: string, { root, derivedDirectory, databaseUrl }: Places): string {
  const url = redactUrl(databaseUrl);
  const address = /^[a-z][a-z0-9+.-]+:\/\/(?:[^/?#@]*@)?([^/?#]+)/i.exec(url)?.[1];
  const path = /^(?:sqlite|duckdb):(?:\/\/)?(.*?)(?:\?.*)?$/i.exec(url)?.[1];
  let shown = text.replaceAll(databaseUrl, 'the database').replaceAll(url, 'the database');
  if (address !== undefined) shown = shown.replaceAll(` at ${address}`, '').replaceAll(address, 'the server');
  for (const folder of [derivedDirectory, root]) shown = withoutFolder(shown, folder);
  if (path !== undefined && /[/\\]/.test(path)) shown = shown.replaceAll(path, lastPart(path));
  return shown;
}

/** A folder and all that it lies in: `/srv/shop/notes/a.md` → `notes/a.md`. */
function withoutFolder(text: string, folder: string): string {
  if (folder.length < 2) return text;
  return text.replaceAll(`${folder}/`, '').replaceAll(`${folder}\\`, '').replaceAll(folder, lastPart(folder));
}

function lastPart(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== '') ?? '';
}
