import { readFileSync } from 'node:fs';

/** The version of this package, from its package.json. */
export const VERSION = readVersion();

function readVersion(): string {
  const found: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  if (typeof found === 'object' && found !== null && 'version' in found && typeof found.version === 'string')
    return found.version;
  throw new TypeError('package.json has no version');
}
