import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { candorProgram } from '../fixtures/candor-program.ts';
import { ROOT } from './read-imports.ts';

const MAIN = join(ROOT, 'dist/cli/main.js');
/** A build of these sources: `npm test` makes one first. */
const isBuilt = existsSync(MAIN) && candorProgram()[0] === MAIN;

/** The packages and the bytes that Node reads before a file of the build runs: what it imports, and what that imports. */
function readAtStart(file: string): { packages: string[]; bytes: number; files: number } {
  const packages = new Set<string>();
  const found = new Map<string, number>();
  const walk = (path: string): void => {
    if (found.has(path)) return;
    const text = readFileSync(path, 'utf8');
    found.set(path, text.length);
    for (const [, specifier = ''] of text.matchAll(/\b(?:import|export)\b[^"'`;]*?["']([^"']+)["'];/g)) {
      if (specifier.startsWith('.')) walk(resolve(dirname(path), specifier));
      else if (!specifier.startsWith('node:')) packages.add(specifier);
    }
  };
  walk(file);
  const bytes = [...found.values()].reduce((sum, size) => sum + size, 0);
  return { packages: [...packages].sort(), bytes, files: found.size };
}

describe.skipIf(!isBuilt)('a start reads what it needs', () => {
  it('to list the commands: the grammar of the command line', () => {
    const { packages, bytes } = readAtStart(MAIN);
    expect(packages).toEqual([]);
    expect(bytes).toBeLessThan(80_000);
  });

  const compiled: readonly (readonly [command: string, settings: object])[] = [
    ['sql', { jitless: true }],
    ['eval', {}],
  ];
  it.each(compiled)('and of %s zod compiles what pays', (command, settings) => {
    const script = `
      const { main } = await import(${JSON.stringify(pathToFileURL(MAIN).href)});
      const quiet = { write: () => true };
      await main([${JSON.stringify(command)}, '--help'], { stdout: quiet, stderr: quiet });
      const { jitless } = globalThis.__zod_globalConfig;
      console.log(JSON.stringify({ jitless }));`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    expect(JSON.parse(stdout)).toEqual(settings);
  });

  it('to answer a question: a few files, no server, no adapter of models or engines, no laboratory', () => {
    const chunks = join(ROOT, 'dist/chunks');
    const [question, ...others] = readdirSync(chunks).filter((name) => /^question-[\w-]+\.js$/.test(name));
    expect(others).toEqual([]);
    const { packages, bytes, files } = readAtStart(join(chunks, question ?? ''));
    expect(packages).toEqual([]);
    expect(bytes).toBeLessThan(2_400_000);
    expect(files).toBeLessThanOrEqual(5);
  });
});
