import type { Answer } from '../../answer.ts';
import type { Database, QueryLimits } from '../../database/index.ts';
import { type QuerySetting, runQuery } from '../evaluation/run-query.ts';
import type { BenchItem, Due } from '../synthesis/bench-item.ts';
import { goldTest } from '../synthesis/gold-test.ts';
import { lookupWords } from '../synthesis/inventory/lookup-words.ts';
import type { BoundaryRecord } from './boundary-record.ts';

const LIMITS: QueryLimits = { rows: 10_000, bytes: 20_000_000, timeoutMs: 30_000 };

/** Words that stand in every refusal. */
const EMPTY = /^(?:the|a|an|of|in|on|for|with|by|to|at|and|or|is|are|we|how|what|no|not)$/;

/**
 * Judges an answer: an SQL category by the rows of any gold, another by its outcome and by what it names as missing
 * (BAR-SQL §9, without a judge model). Throws when the gold itself fails: then the item is broken, not the answer.
 */
export async function judgeItem(
  item: BenchItem,
  answer: Answer,
  { database, signal }: { readonly database: Database; readonly signal: AbortSignal },
): Promise<BoundaryRecord> {
  const { id, category, kind, question, due, gold } = item;
  const said = answer.kind === 'answered' ? answer.sql : sentenceOf(answer);
  const base = { id, category, kind, question, due: due.kind, outcome: answer.kind, said, gold };
  const timed = { ...base, thinkMs: answer.thinkMs };
  if (answer.kind !== due.kind) return { ...timed, isRight: false };
  if (answer.kind === 'answered')
    return { ...timed, isRight: await hasGoldRows(item, answer.sql, { database, limits: LIMITS, signal }) };
  const isRightReason = namesMissing(answer, due);
  return { ...timed, isRight: isRightReason, isRightReason };
}

async function hasGoldRows(item: BenchItem, sql: string, setting: QuerySetting): Promise<boolean> {
  const ran = await runQuery(sql, setting);
  return goldTest(item, setting)(ran.ok ? ran.result : undefined);
}

/** Whether the same thing is said to be missing. */
function namesMissing(answer: Answer, due: Due): boolean {
  if (answer.kind === 'follow_up' && due.kind === 'follow_up') return answer.dimension === due.dimension;
  if (answer.kind === 'reject' && due.kind === 'reject') return sharesWord(answer.missing, due.missing);
  if (answer.kind !== 'clarify' || due.kind !== 'clarify') return false;
  // A question for the period or for any figure at all has but one such gap.
  const isOnlyOne = due.gap === 'time' || due.gap === 'intent';
  return (isOnlyOne && answer.gap === due.gap) || sharesWord(answer.phrase, due.phrase);
}

function sharesWord(left: string, right: string): boolean {
  const words = new Set(lookupWords(left).filter((word) => !EMPTY.test(word)));
  return lookupWords(right).some((word) => words.has(word));
}

function sentenceOf(answer: Exclude<Answer, { readonly kind: 'answered' }>): string {
  switch (answer.kind) {
    case 'reject':
      return answer.message;
    case 'abstain':
      return answer.reason;
    case 'clarify':
    case 'follow_up':
      return answer.ask;
  }
}
