import type { Database } from '../../../database/index.ts';
import { fnv1a } from '../../../lib/index.ts';
import { editInventory } from '../context/edit-context.ts';
import type { Inventory, MetricScope } from '../inventory/inventory.ts';
import {
  type BenchItem,
  CATEGORIES,
  type Category,
  countCategories,
  type Split,
} from '../items/bench-item.ts';
import { type Dice, makeDice } from '../items/seeded-random.ts';
import type { Structure } from '../items/structure.ts';
import { collectKnownWords, MUTATIONS, type Mutated, type MutationSource } from '../mutations/index.ts';
import { type Dropped, makeSeed, type Seed } from '../seeds/make-seed.ts';
import {
  PLAIN_SHAPES,
  type Shape,
  STEP_SHAPES,
  type Template,
  templatesOf,
} from '../templates/make-templates.ts';
import { checkTrace, writeTrace } from '../traces/write-trace.ts';

export interface SynthesisOptions {
  readonly inventory: Inventory;
  /** Through the guard. */
  readonly database: Database;
  /** The engine itself; see `MutationSource`. */
  readonly engine: Database;
  readonly seed: number;
  readonly split: Split;
  /** Items of each category. */
  readonly perCategory: number;
  /** Items of a run that stopped, in its order; the run goes on behind the last of them. */
  readonly done?: readonly BenchItem[];
  readonly onProgress?: (progress: SynthesisProgress) => void;
  readonly signal?: AbortSignal;
}

export interface SynthesisProgress {
  readonly made: number;
  readonly wanted: number;
  readonly perCategory: Readonly<Record<Category, number>>;
  readonly attempts: number;
  /** Seeds that were not kept, by why. */
  readonly dropped: Readonly<Partial<Record<Dropped | 'trace', number>>>;
}

/** Attempts without any item after which the categories still open are given up. */
const PATIENCE = 3_000;

/**
 * Items of all eight categories, each verified: seeds by two ways of working them out, mutations by their own checks,
 * traces by their citations. The same options give the same items in the same order. Ends before every category is
 * full where the database and its semantic model have nothing more to give.
 */
export async function* synthesise(options: SynthesisOptions): AsyncGenerator<BenchItem> {
  const run = new Run(options);
  const { inventory, split, signal } = options;
  const deck = makeTemplateDeck(inventory, split);
  const known = collectKnownWords(inventory);
  for (let idle = 0; run.isOpen() && idle < PATIENCE; idle++) {
    signal?.throwIfAborted();
    const attempt = run.nextAttempt();
    const dice = makeDice(options.seed, `attempt ${attempt}`);
    const template = deck.draw(run.openShapes(dice), dice);
    const seed = template === undefined ? 'unfilled' : await makeSeed(template, attempt, options, isOfSplit);
    if (typeof seed === 'string') {
      run.drop(seed);
      continue;
    }
    const source: MutationSource = { ...options, known, dice };
    for await (const item of itemsOf(seed, attempt, source, run)) {
      idle = 0;
      yield item;
    }
  }

  function isOfSplit(structure: Seed['structure']): boolean {
    return splitOf(structure) === split;
  }
}

/** The seed itself where it is wanted, and what is made of it for every category that is still open. */
async function* itemsOf(
  seed: Seed,
  attempt: number,
  source: MutationSource,
  run: Run,
): AsyncGenerator<BenchItem> {
  const own: Category = seed.structure.step === undefined ? 'standard' : 'multi_step';
  const seedId = run.idOf(attempt, own);
  const finish = (category: Category, mutated: Mutated): BenchItem | undefined =>
    run.accept(finished(mutated, { category, seed, seedId, id: run.idOf(attempt, category), run, source }));
  if (run.wants(own)) {
    const item = finish(own, itself(seed));
    if (item !== undefined) yield item;
  }
  for (const category of CATEGORIES.filter((each) => each !== own && run.wants(each))) {
    for (const { kind, mutate } of run.rarestFirst(category, source.dice)) {
      const mutated = await mutate(seed, source);
      const item = mutated === undefined ? undefined : finish(category, { ...mutated, kind });
      if (item === undefined) continue;
      yield item;
      break;
    }
  }
}

