/** More people than can be served in time, each of whom asks again as soon as they may. */
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { errorCode, send } from './send.ts';
import type { ServedMotors } from './serve-motors.ts';

const QUESTIONS = [
  'how many orders in 2024?',
  'orders per month in 2024',
  'revenue per month in 2023',
  'top 5 dealers by orders in 2024',
  'how many test drives per region in 2024?',
  'average customer satisfaction per dealer in 2024',
];

export interface Overload {
  readonly answered: number;
  readonly sentAway: number;
  readonly errors: readonly string[];
  /** Until the work began, of those who were answered or sent away. */
  readonly longestWaitMs: number;
  readonly longestAnswerMs: number;
  readonly longestRefusalMs: number;
  readonly answeredOfEach: readonly number[];
  /** Memory of the server in the last third beside the second one. */
  readonly memoryRatio: number;
}

/** So many at once for so long: each asks in a chat, waits as long as `Retry-After` says, and asks again. */
export async function overload(server: ServedMotors, people: number, ms: number): Promise<Overload> {
  const found = { answered: 0, sentAway: 0, errors: [] as string[] };
  const longest = { wait: 0, answer: 0, refusal: 0 };
  const names = Object.keys(server.keys);
  const ofEach = new Map(names.map((name) => [name, 0]));
  const until = performance.now() + ms;
  const memory: number[] = [];
  const one = async (at: number): Promise<void> => {
    const name = names[at % names.length] ?? '';
    const key = server.keys[name] ?? '';
    const { body } = await send(`${server.url}/v1/chats`, { key, body: {} });
    const { id } = JSON.parse(body) as { id: string };
    for (let asked = at; performance.now() < until; asked += 1) {
      const text = QUESTIONS[asked % QUESTIONS.length];
      const reply = await send(`${server.url}/v1/chats/${id}/turns`, {
        ...{ key, body: { text }, accept: 'text/event-stream' },
      });
      longest.wait = Math.max(longest.wait, reply.firstMs);
      if (reply.status === 200 && reply.body.includes('event: done')) {
        found.answered += 1;
        ofEach.set(name, (ofEach.get(name) ?? 0) + 1);
        longest.answer = Math.max(longest.answer, reply.ms);
      } else if (reply.status === 429 && errorCode(reply) === 'server.overloaded') {
        found.sentAway += 1;
        longest.refusal = Math.max(longest.refusal, reply.ms);
        await wait(Math.min((reply.retryAfter ?? 1) * 1_000, Math.max(0, until - performance.now())));
      } else found.errors.push(`${reply.status} ${reply.body.slice(-300)}`);
    }
  };
  const asking = Promise.all(Array.from({ length: people }, (_, at) => one(at)));
  while (performance.now() < until) {
    await wait(Math.min(1_000, ms / 12));
    memory.push(residentMb(server.pid));
  }
  await asking;
  const third = Math.max(1, Math.floor(memory.length / 3));
  return {
    ...found,
    longestWaitMs: longest.wait,
    longestAnswerMs: longest.answer,
    longestRefusalMs: longest.refusal,
    answeredOfEach: [...ofEach.values()],
    memoryRatio: mean(memory.slice(-third)) / mean(memory.slice(third, 2 * third)),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}
