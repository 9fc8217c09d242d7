import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { candorProgram } from '../../test/fixtures/candor-program.ts';
import { type BenchEngine, makeMotorsFile } from '../make-motors-file.ts';

const ROOT = join(import.meta.dirname, '../..');

export interface ServedMotors {
  readonly url: string;
  /** Keys of its people, by their names. */
  readonly keys: Readonly<Record<string, string>>;
  readonly pid: number;
  /** The database, which the executors name among their arguments. */
  readonly path: string;
  stop(): Promise<void>;
}

export interface MotorsSettings {
  readonly engine: BenchEngine;
  readonly scale: number;
  readonly people: readonly string[];
  readonly memoryBytes: number;
  readonly mostWaitMs: number;
  readonly timeoutMs: number;
}

/** `candor serve` over a Motors database of its own, with people and a row filter, on this machine alone. */
export async function serveMotors(settings: MotorsSettings): Promise<ServedMotors> {
  const { engine, scale, people, memoryBytes, mostWaitMs, timeoutMs } = settings;
  const folder = mkdtempSync(join(tmpdir(), 'candor-hostile-bench-'));
  const path = join(folder, `motors.${engine}`);
  for (const part of ['knowledge', 'semantics', 'examples'])
    cpSync(join(ROOT, 'examples/motors', part), join(folder, part), { recursive: true });
  restrictAreas(join(folder, 'semantics', 'motors.yml'));
  await makeMotorsFile(join(folder, 'made.db'), engine, scale);
  // The writer's lock lasts until its statements are collected; the copy has none.
  copyFileSync(join(folder, 'made.db'), path);
  writeFileSync(
    join(folder, 'candor.yml'),
    [
      `database: ${engine}:${path}`,
      'today: 2024-12-31',
      `limits: { timeoutMs: ${timeoutMs} }`,
      `embedded: { memoryBytes: ${memoryBytes} }`,
      `server: { mostWaitMs: ${mostWaitMs}, groups: { staff: {} } }`,
    ].join('\n'),
  );
  const program = candorProgram();
  const run = (args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...program, ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`candor ${args[0]} ended with ${status}: ${stderr}`);
    return stdout.trim();
  };
  run(['onboard', '--quiet']);
  const keys = Object.fromEntries(
    people.map((name) => [name, run(['users', 'add', name, '--group', 'staff'])]),
  );
  const child = spawn(
    process.execPath,
    [...program, 'serve', '--sign-in', '--port', '0', '--output', 'json', '--quiet'],
    { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const said = await new Promise<string>((resolve) =>
    child.stdout.once('data', (part) => resolve(`${part}`)),
  );
  return {
    ...{ url: (JSON.parse(said) as { url: string }).url, keys, pid: child.pid ?? 0, path },
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => {
          rmSync(folder, { recursive: true, force: true });
          resolve();
        });
        child.kill('SIGTERM');
      }),
  };
}

/** A policy that hides nothing, so that each place of the table is rewritten. */
function restrictAreas(path: string): void {
  const text = readFileSync(path, 'utf8');
  const place = '              display_column: areas.city_name\n';
  if (!text.includes(place)) throw new Error('The semantic model of Motors has another form.');
  writeFileSync(path, text.replace(place, `${place}              row_filter: "area_id >= 0"\n`));
}
