/** What an answer would be with the other choices of its assumptions, found by running them. */
import {
  type Answer,
  type Assumption,
  type AssumptionChoice,
  type ChoiceEffect,
  isRun,
} from '../../answer.ts';
import { CandorError } from '../../errors.ts';
import type { Session } from '../../session/index.ts';
import { runCapped } from '../assess/run-sql.ts';
import { effectBetween, type MeasuredResult, sizeOf } from './choice-effect.ts';

/** Choices that are run for one answer, at most. */
const MOST_MEASURED = 6;
/** Milliseconds for all of them. */
const MOST_TIME = 5_000;

export interface Measuring {
  readonly session: Pick<Session, 'database' | 'config'>;
  /** Answers the same question with another choice. */
  readonly askAssuming: (id: string, choice: string, signal: AbortSignal) => Promise<Answer>;
  readonly signal: AbortSignal | undefined;
}

/**
 * The assumptions of an answer with what each other choice would change, the largest change first. A choice that changes nothing
 * is left out, and so is an assumption that has no other choice left; one whose choice this answer cannot take is said without it. Bounded in number and time, and each by the limits of any
 * query; what was not run says why. Throws where the person cancelled.
 */
export async function measureAssumptions(
  assumptions: readonly Assumption[],
  answered: MeasuredResult,
  measuring: Measuring,
): Promise<readonly Assumption[]> {
  const { signal: cancel } = measuring;
  const deadline = AbortSignal.timeout(MOST_TIME);
  const run = { ...measuring, answered, signal: cancel ? AbortSignal.any([cancel, deadline]) : deadline };
  let tried = 0;
  const measured: { readonly assumption: Assumption; readonly size: number }[] = [];
  for (const assumption of assumptions) {
    const { alternatives = [] } = assumption;
    const kept: AssumptionChoice[] = [];
    let isOpen = false;
    for (const choice of alternatives) {
      tried += 1;
      const effect = tried > MOST_MEASURED ? NOT_TRIED : await effectOf(choice, assumption, run);
      cancel?.throwIfAborted();
      if (effect === 'not-offered') isOpen = true;
      else if (effect !== undefined) kept.push({ ...choice, effect });
    }
    const size = Math.max(0, ...kept.map(({ effect }) => sizeOf(effect)));
    const { alternatives: _, ...said } = assumption;
    if (kept.length > 0) measured.push({ assumption: { ...assumption, alternatives: kept }, size });
    else if (alternatives.length === 0 || isOpen) measured.push({ assumption: said, size });
  }
  return measured.sort((one, other) => other.size - one.size).map(({ assumption }) => assumption);
}

const NOT_TRIED: ChoiceEffect = {
  kind: 'unmeasured',
  because: `more than ${MOST_MEASURED} choices are not run for one answer`,
};

interface Run extends Measuring {
  readonly answered: MeasuredResult;
  readonly signal: AbortSignal;
}

async function effectOf(
  choice: AssumptionChoice,
  assumption: Assumption,
  run: Run,
): Promise<ChoiceEffect | 'not-offered' | undefined> {
  const unmeasured = (because: string): ChoiceEffect => ({ kind: 'unmeasured', because });
  try {
    run.signal.throwIfAborted();
    const other = await resultOf(choice, assumption, run);
    return typeof other === 'string' ? unmeasured(other) : effectBetween(run.answered, other);
  } catch (error) {
    // A choice that cannot be run takes nothing from the answer that is there.
    if (run.signal.aborted) return unmeasured(`it took longer than ${MOST_TIME / 1_000} seconds`);
    if (!(error instanceof CandorError)) throw error;
    return error.code === 'question.assumption' ? 'not-offered' : unmeasured(error.message);
  }
}

/** The rows with another choice, or why there are none. */
async function resultOf(
  { choice, sql }: AssumptionChoice,
  { id }: Assumption,
  { session, askAssuming, signal }: Run,
): Promise<MeasuredResult | string> {
  if (sql !== undefined) {
    const result = await runCapped(sql, session, signal);
    return result instanceof CandorError ? result.message : result;
  }
  if (id === undefined) return 'it has no name to ask for it by';
  const answer = await askAssuming(id, choice, signal);
  if (answer.kind !== 'answered') return 'the question is not answered then';
  return isRun(answer) ? answer : 'it was not run';
}
