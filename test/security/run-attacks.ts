import { readFileSync } from 'node:fs';
import { connect, type Database, guarded } from '../../src/database/index.ts';
import { CandorError } from '../../src/errors.ts';
import { type AttackWorld, CANARY } from './attack-world.ts';

/** What came of the attacks on one account. */
export interface AttackReport {
  readonly attacks: number;
  /** By the guard, before the engine saw them. */
  readonly refused: number;
  /** By the engine or its session; all that it stopped while the guard was off. */
  readonly stopped: number;
  /** Attacks that ran to their end, and gave rows. */
  readonly ran: readonly string[];
  /** Attacks whose rows or error held what stands in a file outside the database. */
  readonly read: readonly string[];
  /** What is not as it was before. */
  readonly changed: readonly string[];
  readonly connections: number;
}

export interface AttackRun {
  readonly account: string;
  readonly hasGuard: boolean;
  readonly attacks: readonly string[];
  /** For each attack; those that make the engine wait or count for ever end by it. */
  readonly timeoutMs: number;
}

const REFUSALS: ReadonlySet<string> = new Set(['database.not-read-only', 'sql.parse-failed']);

/** Runs all attacks, one after the other, on one connection pool, and looks at what is left behind. */
export async function runAttacks(
  world: AttackWorld,
  { account, hasGuard, attacks, timeoutMs }: AttackRun,
): Promise<AttackReport> {
  const before = await world.state();
  const connectionsBefore = world.connections();
  const open = await connect(world.urls[account] ?? '');
  const database = hasGuard ? guarded(open, { kind: 'own-queries' }) : open;
  const report = {
    attacks: attacks.length,
    refused: 0,
    stopped: 0,
    ran: [] as string[],
    read: [] as string[],
  };
  try {
    for (const sql of attacks) {
      const found = await runOne(database, world.aim(sql), timeoutMs);
      if (found.text.includes(CANARY)) report.read.push(sql);
      if (found.code === undefined) report.ran.push(sql);
      else if (REFUSALS.has(found.code) && hasGuard) report.refused += 1;
      else report.stopped += 1;
    }
    // While the sessions are still open, so that a lock they hold is seen.
    const changed = differences(before, await world.state());
    return { ...report, changed, connections: world.connections() - connectionsBefore };
  } finally {
    await open.close();
  }
}

/** Statements of a corpus that are of one kind, which its heading names. */
export interface AttackKind {
  readonly kind: string;
  readonly attacks: readonly string[];
}

/** The statements of a corpus, with what cannot stand in a line put back. */
export function readCorpus(name: string): readonly string[] {
  return readKinds(name).flatMap(({ attacks }) => attacks);
}

/** The same under the headings `# kind` they stand under; the first line of a corpus says what it is. */
export function readKinds(name: string): readonly AttackKind[] {
  const kinds: { kind: string; attacks: string[] }[] = [{ kind: name, attacks: [] }];
  const lines = readFileSync(new URL(`../fixtures/guard/${name}.txt`, import.meta.url), 'utf8').split('\n');
  for (const line of lines) {
    if (line.startsWith('#')) kinds.push({ kind: line.slice(2), attacks: [] });
    else if (line !== '') kinds.at(-1)?.attacks.push(restored(line));
  }
  return kinds.filter(({ attacks }) => attacks.length > 0);
}

function restored(line: string): string {
  return line.replaceAll('⏎', '\n').replaceAll('␍', '\r').replaceAll('␀', '\0');
}

interface RunOne {
  /** Of the failure; absent when rows came. */
  readonly code?: string;
  /** All that came out. */
  readonly text: string;
}

async function runOne(database: Database, sql: string, timeoutMs: number): Promise<RunOne> {
  try {
    const { rows } = await database.query(sql, { rows: 1_000, bytes: 1_000_000, timeoutMs });
    return { text: rows.flat().map(showCell).join('\n') };
  } catch (error) {
    if (!(error instanceof CandorError)) throw error;
    return { code: error.code, text: error.message };
  }
}

function showCell(cell: unknown): string {
  return cell instanceof Uint8Array ? Buffer.from(cell).toString('latin1') : String(cell);
}

function differences(before: string, after: string): readonly string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return [
    ...old.filter((line) => !now.includes(line)).map((line) => `- ${line}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `+ ${line}`),
  ];
}