function itself({ template, worded, sql, otherSql }: Seed): Mutated {
  return {
    kind: template.shape,
    question: worded.question,
    due: { kind: 'answered' },
    gold: sql,
    goldKind: 'sql',
    ...(otherSql !== undefined && { otherGolds: [otherSql] }),
    edits: [],
  };
}

interface Finishing {
  readonly category: Category;
  readonly seed: Seed;
  readonly id: string;
  readonly seedId: string;
  readonly run: Run;
  readonly source: MutationSource;
}

/** With its trace; undefined where that does not stand. */
function finished(
  mutated: Mutated,
  { category, seed, id, seedId, run, source: { inventory } }: Finishing,
): BenchItem | undefined {
  const { edits } = mutated;
  const context = edits.length === 0 ? inventory : editInventory(inventory, edits, seed.scope.metric.name);
  const trace = writeTrace({ ...mutated, category }, seed, context);
  if (checkTrace(trace, category, context) !== undefined) {
    run.drop('trace');
    return undefined;
  }
  return {
    ...mutated,
    ...trace,
    ...{ id, category, seedId, split: run.split, now: inventory.now },
    citations: [...trace.citations],
    templateId: seed.template.id,
    entities: entityIds(seed.structure),
  };
}

/** What a run has made so far, and what it still wants. */
class Run {
  readonly split: Split;
  readonly #options: SynthesisOptions;
  readonly #made = new Map<Category, number>(CATEGORIES.map((category) => [category, 0]));
  readonly #kinds = new Map<string, number>();
  readonly #questions = new Set<string>();
  readonly #dropped = new Map<Dropped | 'trace', number>();
  #attempt: number;

  constructor(options: SynthesisOptions) {
    this.#options = options;
    this.split = options.split;
    const done = options.done ?? [];
    for (const item of done) this.#count(item);
    this.#attempt = done.reduce((last, { id }) => Math.max(last, attemptOf(id)), 0);
  }

  nextAttempt(): number {
    this.#attempt++;
    return this.#attempt;
  }

  idOf(attempt: number, category: Category): string {
    return `${this.split}-${this.#options.seed}-${attempt}-${category}`;
  }

  isOpen(): boolean {
    return CATEGORIES.some((category) => this.wants(category));
  }

