import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** This program as another one starts it from any folder: absolute paths, no shell. */
export function ownCommand(args: readonly string[]): {
  readonly command: string;
  readonly args: readonly string[];
} {
  const isSource = import.meta.url.endsWith('.ts');
  const main = fileURLToPath(new URL(isSource ? './main.ts' : './main.js', import.meta.url));
  const loader = isSource ? ['--import', `file://${createRequire(import.meta.url).resolve('tsx')}`] : [];
  return { command: process.execPath, args: [...loader, main, ...args] };
}
