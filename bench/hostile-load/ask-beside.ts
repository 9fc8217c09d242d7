/** What one person waits for while another does as they like. */
import { setTimeout as wait } from 'node:timers/promises';
import { median, percentile } from '../figures.ts';
import { send } from './send.ts';
import type { ServedMotors } from './serve-motors.ts';

const QUESTION = { question: 'how many orders in 2024?' };
const PAUSE_MS = 100;
const HEALTH_EVERY_MS = 25;

export interface Waits {
  readonly questions: readonly number[];
  readonly health: readonly number[];
  /** Questions that were not answered, by what came instead. */
  readonly failed: readonly string[];
}

/** Asks a small question and looks at `/health` again and again, for so long and so many questions at least. */
export async function askFor(server: ServedMotors, ms: number, least: number): Promise<Waits> {
  const waits = { questions: [] as number[], health: [] as number[], failed: [] as string[] };
  const until = performance.now() + ms;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      waits.health.push((await send(`${server.url}/health`)).ms);
      await wait(HEALTH_EVERY_MS);
    }
  })();
  while (performance.now() < until || waits.questions.length < least) {
    const reply = await send(`${server.url}/v1/ask`, { key: server.keys.ana ?? '', body: QUESTION });
    const isAnswered = reply.status === 200 && JSON.parse(reply.body).kind === 'answered';
    if (isAnswered) waits.questions.push(reply.ms);
    else waits.failed.push(`${reply.status} ${reply.body.slice(0, 200)}`);
    if (waits.failed.length > 20) break;
    await wait(PAUSE_MS);
  }
  isOver = true;
  await watching;
  return waits;
}

export interface DisturbedRow {
  readonly [key: string]: string | number;
}

/** The same person's waits, beside those of the idle server. */
export function rowOf(what: string, idle: Waits, waits: Waits, hostile: number): DisturbedRow {
  const ratio = (p: number): number =>
    waits.questions.length === 0
      ? Number.POSITIVE_INFINITY
      : percentile(waits.questions, p) / percentile(idle.questions, p);
  return {
    what,
    hostile,
    questions: waits.questions.length,
    failed: waits.failed.length,
    idleMedianMs: median(idle.questions),
    medianRatio: ratio(0.5),
    p95Ratio: ratio(0.95),
    healthP99Ms: percentile(waits.health, 0.99),
  };
}

/** Sends again and again, so many at once, until it is stopped; gives how many were replied to. */
export function sendOnAndOn(
  server: ServedMotors,
  bodies: readonly unknown[],
  atOnce: number,
): { stop(): Promise<number> } {
  let isOver = false;
  let replies = 0;
  const senders = Array.from({ length: atOnce }, async (_, sender) => {
    for (let at = sender; !isOver; at += 1) {
      const body = bodies[at % bodies.length];
      const reply = await send(`${server.url}/v1/sql`, { key: server.keys.mallory ?? '', body });
      replies += 1;
      if (reply.status === 429) await wait((reply.retryAfter ?? 1) * 1_000);
    }
  });
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(senders);
      return replies;
    },
  };
}
