/** What every run does beside asking: its file, what it may cost, how long it will take. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CandorError } from '../../../errors.ts';
import type { EvaluationCase } from '../../corpus/index.ts';
import type { RunRecord } from './run-record.ts';

/** `<name>-<stamp>.jsonl` in a folder, which is made where it is missing. */
export async function newRunFile(
  out: string,
  name: string,
  now: () => Date = () => new Date(),
): Promise<string> {
  await mkdir(out, { recursive: true });
  return join(out, `${name}-${now().toISOString().replaceAll(':', '-').replace('Z', '')}.jsonl`);
}

/** Throws `test.cost-unknown` where a call has no price. */
export function isSpent(records: readonly Pick<RunRecord, 'use'>[], maxCost: number | undefined): boolean {
  if (maxCost === undefined) return false;
  const uses = records.flatMap(({ use }) => use ?? []);
  if (uses.some(({ cost }) => cost === undefined))
    throw new CandorError('test.cost-unknown', 'Nobody says what a token of this model costs.');
  return uses.reduce((sum, { cost = 0 }) => sum + cost, 0) >= maxCost;
}

/** Estimates the time left from the cases of this run. */
export class Pace {
  readonly #started = performance.now();
  #done = 0;
  readonly #total: number;

  constructor(total: number) {
    this.#total = total;
  }

  /** Seconds that are left after one more case. */
  step(): number {
    this.#done += 1;
    const perCase = (performance.now() - this.#started) / 1000 / this.#done;
    return perCase * (this.#total - this.#done);
  }
}

export type Half = 'even' | 'odd' | 'all';

export interface CaseSelection {
  /** Ask only this many cases, evenly spread over the suite. */
  readonly limit?: number;
  readonly half?: Half;
}

/** The half and the evenly spread sample that were asked for, grouped by database so that each opens once. */
export function selectCases<Case extends Pick<EvaluationCase, 'index' | 'databaseUrl'>>(
  cases: readonly Case[],
  { half = 'all', limit }: CaseSelection,
): Case[] {
  const rest = half === 'even' ? 0 : 1;
  const kept = half === 'all' ? cases : cases.filter(({ index }) => index % 2 === rest);
  const sample = evenlySpread(kept, limit);
  const urls = [...new Set(sample.map(({ databaseUrl }) => databaseUrl))];
  return urls.flatMap((url) => sample.filter(({ databaseUrl }) => databaseUrl === url));
}

/** So many of the items, evenly spread; all of them without a limit. */
export function evenlySpread<Item>(items: readonly Item[], limit: number = items.length): Item[] {
  const wanted = Math.min(limit, items.length);
  return Array.from({ length: wanted }, (_, i) => items[Math.floor((i * items.length) / wanted)]!);
}
