/** What a model declines is looked for once more before it stands: it is an outcome only where nothing speaks against it. */
import type { RejectCause } from '../../answer.ts';
import { searchCarrier, searchWord, stateAbsence } from '../../boundary/index.ts';
import { writeCandidates } from '../../generation/index.ts';
import type { AskedBack, NotWritten } from '../../reasoning/roles/write-reasoner.ts';
import { groupResults } from '../../results/index.ts';
import type { Session } from '../../session/index.ts';
import type { Interpretation } from '../answer/answer-context.ts';
import type { Outcome } from '../answer/build-answer.ts';
import type { CandidateTools, Declined } from './generate-candidates.ts';
import { soundOnly } from './sound-only.ts';

const MOST_NEAREST = 5;
/** From here on the built-in engine's reading speaks against a refusal: well above what is worth an answer, and to be moved with it. */
const SURE = 0.63;
const SAME_ROWS = { columns: 'given', rows: 'bag', tolerance: 1e-3, textEqualsNumber: false } as const;

export interface DeclineContext {
  readonly interpretation: Interpretation;
  readonly session: Pick<Session, 'knowledge' | 'semantics' | 'values'>;
  /** Canonical ids of tables that the question may be about, likeliest first. */
  readonly tables: readonly string[];
}

/** What speaks against a model's refusal, in a sentence for it; undefined: nothing does. Source: issue 10. */
export function objectionTo(
  declined: NotWritten,
  { interpretation, session }: DeclineContext,
): string | undefined {
  const { reason } = declined;
  const missing = missingThing(declined, interpretation);
  if (refusesToo(interpretation, reason, missing)) return undefined;
  const { carriers } = searchCarrier(missing, session.knowledge);
  const sure = sureReading(interpretation);
  // A greeting asks for nothing that could be missing, and names nothing here, or one thing by chance (“Hi” is a state).
  const isTalk = missing.trim() === '' && reason === 'scope' && interpretation.links.length <= 1;
  if (reason !== 'unsafe' && !isTalk && isNoThing(missing, interpretation.text))
    return `“${missing}” is no thing that could be missing. Name the one thing that is, or answer.`;
  if (reason !== 'unsafe' && carriers.length > 0)
    return `You say that “${missing}” is missing; a search finds ${carriers.join(', ')}. Answer with it, or say why it is not what is asked for.`;
  if (sure === undefined) return undefined;
  return `The built-in engine knows every word of the question and reads it as: ${sure.sql}. If that, or something near it, is what is asked for, answer; else decline again.`;
}

/** The short contract has no place for what is missing: where the model declines, it is what the engine does not know either. */
function missingThing({ missing, reason }: NotWritten, { unexplained, decision }: Interpretation): string {
  if (missing.trim() !== '' || reason !== undefined) return missing;
  const isRefused = decision.kind === 'boundary' && decision.boundary.kind === 'reject';
  return isRefused ? decision.boundary.missing : unexplained.join(', ');
}

/** The built-in engine came to the same by itself: a known split that a metric does not have is found under its name, and still missing. */
function refusesToo({ decision }: Interpretation, reason: NotWritten['reason'], missing: string): boolean {
  if (decision.kind !== 'boundary' || decision.boundary.kind !== 'reject') return false;
  const own = wordsOf(decision.boundary.missing);
  // That something else is missing says nothing of what the model misses.
  return decision.boundary.reason === reason && wordsOf(missing).some((word) => own.includes(word));
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
}

/** Most of the question itself, or no word at all: nobody can look for that. */
function isNoThing(missing: string, question: string): boolean {
  // What stands in parentheses, or behind a colon, is why it is missing.
  const words = wordsOf(missing.replaceAll(/\([^)]*\)/g, '').split(/[:;]/, 1)[0] ?? '');
  return (
    words.length === 0 || (words.length > MOST_WORDS && words.length > wordsOf(question).length * MOST_OF_IT)
  );
}

const MOST_WORDS = 4;
const MOST_OF_IT = 0.6;

function sureReading({ decision, unexplained }: Interpretation) {
  const [best] = decision.kind === 'sql' && unexplained.length === 0 ? decision.readings : [];
  return best !== undefined && best.probability >= SURE ? best : undefined;
}