  wants(category: Category): boolean {
    return (this.#made.get(category) ?? 0) < this.#options.perCategory;
  }

  /** Plain questions make every category but one; as many of the other as are still wanted of it. */
  openShapes(dice: Dice): readonly Shape[] {
    const wantsPlain = CATEGORIES.some((category) => category !== 'multi_step' && this.wants(category));
    if (!this.wants('multi_step')) return PLAIN_SHAPES;
    if (wantsPlain && dice.chance(0.5)) return [dice.pick(PLAIN_SHAPES)];
    const count = (shape: Shape): number => this.#kinds.get(`multi_step ${shape}`) ?? 0;
    // Some steps fail more often than others: those with few items are tried more.
    const [rarest] = dice.shuffle(STEP_SHAPES).sort((a, b) => count(a) - count(b));
    return [dice.chance(0.5) && rarest !== undefined ? rarest : dice.pick(STEP_SHAPES)];
  }

  /** Kinds of a category, those with the fewest items so far first. */
  rarestFirst(category: Category, dice: Dice): typeof MUTATIONS {
    const mine = dice.shuffle(MUTATIONS.filter((mutation) => mutation.category === category));
    const count = (kind: string): number => this.#kinds.get(`${category} ${kind}`) ?? 0;
    return mine.sort((a, b) => count(a.kind) - count(b.kind));
  }

  /** Counts an item; undefined where it is none, or its question stands already. */
  accept(item: BenchItem | undefined): BenchItem | undefined {
    if (item === undefined || this.#questions.has(questionKey(item))) return undefined;
    this.#count(item);
    this.#report();
    return item;
  }

  drop(reason: Dropped | 'trace'): void {
    this.#dropped.set(reason, (this.#dropped.get(reason) ?? 0) + 1);
    this.#report();
  }

  #count(item: BenchItem): void {
    this.#made.set(item.category, (this.#made.get(item.category) ?? 0) + 1);
    const kind = `${item.category} ${item.kind}`;
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    this.#questions.add(questionKey(item));
  }

  #report(): void {
    const { onProgress, perCategory } = this.#options;
    const count = (category: Category): number => this.#made.get(category) ?? 0;
    onProgress?.({
      made: CATEGORIES.reduce((sum, category) => sum + count(category), 0),
      wanted: perCategory * CATEGORIES.length,
      perCategory: countCategories(count),
      attempts: this.#attempt,
      dropped: Object.fromEntries(this.#dropped),
    });
  }
}

/** A question may stand once per category and context. */
function questionKey({ question, category, edits, errorSql = '' }: BenchItem): string {
  return JSON.stringify([category, question.toLowerCase(), edits, errorSql]);
}

function attemptOf(id: string): number {
  return Number(id.split('-')[2] ?? 0);
}

/** Draws templates of a split: a metric first, so that those with many dimensions do not crowd out the others. */
interface TemplateDeck {
  /** Undefined where the drawn metric has no template of that shape and split. */
  readonly draw: (shapes: readonly Shape[], dice: Dice) => Template | undefined;
}

/** How many filters people name: none in three of ten questions, two in two. */
const FILTERS = [0, 0, 0, 1, 1, 1, 1, 1, 2, 2] as const;

/** How often a metric is drawn that demands a dimension: few do, and only they lack it by their own definition. */
const DEMANDING = 0.15;

function makeTemplateDeck(inventory: Inventory, split: Split): TemplateDeck {
  const known = new Map<string, readonly Template[]>();
  const of = (scope: MetricScope, shape: Shape, filters: number): readonly Template[] => {
    const key = `${scope.metric.name}|${shape}|${filters}`;
    const found =
      known.get(key) ??
      templatesOf(scope, shape, inventory).filter(
        ({ id, filters: slots }) => slots.length === filters && splitOfTemplate(id) === split,
      );
    known.set(key, found);
    return found;
  };
  const demanding = inventory.metrics.filter(({ metric }) => metric.mandatoryDimensions.length > 0);
  return {
    draw: (shapes, dice) => {
      const metrics = demanding.length > 0 && dice.chance(DEMANDING) ? demanding : inventory.metrics;
      const templates = of(dice.pick(metrics), dice.pick(shapes), dice.pick(FILTERS));
      return templates.length === 0 ? undefined : dice.pick(templates);
    },
  };
}

const TEST = 0;
const VALID = 1;
const BUCKETS = 10;

/** Where a template belongs: a tenth each to test and validation. */
function splitOfTemplate(templateId: string): Split {
  return bucketOf(`template ${templateId}`);
}

/** Where a filled template belongs; undefined where template and combination of values are of different splits. */
export function splitOf(structure: Structure): Split | undefined {
  const split = splitOfTemplate(structure.templateId);
  const entities = entityIds(structure);
  if (entities.length === 0) return split;
  return bucketOf(`values ${entities.join('|')}`) === split ? split : undefined;
}

/** `dimension=value`, in order. */
function entityIds({ filters, step }: Structure): string[] {
  const all = step !== undefined && 'of' in step ? [...filters, step.of] : filters;
  return all.map(({ dimension, value }) => `${dimension}=${value}`).sort();
}

function bucketOf(text: string): Split {
  const bucket = fnv1a(text) % BUCKETS;
  if (bucket === TEST) return 'test';
  return bucket === VALID ? 'valid' : 'train';
}
