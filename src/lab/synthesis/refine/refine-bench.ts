import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Database } from '../../../database/index.ts';
import { CandorError } from '../../../errors.ts';
import { CostCounter, startBudget, TokenLedger } from '../../../model/index.ts';
import { benchByModel, writeByModel } from '../../../reasoning/llm/index.ts';
import type { Session, SessionModels } from '../../../session/index.ts';
import { readBench, reopenItems } from '../build/build-bench.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import type { BenchItem } from '../items/bench-item.ts';
import { type KeptBecause, type Refined, type Refining, refineItem } from './refine-item.ts';

export interface RefineBenchOptions {
  readonly session: Session;
  /** The same database without the guard. */
  readonly engine: Database;
  readonly models: SessionModels;
  /** The day that "today" means, YYYY-MM-DD. */
  readonly now: string;
  /** What `candor bench build` wrote, and the file to write. */
  readonly from: string;
  readonly to: string;
  /** `to` was begun by an earlier run and is gone on with. */
  readonly resume: boolean;
  readonly samples: number;
  /** Items at once. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

export interface RefineReport {
  readonly file: string;
  /** Of this run; those of the runs it goes on from are in the file. */
  readonly reworded: number;
  readonly kept: Readonly<Record<KeptBecause, number>>;
  readonly dropped: readonly { readonly id: string; readonly sql: string; readonly because: string }[];
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** In US dollars; absent where the price of a call is not known. */
  readonly cost?: number;
  /** False after a cancel. */
  readonly isComplete: boolean;
}

/**
 * Betters the items of a file in their order, each written as soon as those before it are, so that a run that stops goes on
 * behind its last item. Throws `bench.file-exists`, `bench.needs-values`, `bench.other-project`, `eval.run-invalid` and
 * what the model throws.
 */
export async function refineBench(options: RefineBenchOptions): Promise<RefineReport> {
  const { session, models, from, to, now, signal } = options;
  if (models.answers.isPrivate === true)
    throw new CandorError('bench.needs-values', 'The questions of a benchmark hold stored values.');
  const items = await readBench(from);
  const todo = items.slice(await placeToStart(items, options));
  const inventory = await readInventory({ ...session, now, signal });
  const ledger = new TokenLedger();
  const cost = new CostCounter();
  const refining: Refining = {
    ...options,
    ...{ inventory, ledger, config: session.config, database: session.database },
    openRoles: () => openRoles(models, cost),
  };
  const tally = new Tally();
  await mkdir(dirname(to), { recursive: true });
  const lines = await open(to, 'a');
  let done = items.length - todo.length;
  try {
    for await (const refined of inOrder(todo, options.concurrency, (item) => refineItem(item, refining))) {
      if (refined.kind !== 'dropped') await lines.appendFile(`${JSON.stringify(refined.item)}\n`);
      tally.add(refined);
      done += 1;
      options.onProgress?.({ done, total: items.length });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await lines.close();
  }
  const sum = (of: 'promptTokens' | 'completionTokens'): number =>
    ledger.entries.reduce((total, entry) => total + entry[of], 0);
  return {
    file: to,
    ...tally.counts,
    calls: ledger.entries.length,
    promptTokens: sum('promptTokens'),
    completionTokens: sum('completionTokens'),
    ...(cost.dollars !== undefined && { cost: cost.dollars }),
    isComplete: done === items.length,
  };
}

function openRoles({ answers, budget }: SessionModels, cost: CostCounter): ReturnType<Refining['openRoles']> {
  const counted = cost.counted(answers);
  const model = budget === undefined ? counted : startBudget(budget)(counted);
  return { bench: benchByModel(model), writer: writeByModel(model) };
}

/** Behind the last item of the file that is gone on with: what was dropped before it is not asked for again. */
async function placeToStart(
  items: readonly BenchItem[],
  { to, resume }: Pick<RefineBenchOptions, 'to' | 'resume'>,
): Promise<number> {
  const places = new Map(items.map(({ id }, place) => [id, place]));
  const written = await reopenItems(to, resume, ({ id }) =>
    places.has(id) ? undefined : `was made of other items: it holds ${id}`,
  );
  const last = written.at(-1);
  return last === undefined ? 0 : (places.get(last.id) ?? 0) + 1;
}

/** Work on several items at once, its results in the order of the items. The first failure ends it. */
async function* inOrder<Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  let next = 0;
  const begin = (): void => {
    const item = items[next++];
    if (item === undefined) return;
    const result = work(item);
    // One that fails behind another is told when its turn comes, or not at all.
    result.catch(() => undefined);
    running.push(result);
  };
  for (let at = 0; at < most; at++) begin();
  for (let first = running.shift(); first !== undefined; first = running.shift()) {
    const result = await first;
    begin();
    yield result;
  }
}

class Tally {
  #reworded = 0;
  readonly #kept: Record<KeptBecause, number> = { 'no-usable-words': 0, 'samples-disagree': 0 };
  readonly #dropped: RefineReport['dropped'][number][] = [];

  add(refined: Refined): void {
    if (refined.kind === 'reworded') this.#reworded++;
    else if (refined.kind === 'kept') this.#kept[refined.because]++;
    else this.#dropped.push({ id: refined.id, sql: refined.sql, because: refined.because });
  }

  get counts(): Pick<RefineReport, 'reworded' | 'kept' | 'dropped'> {
    return { reworded: this.#reworded, kept: this.#kept, dropped: this.#dropped };
  }
}
