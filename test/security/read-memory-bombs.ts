import { readFileSync } from 'node:fs';

/** Statements that pass the guard of the engine and want more memory than a process of it may take. */
export function readMemoryBombs(engine: 'sqlite' | 'duckdb'): readonly string[] {
  const text = readFileSync(new URL(`../fixtures/guard/memory-${engine}.txt`, import.meta.url), 'utf8');
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('# '));
}
