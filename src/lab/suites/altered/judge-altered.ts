import { z } from 'zod';
import type { Answer, Answered } from '../../../answer.ts';
import type { QueryResult } from '../../../database/index.ts';
import { unreachable } from '../../../errors.ts';
import type { DialectName } from '../../../sql/dialects/dialect.ts';
import { normalKey, parse } from '../../../sql/index.ts';
import type { Gold } from '../../evaluation/comparators/gold.ts';
import { type QuerySetting, runQuery } from '../../evaluation/comparators/run-query.ts';
import { ALTERATION_KINDS, type Alteration, type Changed } from './edits/alteration.ts';
import { plainWords } from './edits/known-words.ts';
import { placesOf } from './edits/question-text.ts';
import { writtenText } from './edits/sql-edits.ts';

export interface JudgeSetting extends QuerySetting {
  readonly dialect: DialectName;
  /** Of the unaltered question. */
  readonly gold: Gold;
  /** The unaltered question. */
  readonly asked: string;
  /** The query that answered it. */
  readonly before: string;
}

/** What came of an altered question beside what had to. */
export async function judgeAltered(
  alteration: Alteration,
  answer: Answer,
  setting: JudgeSetting,
): Promise<JudgedAlteration> {
  const { kind, how, question, due } = alteration;
  const said = answer.kind === 'answered' ? answer.sql : sentencesOf(answer);
  const word = wordOf(alteration);
  const isAsked = answer.kind !== 'answered' && (due.kind === 'asked' || due.kind === 'asked-or-written');
  return {
    ...{ kind, how, question, due: due.kind, outcome: answer.kind, said },
    ...(word !== undefined && { word }),
    ...(isAsked && word !== undefined && { namesWord: namesAdded(said, question, setting.asked) }),
    verdict: await verdictOn(alteration, answer, setting),
    ...(answer.kind === 'answered' && answer.risk && { risk: answer.risk.queryRisk }),
  };
}

/** Whether what is said names a word that the question got by the alteration: one of a name is enough. */
function namesAdded(said: string, question: string, asked: string): boolean {
  const added = plainWords(question).filter((word) => word.length > 2 && placesOf(asked, word).length === 0);
  return added.some((word) => placesOf(said, word).length > 0);
}

export function wordOf({ due }: Alteration): string | undefined {
  if (due.kind === 'changed') return due.literal;
  return due.kind === 'same' ? undefined : due.word;
}

function sentencesOf(answer: Exclude<Answer, Answered>): string {
  switch (answer.kind) {
    case 'reject':
      return answer.message;
    case 'abstain':
      return answer.reason;
    case 'clarify':
    case 'follow_up':
      return [answer.ask, ...(answer.kind === 'clarify' ? [answer.phrase] : [])].join(' ');
  }
}

async function verdictOn(
  { kind, due }: Alteration,
  answer: Answer,
  setting: JudgeSetting,
): Promise<AlteredVerdict> {
  if (answer.kind !== 'answered') {
    if (due.kind === 'asked' || due.kind === 'asked-or-written') return 'right';
    return kind === 'noise' ? 'false-alarm' : 'declined';
  }
  switch (due.kind) {
    case 'asked':
    case 'asked-or-written':
      // A comparison with the word itself finds nothing, and says so: nothing was answered over.
      if (comparesWith(answer.sql, due.word, setting.dialect)) return 'right';
      return due.kind === 'asked-or-written' && isSameQuery(answer.sql, setting.before, setting.dialect)
        ? 'no-effect'
        : 'answered-over';
    case 'changed':
      return verdictOnChange(due, answer.sql, setting);
    case 'same':
      return verdictOnSame(answer.sql, setting);
    default:
      return unreachable(due);
  }
}

/** Whether a text of the query is the word, or holds it in a pattern. */
function comparesWith(sql: string, word: string, dialect: DialectName): boolean {
  const parsed = parse(sql, dialect);
  if (!parsed.ok) return false;
  return parsed.tree.nodes.some(
    (node) => writtenText(node)?.toLowerCase().includes(word.toLowerCase()) === true,
  );
}

function isSameQuery(one: string, other: string, dialect: DialectName): boolean {
  const [left, right] = [parse(one, dialect), parse(other, dialect)];
  return left.ok && right.ok && normalKey(left.tree) === normalKey(right.tree);
}

async function verdictOnChange(due: Changed, sql: string, setting: JudgeSetting): Promise<AlteredVerdict> {
  const { dialect, before, gold } = setting;
  if (isSameQuery(sql, before, dialect)) return 'no-effect';
  if (isSameQuery(sql, due.sql, dialect)) return 'right';
  const came = await runQuery(sql, setting);
  if (!came.ok) return 'error';
  const results: QueryResult[] = [];
  for (const text of [due.gold, due.sql]) {
    const ran = await runQuery(text, setting);
    if (ran.ok) results.push(ran.result);
  }
  const isDue = results.some((result) => gold.compare(result, came.result) === 'equal');
  if (!isDue) return 'wrong';
  // Where the rows of before are due as well, they do not tell whether the query has changed rightly.
  return gold.judge(came.result) === 'equal' && !holds(sql, due.literal, dialect) ? 'wrong' : 'right';
}

function holds(sql: string, literal: string | undefined, dialect: DialectName): boolean {
  const parsed = parse(sql, dialect);
  if (!parsed.ok || literal === undefined) return false;
  return parsed.tree.nodes.some(
    (node) => (node.type === 'Literal' && node.value === literal) || writtenText(node) === literal,
  );
}

async function verdictOnSame(sql: string, setting: JudgeSetting): Promise<AlteredVerdict> {
  if (isSameQuery(sql, setting.before, setting.dialect)) return 'right';
  const came = await runQuery(sql, setting);
  if (!came.ok) return 'error';
  return setting.gold.judge(came.result) === 'equal' ? 'right' : 'wrong';
}

// One line of a run's file: a question, and what came of each alteration of it.

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
  /** Of an answer: that it is wrong. */
  risk: z.number().optional(),
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
