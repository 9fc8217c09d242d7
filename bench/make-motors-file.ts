import { rm } from 'node:fs/promises';
import { generateMotors } from '../src/demo/motors/generate-motors.ts';
import { MOTORS_TABLES } from '../src/demo/motors/tables.ts';
import { openDuckdbWriter } from '../src/demo/write-duckdb.ts';
import { openSqliteWriter } from '../src/demo/write-sqlite.ts';

export type BenchEngine = 'sqlite' | 'duckdb';

const SEED = 7;

/** Writes a Motors database and gives its rows. `makeMotors` ends at the demo's full size; a bench goes beyond it. */
export async function makeMotorsFile(path: string, engine: BenchEngine, scale: number): Promise<number> {
  await rm(path, { force: true });
  const writer =
    engine === 'sqlite' ? openSqliteWriter(path, MOTORS_TABLES) : await openDuckdbWriter(path, MOTORS_TABLES);
  let rows = 0;
  for (const row of generateMotors({ seed: SEED, scale })) {
    await writer.add(row);
    rows += 1;
  }
  await writer.finish();
  return rows;
}
