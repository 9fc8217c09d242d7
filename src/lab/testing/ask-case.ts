/** Asks one case, turn by turn, and judges what comes. */
import type { Answer } from '../../answer.ts';
import { type AskOptions, answerClarification, ask } from '../../answering/index.ts';
import type { Session } from '../../session.ts';
import { askPlainly } from '../evaluation/ask-plainly.ts';
import type { Arm } from '../evaluation/case-record.ts';
import { toFailed } from '../evaluation/run-query.ts';
import { judgeTurn } from './judge-turn.ts';
import type { TestCase, TestTurn } from './test-case.ts';
import type { CaseRun, TurnResult } from './test-result.ts';

/** How a case is asked. */
export interface AskedWith extends Pick<AskOptions, 'mode' | 'tests'> {
  /** `plain`: the model alone, with everything pasted into one prompt. */
  readonly arm?: Arm;
  readonly signal: AbortSignal;
}

/** What was said so far: a turn goes on from the questions, an answer belongs to the record before it. */
interface Talk {
  readonly after: readonly string[];
  readonly last?: Answer;
}

/**
 * One draw of a case. The turns are asked in order up to the first that is not as it should be: what comes after it was
 * written for another conversation. Throws only when the run is cancelled.
 */
export async function askCase(tested: TestCase, session: Session, options: AskedWith): Promise<CaseRun> {
  const turns: TurnResult[] = [];
  let talk: Talk = { after: [] };
  for (const turn of tested.turns) {
    const { result, answer } = await askTurn(turn, { tested, talk, session }, options);
    turns.push(result);
    if (answer === undefined || result.problems.length > 0) return { turns, isRight: false };
    talk = { after: [...(turn.after ?? []), ...talk.after, ...goneOnFrom(answer)], last: answer };
  }
  return { turns, isRight: true };
}

/** What has no answer is not gone on from; one that was asked back is, as the question that the answer made of it. */
function goneOnFrom({ kind, question }: Answer): readonly string[] {
  return kind === 'answered' ? [question] : [];
}

interface TurnSetting {
  readonly tested: TestCase;
  readonly talk: Talk;
  readonly session: Session;
}

async function askTurn(
  turn: TestTurn,
  setting: TurnSetting,
  options: AskedWith,
): Promise<{ readonly result: TurnResult; readonly answer?: Answer }> {
  const { signal } = options;
  const { expect } = turn;
  const base = { says: turn.says.text, tokens: 0, ...(expect !== undefined && { expected: expect.kind }) };
  try {
    const answer = await say(turn, setting, options);
    const judged =
      expect === undefined ? { problems: [] } : await judgeTurn(answer, expect, setting.session, signal);
    return { result: { ...base, ...seen(answer), ...judged }, answer };
  } catch (error) {
    signal.throwIfAborted();
    const failed = toFailed(error).error;
    return {
      result: {
        ...base,
        problems: [{ what: 'error', text: `asking failed: ${failed.message} (${failed.code})` }],
      },
    };
  }
}

function say(
  { says, hint, assume, after = [], previous }: TestTurn,
  { tested, talk, session }: TurnSetting,
  { arm, ...options }: AskedWith,
): Promise<Answer> {
  const asking: AskOptions = {
    ...options,
    ...(hint !== undefined && { hint }),
    ...(assume !== undefined && { assume }),
    // Noon in UTC is the same day nearly everywhere.
    ...(tested.now !== undefined && { now: new Date(`${tested.now}T12:00:00Z`) }),
  };
  if (arm === 'plain')
    return askPlainly(inTalk(says.text, [...after, ...talk.after]), session, {
      ...asking,
      ...(previous !== undefined && { previous }),
    });
  if (says.kind === 'answer')
    return answerClarification(talk.last?.recordId ?? '', says.text, session, asking);
  const earlier = [...after, ...talk.after];
  return ask(says.text, session, {
    ...asking,
    ...(earlier.length > 0 && { after: earlier }),
    ...(previous !== undefined && { previous }),
  });
}

/** A model alone knows of earlier turns what stands in its one prompt. */
function inTalk(text: string, earlier: readonly string[]): string {
  return earlier.length === 0 ? text : `Earlier questions: ${earlier.join(' / ')}\nNow: ${text}`;
}

function seen(answer: Answer): Omit<TurnResult, 'says' | 'problems'> {
  const { kind: outcome, recordId, thinkMs, model } = answer;
  return {
    ...{ outcome, recordId, thinkMs },
    tokens: model === undefined ? 0 : model.promptTokens + model.completionTokens,
    ...costOf(answer),
    ...(answer.kind === 'answered' ? { sql: answer.sql } : { said: saidBy(answer) }),
  };
}

/** Nothing where no model was asked; nobody knows where the model has no price. */
function costOf({ model }: Answer): { readonly cost?: number } {
  if (model === undefined || model.calls === 0) return { cost: 0 };
  return model.cost === undefined ? {} : { cost: model.cost };
}

function saidBy(answer: Exclude<Answer, { readonly kind: 'answered' }>): string {
  switch (answer.kind) {
    case 'reject':
      return answer.message;
    case 'abstain':
      return answer.reason;
    default:
      return answer.ask;
  }
}
