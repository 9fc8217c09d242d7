import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { readMemoryBombs } from '../../test/security/read-memory-bombs.ts';
import type { BenchEngine } from '../make-motors-file.ts';
import { residentMb } from './overload.ts';
import { errorCode, send } from './send.ts';
import type { ServedMotors } from './serve-motors.ts';

/** Quick ones, for a run that only sees whether the bench works. */
const SMOKE_BOMBS = 2;
const AT_ONCE = 2;

export interface BombReport {
  readonly bombs: number;
  /** How many ended with which error. */
  readonly codes: Readonly<Record<string, number>>;
  /** Of the largest executor. */
  readonly peakMb: number;
}

/** All statements that want more memory than there may be, two at once, until `stop` or all are done. */
export async function explode(
  server: ServedMotors,
  engine: BenchEngine,
  isSmoke: boolean,
): Promise<BombReport> {
  const all = readMemoryBombs(engine);
  const bombs = isSmoke ? all.slice(0, SMOKE_BOMBS) : all;
  const codes: Record<string, number> = {};
  let peakMb = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      for (const id of executorsOf(server)) peakMb = Math.max(peakMb, residentMb(id));
      await wait(5);
    }
  })();
  const left = [...bombs];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let sql = left.shift(); sql !== undefined; sql = left.shift()) {
        const reply = await send(`${server.url}/v1/sql`, { key: server.keys.mallory ?? '', body: { sql } });
        const code = errorCode(reply) || `${reply.status} ${reply.body.slice(0, 80)}`;
        codes[code] = (codes[code] ?? 0) + 1;
      }
    }),
  );
  isOver = true;
  await watching;
  return { bombs: bombs.length, codes, peakMb };
}

/** Ids of the processes that read the server's database; none where there is no `/proc`. */
function executorsOf({ pid }: ServedMotors): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}
