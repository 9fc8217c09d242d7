/** SQL that real systems predicted for BIRD dev, by set-up: the hypotheses of replay. */

import { join } from 'node:path';
import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import { compareText } from '../../lib/index.ts';
import { readJsonLines } from './sets/read-json-lines.ts';

const ROW = z.object({
  qid: z.number(),
  db_id: z.string(),
  pred: z.string(),
  label: z.number().nullish(),
  models: z.array(z.string()),
});

/** The published split over databases: nothing is chosen or tuned on these. */
export const TEST_DATABASES: ReadonlySet<string> = new Set([
  'california_schools',
  'card_games',
  'toxicology',
]);

export interface Predictions {
  /** By set-up, then by case id of the set `bird`: its first prediction. */
  readonly sqlOf: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Every set-up, strongest first. */
  readonly setups: readonly Setup[];
}

export interface Setup {
  /** System and model as the data names them: `RSL-SQL final_sql|gpt-4o`. */
  readonly name: string;
  readonly questions: number;
  /** Right among its labelled predictions outside the test databases; labels are the data's own. */
  readonly accuracy: number;
  readonly labelled: number;
}

/** Set-ups that were shown the gold schema are left out. Throws `eval.data-missing`. */
export async function readPredictions(dataDirectory: string): Promise<Predictions> {
  const rows = await readJsonLines(join(dataDirectory, 'preds', 'bird_dev.jsonl.gz'), ROW);
  const sqlOf = new Map<string, Map<string, string>>();
  const labels = new Map<string, number[]>();
  for (const { qid, db_id, pred, label, models } of rows) {
    for (const name of models) {
      if (/gold/i.test(name)) continue;
      const own = sqlOf.get(name) ?? new Map<string, string>();
      sqlOf.set(name, own);
      if (!own.has(String(qid))) own.set(String(qid), pred);
      if (label == null || TEST_DATABASES.has(db_id)) continue;
      labels.set(name, [...(labels.get(name) ?? []), label]);
    }
  }
  const setups = [...sqlOf].map(([name, own]): Setup => {
    const judged = labels.get(name) ?? [];
    const right = judged.filter((label) => label === 1).length;
    const accuracy = judged.length === 0 ? 0 : right / judged.length;
    return { name, questions: own.size, accuracy, labelled: judged.length };
  });
  setups.sort((a, b) => b.accuracy - a.accuracy || compareText(a.name, b.name));
  return { sqlOf, setups };
}

/** Questions and labels that a set-up needs for its accuracy to mean something. */
const LEAST_QUESTIONS = 1_500;
const LEAST_LABELLED = 250;

/**
 * The strongest set-ups of different systems and different models, by the accuracy outside the test databases. A rule
 * written before it was measured: two set-ups of one system share its prompts, two of one model its habits, so that
 * their agreement would say little.
 */
export function chooseSetups(setups: readonly Setup[], count: number): readonly string[] {
  const chosen: string[] = [];
  const taken = new Set<string>();
  for (const { name, questions, labelled } of setups) {
    const [system = '', model = ''] = name.split('|');
    const kin = [`system ${firstWord(system)}`, `model ${bareModel(model)}`];
    const isJudged = questions >= LEAST_QUESTIONS && labelled >= LEAST_LABELLED && model !== 'unknown';
    if (!isJudged || kin.some((key) => taken.has(key))) continue;
    chosen.push(name);
    for (const key of kin) taken.add(key);
    if (chosen.length === count) return chosen;
  }
  throw new CandorError(
    'eval.data-missing',
    `the predictions have ${chosen.length} set-ups of different systems and models, ${count} are asked for`,
  );
}

/** `RSL-SQL final_sql` → `rsl-sql`, `artessay:Base/VanillaLinker` → `artessay`. */
function firstWord(system: string): string {
  return (/^[\w-]+/.exec(system)?.[0] ?? system).toLowerCase();
}

/** `Qwen/Qwen2.5-Coder-32B-Instruct`, `qwen2.5-coder-32b(?)` → `qwen2.5-coder-32b`. */
function bareModel(model: string): string {
  const last = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  return last.replace(/\(\?\)$|-instruct$/g, '');
}
