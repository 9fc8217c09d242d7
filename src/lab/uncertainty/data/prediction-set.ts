/** SQL that real systems predicted for BIRD dev and Spider, beside the gold: what node uncertainty is measured on. */
import { join } from 'node:path';
import { z } from 'zod';
import { type LinkCase, type LinkDatabase, readLinkSet } from '../../linking/index.ts';
import { readJsonLines } from '../../linking/sets/read-json-lines.ts';

export interface PredictionSet {
  readonly name: 'bird' | 'spider' | 'spider-train';
  readonly databases: ReadonlyMap<string, LinkDatabase>;
  readonly questions: readonly PredictedQuestion[];
}

export interface PredictedQuestion extends LinkCase {
  readonly goldSql: string;
  /** Different texts; those that only set-ups with the gold schema wrote are left out. */
  readonly predictions: readonly Prediction[];
}

export interface Prediction {
  readonly sql: string;
  /** Whether it answers the question, as the data says: by execution on the real databases; undefined: not known. */
  readonly isRight?: boolean;
  /** `system|model`, those that saw the gold schema left out; never empty. */
  readonly setups: readonly string[];
}

/** The systems, without their set-ups and models: `artessay:Base/VanillaLinker|Qwen` is of `artessay`. */
export function writersOf(setups: readonly string[]): readonly string[] {
  return [...new Set(setups.map((setup) => /^[^\s:|/+]+/.exec(setup)?.[0] ?? setup))];
}

const BIRD_ROW = z.object({
  qid: z.number(),
  pred: z.string(),
  label: z.number().nullish(),
  models: z.array(z.string()),
});
const SPIDER_ROW = z.object({
  split: z.string(),
  /** Missing where the question was not found again. */
  idx: z.number().nullable(),
  pred: z.string(),
  label: z.number().nullish(),
  models: z.array(z.string()),
});

interface Row {
  readonly id: string;
  readonly pred: string;
  readonly label?: number | null | undefined;
  readonly models: readonly string[];
}

/** Throws `eval.data-missing`. */
export async function readPredictionSet(
  name: PredictionSet['name'],
  dataDirectory: string,
): Promise<PredictionSet> {
  const set = await readLinkSet(name, { dataDirectory });
  const rows =
    name === 'bird' ? await readBirdRows(dataDirectory) : await readSpiderRows(dataDirectory, SPLITS[name]);
  const byQuestion = new Map<string, Prediction[]>();
  for (const { id, pred, label, models } of rows) {
    const setups = models.filter((model) => !SAW_GOLD.test(model));
    if (setups.length === 0) continue;
    const prediction = { sql: pred, setups, ...(label != null && { isRight: label === 1 }) };
    const known = byQuestion.get(id);
    if (known === undefined) byQuestion.set(id, [prediction]);
    else known.push(prediction);
  }
  const questions = set.cases.flatMap(({ goldSql, ...one }) =>
    goldSql === undefined ? [] : [{ ...one, goldSql, predictions: byQuestion.get(one.id) ?? [] }],
  );
  return { name, databases: set.databases, questions };
}

/** Set-ups that were shown the schema items of the gold SQL. */
const SAW_GOLD = /gold/i;

async function readBirdRows(dataDirectory: string): Promise<readonly Row[]> {
  const rows = await readJsonLines(join(dataDirectory, 'preds', 'bird_dev.jsonl.gz'), BIRD_ROW);
  return rows.map(({ qid, ...row }) => ({ ...row, id: String(qid) }));
}

/** Of train there are the candidates of one system for every sixth question. */
const SPLITS = { spider: 'dev', 'spider-train': 'train' } as const;

async function readSpiderRows(dataDirectory: string, wanted: 'dev' | 'train'): Promise<readonly Row[]> {
  const rows = await readJsonLines(join(dataDirectory, 'preds', 'spider.jsonl.gz'), SPIDER_ROW);
  return rows.flatMap(({ split, idx, ...row }) =>
    split === wanted && idx !== null ? [{ ...row, id: `${wanted}-${idx}` }] : [],
  );
}
