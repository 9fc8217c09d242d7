/** What real set-ups wrote for the questions of BIRD dev whose databases have rows. */

import { join } from 'node:path';
import { z } from 'zod';
import { type EvaluationCase, readSuite } from '../../src/lab/corpus/index.ts';
import { readJsonLines } from '../../src/lab/linking/sets/read-json-lines.ts';
import { compareText } from '../../src/lib/index.ts';

const ROW = z.object({
  qid: z.number(),
  pred: z.string(),
  label: z.number().nullish(),
  models: z.array(z.string()),
});

export interface WrittenSql {
  readonly sql: string;
  /** As the data says, by execution on the same files. */
  readonly isRight: boolean | undefined;
}

export interface VotedQuestion {
  readonly asked: EvaluationCase;
  readonly goldSql: string;
  readonly database: string;
  /** Every second question of superhero and student_club, from their first: rules and weights are fixed on these. */
  readonly isTuned: boolean;
  readonly sqlOf: ReadonlyMap<string, WrittenSql>;
}

export interface VotingSet {
  readonly questions: readonly VotedQuestion[];
  /** Those with SQL for every question, by name; set-ups that were shown the gold schema are left out. */
  readonly setups: readonly string[];
}

/** Throws `eval.data-missing`. */
export async function readSetups(dataDirectory: string): Promise<VotingSet> {
  const suite = await readSuite('bird', { dataDirectory });
  const rows = await readJsonLines(join(dataDirectory, 'preds', 'bird_dev.jsonl.gz'), ROW);
  const byQuestion = new Map<string, Map<string, WrittenSql>>();
  for (const { qid, pred, label, models } of rows) {
    const id = `bird-${qid}`;
    const own = byQuestion.get(id) ?? new Map<string, WrittenSql>();
    byQuestion.set(id, own);
    const written = { sql: pred, isRight: label == null ? undefined : label === 1 };
    for (const name of models) if (!/gold/i.test(name) && !own.has(name)) own.set(name, written);
  }
  const places = new Map<string, number>();
  const questions = suite.cases.flatMap((asked) => {
    if (asked.expect.kind !== 'answered') return [];
    const database = asked.database.replace('bird-', '');
    const place = places.get(database) ?? 0;
    places.set(database, place + 1);
    const isTuned = database !== 'toxicology' && place % 2 === 0;
    const sqlOf = byQuestion.get(asked.id) ?? new Map<string, WrittenSql>();
    return [{ asked, goldSql: asked.expect.sql, database, isTuned, sqlOf }];
  });
  const names = new Set(questions.flatMap(({ sqlOf }) => [...sqlOf.keys()]));
  const setups = [...names].filter((name) => questions.every(({ sqlOf }) => sqlOf.has(name)));
  return { questions, setups: setups.sort(compareText) };
}
