import { beyondLearned, type Decision, precheck, type Request } from '../../boundary/index.ts';
import type { QueryResult } from '../../database/index.ts';
import { CandorError } from '../../errors.ts';
import { linkMentions } from '../../linking/index.ts';
import { hypothesise } from '../../reasoning/grounded/index.ts';
import type { Boundary, Reading } from '../../reasoning/roles/reading.ts';
import { groupResults } from '../../results/index.ts';
import type { Session } from '../../session/index.ts';
import type { AnswerContext, Interpretation } from '../answer/answer-context.ts';
import { runCapped } from '../assess/run-sql.ts';
import { decideQuestion } from './decide-question.ts';
import { suggestQuestions } from './suggest-questions.ts';
import { replyToTalk } from './talk/index.ts';

/** What a question means here, and the question as it was read in the end. */
export interface InterpretedRequest {
  readonly interpretation: Interpretation;
  readonly request: Request;
}

/**
 * The built-in engine reads every question: it costs milliseconds, and knows what the semantic model rules out. Defaults
 * are taken as `assume` says; throws `question.assumption` where the question takes no such default.
 */
export async function interpret(request: Request, context: AnswerContext): Promise<InterpretedRequest> {
  const { assume = {} } = context.options;
  if (context.session.models !== undefined && Object.keys(assume).length > 0)
    throw new CandorError(
      'question.assumption',
      'What a language model takes for granted is changed in the question.',
    );
  return interpretAssuming(request, context, assume);
}

async function interpretAssuming(
  request: Request,
  context: AnswerContext,
  assume: Readonly<Record<string, string>>,
): Promise<InterpretedRequest> {
  const { session: open, options, trace, now } = context;
  const session = { ...open, knowledge: { ...open.knowledge, assume } };
  const hypotheses = await trace.stage('hypothesise', () =>
    hypothesise(request.text, session.knowledge, now, options.hint),
  );
  const links = await trace.stage('link', () => linkMentions(hypotheses.mentions));
  const decided = await trace.stage('decide', () =>
    decideQuestion(request, hypotheses, { session, now, hint: options.hint }),
  );
  // A model reads the words for itself.
  const decision = session.models === undefined ? await mergeEquivalentReadings(decided, context) : decided;
  const { chart, readings } = hypotheses;
  const [taken] = decision.kind === 'sql' ? decision.readings : [];
  const restated = taken && restate(taken, assume);
  if (restated !== undefined)
    return interpretAssuming({ ...request, text: restated.question }, context, restated.assume);
  const unexplained = hypotheses.unexplained.map(({ text }) => text);
  return {
    interpretation: { decision, links, text: request.text, chart, readings, unexplained },
    request,
  };
}

/** The question that says itself what is to be taken; undefined where all of it is taken. */
function restate(
  { assumptions }: Reading,
  assume: Readonly<Record<string, string>>,
): { readonly question: string; readonly assume: Readonly<Record<string, string>> } | undefined {
  for (const [id, choice] of Object.entries(assume)) {
    const assumption = assumptions.find((one) => one.id === id);
    if (assumption?.taken === choice) continue;
    const other = assumption?.alternatives?.find((one) => one.choice === choice);
    if (other?.question === undefined) throw unknownChoice(id, choice, assumptions);
    const { [id]: _, ...rest } = assume;
    return { question: other.question, assume: rest };
  }
  return undefined;
}

function unknownChoice(id: string, choice: string, assumptions: Reading['assumptions']): CandorError {
  const known = assumptions.flatMap(({ id: name, alternatives = [] }) =>
    name === undefined ? [] : alternatives.map((one) => `${name}=${one.choice}`),
  );
  const there = known.length === 0 ? 'nothing can be taken otherwise' : `it could take ${known.join(', ')}`;
  return new CandorError('question.assumption', `This question does not take “${id}=${choice}”; ${there}.`);
}

// Readings of several meanings that give the same rows are no reason to ask.

/** Rows that are compared of each reading, at most. */
const MOST_ROWS = 1_000;
/** Numbers this close are equal; as in the choice among candidates of a model. */
const TOLERANCE = 1e-3;

/**
 * The decision, or the likeliest reading where running the rivals shows that they all tell the same. Nothing is run where
 * the question may not be run; a rival that fails or is cut short settles nothing.
 */
async function mergeEquivalentReadings(
  decision: Decision,
  { session, options, trace }: AnswerContext,
): Promise<Decision> {
  if (decision.kind !== 'boundary' || decision.rivals === undefined) return decision;
  if (options.execute === false) return decision;
  const limits = { ...session.config.limits, rows: Math.min(MOST_ROWS, session.config.limits.rows) };
  const capped = { database: session.database, config: { ...session.config, limits } };
  const results: QueryResult[] = [];
  for (const { sql } of decision.rivals) {
    const result = await trace.stage('compare', () => runCapped(sql, capped, options.signal));
    if (result instanceof Error || result.truncatedBy !== null) return decision;
    results.push(result);
  }
  // Rivals without rows tell nothing about each other.
  if (results.some(({ rows }) => rows.length === 0)) return decision;
  const groups = groupResults(results, {
    columns: 'given',
    rows: 'bag',
    tolerance: TOLERANCE,
    textEqualsNumber: false,
  });
  if (groups.some((group) => group !== groups[0])) return decision;
  return { kind: 'sql', readings: agreed(decision.boundary, decision.rivals) };
}

function agreed(
  boundary: Extract<Decision, { readonly kind: 'boundary' }>['boundary'],
  [first, ...others]: readonly Reading[],
): readonly Reading[] {
  if (first === undefined) return [];
  const phrase = boundary.kind === 'clarify' ? boundary.phrase : '';
  const text = `“${phrase}” may be several things here; each gives the same rows.`;
  return [{ ...first, assumptions: [...first.assumptions, { kind: 'value', text }] }, ...others];
}

/**
 * What the words alone decide, before anything is read. With a model only what no reading could change: a write request, and what
 * the project lists as out of scope; it reads other languages, and answers talk itself.
 */
export function ruleOut(request: Request, session: Session, now: Date): Boundary | null {
  const { semantics, knowledge, isBeyond, models } = session;
  const boundary = precheck(request, semantics, knowledge.columnsHolding);
  if (models !== undefined) return boundary?.kind === 'reject' ? boundary : null;
  return (
    boundary ??
    replyToTalk(request, { session, now, suggest: () => suggestQuestions(session) }) ??
    beyondLearned(request, isBeyond)
  );
}
