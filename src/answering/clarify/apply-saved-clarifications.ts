/** Questions back that were answered before, and where asking back ends. */
import type { Assumption } from '../../answer.ts';
import { precheck } from '../../boundary/index.ts';
import { CandorError } from '../../errors.ts';
import { writeCandidates } from '../../generation/index.ts';
import type { Boundary } from '../../reasoning/roles/reading.ts';
import type { AnswerContext, AskOptions, Interpretation } from '../answer/answer-context.ts';
import type { Outcome } from '../answer/build-answer.ts';
import { type InterpretedRequest, interpret } from '../question/interpret.ts';

/** Questions back about one question, at most. */
const MOST_ROUNDS = 3;

export interface ClarifiedRequest extends InterpretedRequest {
  readonly assumed: readonly Assumption[];
}

/** Takes the options that a reviewer made the default for their phrase; each is an assumption that can be changed. */
export async function applySavedClarifications(
  interpreted: InterpretedRequest,
  context: AnswerContext,
): Promise<ClarifiedRequest> {
  const { session, options } = context;
  const assumed: Assumption[] = options.merged?.assumed
    ? [{ kind: 'value', text: options.merged.assumed }]
    : [];
  let current = interpreted;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { decision } = current.interpretation;
    const found = decision.kind === 'boundary' ? learnedOption(decision.boundary, context) : undefined;
    if (found === undefined) break;
    assumed.push(found.assumption);
    const request = { ...current.request, text: found.question };
    const boundary = precheck(request, session.semantics);
    const { [found.id]: _, ...assume } = options.assume ?? {};
    current =
      boundary === null
        ? await interpret(request, { ...context, options: { ...options, assume } })
        : {
            request,
            interpretation: {
              ...current.interpretation,
              decision: { kind: 'boundary', boundary },
              text: request.text,
            },
          };
  }
  return { ...current, assumed };
}

interface Learned {
  readonly id: string;
  readonly question: string;
  readonly assumption: Assumption;
}

function learnedOption(boundary: Boundary, { session, options }: AnswerContext): Learned | undefined {
  if (boundary.kind === 'reject') return undefined;
  const phrase = boundary.kind === 'clarify' ? boundary.phrase : boundary.dimension;
  const learned = session.semantics.answers.find((one) => one.phrase.toLowerCase() === phrase.toLowerCase());
  if (learned === undefined) return undefined;
  const id = `answer.${learned.phrase}`;
  const wanted = options.assume?.[id] ?? learned.take;
  const option = boundary.options.find(({ label }) => label === wanted);
  if (option === undefined && options.assume?.[id] !== undefined)
    throw new CandorError('question.assumption', `“${phrase}” cannot be “${wanted}”.`);
  if (option === undefined) return undefined;
  const alternatives = boundary.options
    .filter((other) => other !== option)
    .map(({ label, question }) => ({ choice: label, label, question }));
  const text = `“${phrase}” was taken as ${option.label}, as it was answered before.`;
  return {
    id,
    question: option.question,
    assumption: { kind: 'value', id, taken: wanted, text, alternatives },
  };
}

/** The answer with what was taken before it was read. */
export function assuming(outcome: Outcome, assumed: readonly Assumption[]): Outcome {
  if (outcome.kind !== 'answered' || assumed.length === 0) return outcome;
  return { ...outcome, assumptions: [...assumed, ...outcome.assumptions] };
}

/** Who was asked three times is not asked again. */
export function afterRounds(outcome: Outcome, { readings }: Interpretation, { merged }: AskOptions): Outcome {
  const isAsked = outcome.kind === 'clarify' || outcome.kind === 'follow_up';
  if (!isAsked || (merged?.rounds ?? 0) < MOST_ROUNDS) return outcome;
  const reason = `It is still not clear after ${MOST_ROUNDS} questions back (${outcome.ask})`;
  return { kind: 'abstain', reason, candidates: writeCandidates(readings) };
}
