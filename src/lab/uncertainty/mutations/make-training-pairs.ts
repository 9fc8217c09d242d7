/** Gold queries of Spider train and BIRD train, and what models might have written in their place. */
import type { Catalog } from '../../../catalog/index.ts';
import { type ReadQuery, readQuery } from '../../../faults/index.ts';
import { seededRandom } from '../../../seeded-random.ts';
import type { LinkCase, LinkTrainingSetName } from '../../linking/index.ts';
import { readLinkSet } from '../../linking/index.ts';
import { TOLERATED_RATES, TOLERATED_SHARE } from './error-rates.ts';
import { keyOf, type Mutated, mutate, restyle } from './mutate.ts';
import { pickWeighted } from './near-columns.ts';
import type { Asked } from './site.ts';
import type { TrainingPair } from './training-pair.ts';

export interface TrainingPairOptions {
  readonly dataDirectory: string;
  readonly sets: readonly LinkTrainingSetName[];
  /** Candidates for each question; equal texts stay, as models repeat themselves. */
  readonly perQuestion: number;
  readonly seed: number;
  /** Questions of each set, evenly spread; absent: all. */
  readonly limit?: number;
  /** Names of databases; absent: all. */
  readonly only?: ReadonlySet<string>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: {
    readonly set: string;
    readonly done: number;
    readonly total: number;
  }) => void;
}

/** How likely a candidate is wrong, by question: some are easy and some hard, as for models. By judgement, not fitted. */
const DIFFICULTIES: readonly (readonly [wrong: number, share: number])[] = [
  [0.05, 0.25],
  [0.25, 0.25],
  [0.5, 0.2],
  [0.75, 0.15],
  [0.95, 0.15],
];
/** Wrong candidates that make the error which others of the question make too. */
const SHARED_ERROR = 0.45;
/** Of the wrong ones that share it, those with an error of their own beside it. */
const FURTHER_ERROR = 0.2;
/** Harmless changes of a candidate. */
const RESTYLINGS: readonly (readonly [edits: number, share: number])[] = [
  [0, 0.25],
  [1, 0.25],
  [2, 0.25],
  [4, 0.25],
];

/** Question by question, in the order of the sets; the same seed gives the same pairs. Throws `eval.data-missing`. */
export async function* makeTrainingPairs(options: TrainingPairOptions): AsyncGenerator<TrainingPair> {
  const { dataDirectory, sets, seed, only, limit = Number.POSITIVE_INFINITY, signal, onProgress } = options;
  for (const name of sets) {
    const set = await readLinkSet(name, {
      dataDirectory,
      ...(only === undefined ? {} : { only }),
      ...(name === 'bird-train' ? { descriptions: 'tasql' as const } : {}),
    });
    const total = Math.min(limit, set.cases.length);
    for (let done = 0; done < total; done += 1) {
      signal?.throwIfAborted();
      if (done % 500 === 0) onProgress?.({ set: name, done, total });
      const asked = set.cases[Math.floor((done * set.cases.length) / total)];
      const catalog = asked && set.databases.get(asked.database)?.catalog;
      const sql = asked?.goldSql;
      if (asked === undefined || catalog === undefined || sql === undefined) continue;
      const gold = readQuery(sql, catalog.dialect, catalog);
      // Sets leave out what does not parse; what is too large for the labeller is no training row either.
      if (gold.ok) yield* pairsOf({ set: name, asked, catalog, gold: gold.query }, options.perQuestion, seed);
    }
  }
}

export interface GoldCase {
  readonly set: string;
  readonly asked: Pick<LinkCase, 'id' | 'database' | 'question' | 'hint'>;
  readonly catalog: Catalog;
  readonly gold: ReadQuery;
}

/** The candidates of one question. */
export function pairsOf(
  { set, asked, catalog, gold }: GoldCase,
  count: number,
  seed: number,
): readonly TrainingPair[] {
  const questionId = `${set} ${asked.id}`;
  const { database, question, hint } = asked;
  const about = { questionId, database, catalog, question, hint, gold, weight: 1 / count };
  // A question's chance is its own: a question more or less changes nothing for the others.
  const writing: Writing = {
    gold,
    catalog,
    asked: { question, hint },
    random: seededRandom(seed ^ hashOf(questionId)),
  };
  const wrongShare = pickWeighted(writing.random, DIFFICULTIES) ?? 0.5;
  const shared = mutate(gold, catalog, writing.asked, writing.random);
  const goldKey = keyOf(gold);
  return Array.from({ length: count }, () => {
    const isWrong = writing.random() < wrongShare;
    const changed = isWrong ? drawError(writing, shared) : drawTolerated(writing);
    const styled = restyleSome(writing, changed?.query ?? gold);
    const generated = styled?.query ?? changed?.query ?? gold;
    const edits = [...(changed?.edits ?? []), ...(styled?.edits ?? [])];
    // Where no error can be made the candidate stays right; and two errors may undo each other.
    const right = !isWrong || changed === undefined || keyOf(generated) === goldKey;
    return { ...about, generated, edits, right };
  });
}

interface Writing {
  readonly gold: ReadQuery;
  readonly catalog: Catalog;
  readonly asked: Asked;
  readonly random: () => number;
}

/** The question's own error, with another now and then, or one that no other candidate has. */
function drawError(
  { gold, catalog, asked, random }: Writing,
  shared: Mutated | undefined,
): Mutated | undefined {
  if (shared === undefined || random() >= SHARED_ERROR) return mutate(gold, catalog, asked, random);
  const further =
    random() < FURTHER_ERROR ? mutate(shared.query, catalog, asked, random, { edits: 1 }) : undefined;
  return further === undefined ? shared : { ...further, edits: [...shared.edits, ...further.edits] };
}

/** What right queries of models have beside their gold, as often as they have it. */
function drawTolerated({ gold, catalog, asked, random }: Writing): Mutated | undefined {
  if (random() >= TOLERATED_SHARE) return;
  return mutate(gold, catalog, asked, random, { edits: 1, rates: TOLERATED_RATES });
}

function restyleSome({ catalog, asked, random }: Writing, query: ReadQuery): Mutated | undefined {
  const edits = pickWeighted(random, RESTYLINGS) ?? 0;
  return edits === 0 ? undefined : restyle(query, catalog, asked, random, { edits });
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
