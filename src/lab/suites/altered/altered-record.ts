/** One line of a run's file: a question, and what came of each alteration of it. */
import { z } from 'zod';
import { ALTERATION_KINDS } from './edits/alteration.ts';

/**
 * - `right`: what had to happen happened. `declined`: the query had to change or to stay, and it was asked back or refused.
 * - `answered-over`: answered as if the unknown word were not there. `no-effect`: the query is the one of the unaltered question.
 * - `false-alarm`: noise alone, and it was not answered. `wrong`: answered with another query than the due one.
 * - `error`: asking failed, or the query did.
 */
export const ALTERED_VERDICTS = [
  'right',
  'declined',
  'answered-over',
  'no-effect',
  'false-alarm',
  'wrong',
  'error',
] as const;
export type AlteredVerdict = (typeof ALTERED_VERDICTS)[number];

const KIND = z.enum(ALTERATION_KINDS);
const OUTCOMES = ['answered', 'clarify', 'follow_up', 'reject', 'abstain'] as const;

const ALTERED = z.object({
  kind: KIND,
  how: z.string(),
  question: z.string(),
  due: z.enum(['asked', 'changed', 'asked-or-written', 'same']),
  /** The inserted word, the new value, the new number. */
  word: z.string().optional(),
  verdict: z.enum(ALTERED_VERDICTS),
  /** Absent when asking failed. */
  outcome: z.enum(OUTCOMES).optional(),
  /** The SQL, or what was said in its place. */
  said: z.string(),
  /** Of a word that is due to be asked about, and was: whether it, or another word that came with it, is named. */
  namesWord: z.boolean().optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

export const ALTERED_RECORD = z.object({
  suite: z.string(),
  seed: z.number(),
  /** Of the list of words. */
  words: z.string(),
  id: z.string(),
  database: z.string(),
  question: z.string(),
  /** Whether the question itself is answered right; only then is it altered. */
  isRight: z.boolean(),
  sql: z.string().optional(),
  altered: z.array(ALTERED),
  notMade: z.array(z.object({ kind: KIND, because: z.string() })),
});

export type AlteredRecord = z.infer<typeof ALTERED_RECORD>;
export type JudgedAlteration = z.infer<typeof ALTERED>;