/** A refusal that stands, or both sides where something speaks against it and nobody can be believed. */
export function rejectionOutcome(declined: NotWritten, context: DeclineContext): Outcome {
  const { because, reason = 'scope', nearest } = declined;
  const { interpretation, session, tables } = context;
  const missing = missingThing(declined, interpretation);
  const { searched, carriers } = searchCarrier(missing, session.knowledge);
  const objection = objectionTo(declined, context);
  if (objection !== undefined) {
    const seen =
      sureReading(interpretation) === undefined
        ? 'that is no thing to look for'
        : 'the built-in engine reads a query';
    const found = carriers.length > 0 ? `a search finds ${carriers.join(', ')}` : seen;
    return {
      kind: 'abstain',
      reason: `${missing.trim() === '' ? 'The model declines' : `The model says that “${missing}” is missing`}; ${found}.`,
      candidates: writeCandidates(interpretation.readings),
      disagreement: { missing, because, searched },
    };
  }
  return {
    kind: 'reject',
    reason,
    cause: causeOf(declined, missing, context),
    missing,
    message: because || stateAbsence(searchWord(missing, session, interpretation.text)).message,
    nearest: nearest ?? tables.slice(0, MOST_NEAREST),
    searched,
  };
}

/** That something is not here is said on the word of a search, not on that of a model. */
function causeOf(
  { reason }: NotWritten,
  missing: string,
  { interpretation, session }: DeclineContext,
): RejectCause {
  const { decision } = interpretation;
  if (reason === 'unsafe') return 'read-only';
  if (
    refusesToo(interpretation, reason, missing) &&
    decision.kind === 'boundary' &&
    decision.boundary.kind === 'reject'
  )
    return decision.boundary.cause;
  if (missing.trim() === '') return 'no-question';
  const { claimed, unread } = stateAbsence(searchWord(missing, session, interpretation.text));
  return claimed.length > 0 && unread.length === 0 ? 'absent' : 'not-found';
}

/**
 * A question back as it may be asked: options whose query does not pass the checks are left out, and where all the others give the
 * same rows there is nothing to ask, and `same` is the first of them. Undefined where fewer than two options are left.
 */
export async function verifyQuestionBack(
  asked: AskedBack,
  tools: CandidateTools,
): Promise<{ readonly asked: AskedBack; readonly same?: string } | undefined> {
  const options = await soundOnly(asked.options, tools);
  if (options.length < 2 && asked.lacks === undefined) return undefined;
  const queries = options.flatMap(({ sql }) => sql ?? []);
  const runs = tools.run === undefined ? [] : await Promise.all(queries.map((sql) => tools.run?.(sql)));
  const results = runs.flatMap((run) => (run?.ok === true && run.result.rows.length > 0 ? [run.result] : []));
  const groups =
    results.length === options.length && results.length > 1 ? groupResults(results, SAME_ROWS) : [];
  const isSame = groups.length > 1 && groups.every((group) => group === groups[0]);
  return { asked: { ...asked, options }, ...(isSame && { same: queries[0] }) };
}

/** A question back as an outcome; what lacks a dimension that its metric demands is a follow-up. */
export function questionBackOutcome(
  { ask, phrase, gap, lacks, options }: AskedBack,
  { interpretation: { text }, session: { semantics } }: DeclineContext,
): Outcome {
  const shown = options.map(({ label, question, sql }) => ({
    ...{ label, question: question || `${text} (${label})` },
    ...(sql !== undefined && { sql }),
  }));
  const demands = semantics.metrics.some(
    ({ name, mandatoryDimensions }) =>
      name === lacks?.metric && mandatoryDimensions.some((one) => one === lacks.dimension),
  );
  if (lacks !== undefined && demands) return { kind: 'follow_up', ...lacks, ask, options: shown };
  return { kind: 'clarify', gap, phrase, ask, options: shown };
}

/** The text names nothing here, by the rules that normalise questions; where words of it do, both sides are shown. Source: issue 10. */
export function nothingMeantOutcome(
  because: string,
  { text, links, readings }: Interpretation,
  { knowledge }: Pick<Session, 'knowledge'>,
): Outcome {
  const { searched, carriers } = searchCarrier(text, knowledge);
  const known = [...new Set([...links, ...carriers])];
  const reason = because || 'I understood nothing in this question that could be asked of a database.';
  if (known.length === 0)
    return {
      ...{ kind: 'reject', reason: 'scope', cause: 'no-question' },
      ...{ missing: text, message: reason, nearest: [], searched },
    };
  return {
    kind: 'abstain',
    reason: `The model says that nothing here is asked for; a search finds ${known.slice(0, MOST_NEAREST).join(', ')}.`,
    candidates: writeCandidates(readings),
    disagreement: { missing: text, because: reason, searched },
  };
}

/** What more of the draws say than write a query; undefined where most of them write one. */
export function declinedOf(drawn: readonly (Declined | object)[]): Declined | undefined {
  const declined = drawn.filter((one): one is Declined => 'missing' in one || 'ask' in one);
  return declined.length * 2 <= drawn.length ? undefined : declined[0];
}
