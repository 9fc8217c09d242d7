/** The built-in engine answers: readings to candidates, the first sound one is assessed and run. */
import type { Check } from '../answer.ts';
import { CandorError } from '../errors.ts';
import { type Candidate, writeCandidates } from '../generation/index.ts';
import type { Session } from '../session/index.ts';
import { BROKEN_RISK, BUILT_IN_WRITER } from '../uncertainty/index.ts';
import { type ValidationContext, validateSql } from '../validation/index.ts';
import {
  type AnswerContext,
  type AnswerResult,
  type Interpretation,
  millisecondsSince,
  targetOf,
} from './answer/answer-context.ts';
import { answeredOutcome } from './answer/build-answer.ts';
import { assessAnswer } from './assess/assess-risk.ts';
import { brokenDefinitions, definitionChecks } from './assess/diagnosis-context.ts';
import { runCapped } from './assess/run-sql.ts';
import { withoutFailed } from './assess/same-sql.ts';

/** A decision to write to its outcome. Throws what the database throws. */
export async function answerWithEngine(
  { decision, text, chart }: Interpretation & { readonly decision: { readonly kind: 'sql' | 'abstain' } },
  { session, options, trace, start }: AnswerContext,
): Promise<AnswerResult> {
  const candidates = await trace.stage('write', () =>
    withoutFailed(writeCandidates(decision.readings), options.previous?.sql),
  );
  const abstain = (reason: string): AnswerResult => ({
    outcome: { kind: 'abstain', reason, candidates },
    thinkMs: millisecondsSince(start),
  });
  if (decision.kind === 'abstain') {
    const { reason, missing, nearest } = decision;
    return {
      outcome: { kind: 'abstain', reason, missing, nearest, candidates },
      thinkMs: millisecondsSince(start),
    };
  }

  const checked = await trace.stage('validate', () =>
    firstSound(worthAnswering(candidates, session), {
      catalog: session.catalog,
      database: session.database,
      signal: options.signal,
    }),
  );
  if ('errors' in checked) return abstain(`No candidate passed the checks: ${checked.errors.join('; ')}`);
  const { probability = 0, isDefined = false } = checked.candidate;
  const scored = await trace.stage('score', () =>
    assessAnswer(checked.candidate, session, {
      question: text,
      ...(options.hint !== undefined && { hint: options.hint }),
      targetRisk: targetOf(session, options),
      opinion: { probability, isDefined },
      writtenBy: BUILT_IN_WRITER,
      signal: options.signal,
    }),
  );
  if (scored.kind === 'withheld') return abstain(scored.reason);
  const thinkMs = millisecondsSince(start);
  const chosen = scored.kind === 'scored' ? scored.candidate : checked.candidate;
  const result =
    options.execute === false
      ? null
      : await trace.stage('execute', () => runCapped(chosen.sql, session, options.signal));
  if (result instanceof CandorError) return { ...abstain(result.message), thinkMs };
  const others = candidates.filter((other) => other !== checked.candidate);
  const broken = brokenDefinitions(chosen.sql, session, text);
  const checks = [...checked.checks, ...definitionChecks(broken)];
  const told = broken.length === 0 ? chosen : doubted(chosen);
  return { outcome: answeredOutcome({ candidate: told, checks, scored, result, chart }, others), thinkMs };
}

/** How sure a reading is says nothing of the definitions that its query breaks. */
function doubted({ probability = 1, ...candidate }: Candidate): Candidate {
  return { ...candidate, probability: probability * (1 - BROKEN_RISK) };
}

/** What is not sure enough by itself is none the surer because a better one cannot run. */
function worthAnswering(
  candidates: readonly Candidate[],
  { config: { minProbability } }: Session,
): readonly Candidate[] {
  return candidates.filter(({ probability = 0 }, place) => place === 0 || probability >= minProbability);
}

interface Sound {
  readonly candidate: Candidate;
  readonly checks: readonly Check[];
}

/** The first candidate that passes every check, or what was wrong with the first one. */
async function firstSound(
  candidates: readonly Candidate[],
  context: ValidationContext,
): Promise<Sound | { readonly errors: readonly string[] }> {
  let firstErrors: readonly string[] | undefined;
  for (const candidate of candidates) {
    const { ok, checks, errors } = await validateSql(candidate.sql, context);
    if (ok) return { candidate, checks };
    firstErrors ??= errors;
  }
  return { errors: firstErrors ?? [] };
}
