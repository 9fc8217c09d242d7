/** A language model answers: link, draft candidates, choose among them, assess. */
import type { Assumption, ModelUse } from '../answer.ts';
import type { QueryResult } from '../database/index.ts';
import { CandorError } from '../errors.ts';
import {
  ANSWER_MODES,
  type AnswerMode,
  type Candidate,
  evidenceOfLinks,
  type ModeSettings,
} from '../generation/index.ts';
import type { Retrieved } from '../knowledge/retrieve/index.ts';
import { GATE_DEFAULTS, type GateSettings, LINK_DEFAULTS } from '../linking/index.ts';
import type { Session, SessionModels } from '../session/index.ts';
import {
  type AnswerContext,
  type AnswerResult,
  type Interpretation,
  millisecondsSince,
  targetOf,
} from './answer/answer-context.ts';
import { answeredOutcome, type Outcome } from './answer/build-answer.ts';
import { assessAnswer, type ScoredAnswer } from './assess/assess-risk.ts';
import { brokenDefinitions, definitionChecks } from './assess/diagnosis-context.ts';
import { runCapped } from './assess/run-sql.ts';
import { withoutFailed } from './assess/same-sql.ts';
import { judgeByTests, NO_TESTS, writeTests } from './candidates/candidate-tests.ts';
import { candidateTools } from './candidates/candidate-tools.ts';
import {
  type Declined,
  type Draft,
  draftOfQuery,
  type GenerationRequest,
  generateCandidates,
} from './candidates/generate-candidates.ts';
import { type ModelRoles, openModelRoles } from './candidates/model-roles.ts';
import { observeQuery } from './candidates/observe-query.ts';
import { type SelectedDraft, selectDraft } from './candidates/select-candidate.ts';
import { soundOnly } from './candidates/sound-only.ts';
import {
  type DeclineContext,
  declinedOf,
  nothingMeantOutcome,
  objectionTo,
  questionBackOutcome,
  rejectionOutcome,
  verifyQuestionBack,
} from './candidates/verify-rejection.ts';
import { buildSqlPrompt, instructionsOf, readingFor } from './prompt/build-sql-prompt.ts';
import { type LinkedQuestion, linkingOf, linkQuestion } from './prompt/link-question.ts';
import {
  assembleContext,
  fitsWhole,
  mostTokens,
  type QuestionContext,
  shownWindow,
} from './prompt/question-context.ts';

/** Of what the context may take, the schema gets so much where not all of it fits. */
const SCHEMA_SHARE = 0.7;

/**
 * A prompt that proves too long for the model is made once more, for the window that the service has shown. Throws `model.*` when the
 * model cannot be asked, and what the database throws.
 */
export async function answerWithModel(
  interpretation: Interpretation,
  models: SessionModels,
  context: AnswerContext,
): Promise<AnswerResult> {
  const roles = openModelRoles(models);
  try {
    return await answerWithin(interpretation, roles, context);
  } catch (error) {
    const contextWindow = shownWindow(error, roles.contextWindow);
    if (contextWindow === undefined) throw error;
    return await answerWithin(interpretation, { ...roles, contextWindow }, context);
  }
}

async function answerWithin(
  interpretation: Interpretation,
  roles: ModelRoles,
  context: AnswerContext,
): Promise<AnswerResult> {
  const { session, options, trace, start } = context;
  const mode = modeOf(options);
  const done = (outcome: Outcome, story: readonly string[] = []): AnswerResult => ({
    outcome: { ...outcome, model: useOf(roles, mode.name, story) },
    thinkMs: millisecondsSince(start),
  });
  const linked = await trace.stage('link schema', () => linkFor(interpretation, roles, mode, context));
  const { question, linked: schema, retrieved, base } = linked;
  const isWhole = fitsWhole(session, roles.contextWindow);
  if (schema === null && !isWhole)
    return done(nothingMeantOutcome(question.because, interpretation, session));
  const sharing = roles.writer.sharing ?? 'all';
  const known = assembleContext(session, {
    ...{ question: interpretation.text, linked: schema, retrieved, sharing, base },
    contextWindow: roles.contextWindow,
  });
  const request = generationRequest(interpretation, { known, retrieved, roles, mode, context });
  const { writer } = roles;
  const [{ drafts, notes }, tests] = await trace.stage('write', () =>
    Promise.all([
      generateCandidates(request),
      options.tests ? writeTests(request.questionFor(), writer) : NO_TESTS,
    ]),
  );
  const decline = { interpretation, session, tables: tablesOf(linked) };
  const settled = await trace.stage('verify', () => checkDeclined(drafts, request, decline));
  if ('outcome' in settled) return done(settled.outcome, notes);
  const written = withoutFailed(settled.drafts, options.previous?.sql);
  const choice = await trace.stage('select', async () => {
    const testsPassed = await judgeByTests(request.questionFor(), written, tests.tests, writer);
    const terms = { session, question: interpretation.text, hint: options.hint, testsPassed };
    return selectDraft(written, terms);
  });
  if (choice === undefined) return done(withoutSound(written, linked, session));
  const told = { ...choice, story: [...choice.story, ...notes, ...tests.notes] };
  return done(
    ...(await assess(told, written, linked, { interpretation, mode, context, writtenBy: roles.id })),
  );
}

/** The drafts to choose among, or what is declined once it was looked for; what something speaks against is asked for once more. */
async function checkDeclined(
  drafts: readonly (Draft | Declined)[],
  request: GenerationRequest,
  decline: DeclineContext,
): Promise<{ readonly drafts: readonly Draft[] } | { readonly outcome: Outcome }> {
  const declined = declinedOf(drafts.filter((draft) => !isDraft(draft) || draft.by === 'model'));
  if (declined === undefined) return { drafts: drafts.filter(isDraft) };
  const objection = await objectionOf(declined, request, decline);
  if (typeof objection !== 'string') return objection;
  const again = await generateCandidates({ ...request, objection, mostDraws: 1 });
  const second = again.drafts.filter(isDraft);
  if (second.some(({ by }) => by === 'model')) return { drafts: [...drafts.filter(isDraft), ...second] };
  const last = again.drafts.find((draft): draft is Declined => !isDraft(draft)) ?? declined;
  const checked = await objectionOf(last, request, decline);
  if (typeof checked !== 'string') return checked;
  if ('missing' in last) return { outcome: rejectionOutcome(last, decline) };
  const options = await soundOnly(last.options, request.tools);
  return { outcome: questionBackOutcome({ ...last, options }, decline) };
}

/** What speaks against what is declined, for the model; or what comes of it where nothing does. */
async function objectionOf(
  declined: Declined,
  request: GenerationRequest,
  decline: DeclineContext,
): Promise<string | { readonly outcome: Outcome } | { readonly drafts: readonly Draft[] }> {
  if ('missing' in declined) {
    const objection = objectionTo(declined, decline);
    return objection ?? { outcome: rejectionOutcome(declined, decline) };
  }
  const verified = await verifyQuestionBack(declined, request.tools);
  if (verified === undefined)
    return 'Fewer than two options of your question back can be run here. Answer with the likeliest reading, or ask with others.';
  const { asked, same } = verified;
  if (same === undefined) return { outcome: questionBackOutcome(asked, decline) };
  const text = `“${asked.phrase}” may be several things here; each gives the same rows.`;
  const written = { sql: same, explanation: asked.options[0]?.label ?? '', assumptions: [{ text }] };
  return { drafts: [await draftOfQuery(written, request.tools)] };
}

interface Found {
  readonly known: QuestionContext;
  readonly retrieved: Retrieved | null;
  readonly roles: ModelRoles;
  readonly mode: ModeSettings;
  readonly context: AnswerContext;
}

function generationRequest(
  interpretation: Interpretation,
  { known, retrieved, roles, mode, context }: Found,
): GenerationRequest {
  const { session, options, now } = context;
  const { hint, previous, signal } = options;
  const { writer, ledger } = roles;
  const { text, readings } = interpretation;
  const parts = {
    ...{ text, hint, previous, now, ledger, signal, context: known },
    instructions: instructionsOf(session),
    reading: readingFor(interpretation),
  };
  return {
    tools: candidateTools({ session, writer, mode, question: text, context: known, retrieved, signal }),
    questionFor: (seed, objection) =>
      buildSqlPrompt({ ...parts, objection, ...(seed !== undefined && { seed }) }),
    readings: readings.filter(({ probability }) => probability >= session.config.minProbability),
  };
}

function tablesOf({ linked }: LinkedQuestion): readonly string[] {
  return linked?.items.filter(({ kind }) => kind === 'table').map(({ id }) => id) ?? [];
}

function isDraft(draft: Draft | Declined): draft is Draft {
  return 'sql' in draft;
}

interface Assessing {
  readonly interpretation: Interpretation;
  readonly mode: ModeSettings;
  readonly context: AnswerContext;
  /** The id of the model. */
  readonly writtenBy: string;
}

/** The chosen draft, assessed, with its rows. */
async function assess(
  { draft, story }: SelectedDraft,
  drafts: readonly Draft[],
  linked: LinkedQuestion,
  { interpretation, mode, context, writtenBy }: Assessing,
): Promise<readonly [Outcome, readonly string[]]> {
  const { session, options, trace } = context;
  const candidate = candidateOf(draft, linked, session);
  const others = drafts
    .filter(({ sql }) => sql !== draft.sql)
    .map((one) => candidateOf(one, linked, session));
  const scored = await trace.stage('score', () =>
    assessAnswer(candidate, session, {
      question: interpretation.text,
      ...(options.hint !== undefined && { hint: options.hint }),
      targetRisk: targetOf(session, options),
      writtenBy,
      isVerified: draft.pair !== undefined,
      signal: options.signal,
    }),
  );
  const abstain = (reason: string): readonly [Outcome, readonly string[]] => [
    { kind: 'abstain', reason, candidates: [candidate, ...others] },
    story,
  ];
  if (scored.kind === 'withheld') return abstain(scored.reason);
  const chosen = withBreaks(assessed(candidate, scored), draft);
  const result = await resultOf(chosen.sql, draft, mode, context);
  if (result instanceof CandorError) return abstain(result.message);
  const { pair, unused } = draft;
  const broken = pair === undefined ? brokenDefinitions(chosen.sql, session, interpretation.text) : [];
  const checks = [...draft.verdict.checks, ...definitionChecks(broken)];
  const { chart } = interpretation;
  const told =
    mode.observes && result !== null && pair === undefined
      ? await trace.stage('observe', () =>
          observeQuery(chosen.sql, result, { session, signal: options.signal }),
        )
      : [];
  const noticed =
    result === null || told.length === 0
      ? result
      : { ...result, notices: [...(result.notices ?? []), ...told] };
  return [
    answeredOutcome({ candidate: chosen, checks, scored, result: noticed, chart, pair, unused }, others),
    story,
  ];
}

/** What is not as people have defined it is said, whoever switched it off. */
function withBreaks(candidate: Candidate, { verdict: { breaks }, pair }: Draft): Candidate {
  if (breaks.length === 0 || pair !== undefined) return candidate;
  const told = breaks.map((text) => ({ kind: 'filter', text: `Not as defined: ${text}.` }) as const);
  return { ...candidate, assumptions: [...told, ...candidate.assumptions] };
}

/** What a model writes is as likely right as the assessment says. */
function assessed(candidate: Candidate, scored: ScoredAnswer): Candidate {
  return scored.kind === 'scored'
    ? { ...scored.candidate, probability: 1 - scored.risk.queryRisk }
    : candidate;
}

interface NamedMode extends ModeSettings {
  readonly name: AnswerMode;
}

/** `--no-execute` holds in every mode. */
function modeOf({ mode: name = 'fast', execute }: AnswerContext['options']): NamedMode {
  const settings = ANSWER_MODES[name];
  return { name, ...settings, executes: settings.executes && execute !== false };
}

async function linkFor(
  { text }: Interpretation,
  { ledger, linker, normaliser, contextWindow }: ModelRoles,
  mode: ModeSettings,
  { session, options: { hint, signal } }: AnswerContext,
): Promise<LinkedQuestion> {
  const isWhole = fitsWhole(session, contextWindow);
  return linkQuestion(text, await linkingOf(session), {
    ...(hint !== undefined && { hint }),
    settings: {
      ...LINK_DEFAULTS,
      gate: gateOf(isWhole, contextWindow),
      viewTokens: SCHEMA_SHARE * mostTokens(contextWindow),
      evilink: { ...LINK_DEFAULTS.evilink, sharedTokens: sharedTokensOf(contextWindow) },
    },
    probes: mode.executes,
    roles: {
      ledger,
      // Where nothing is left out there is nothing to choose.
      ...(mode.linksByModel && !isWhole && { linker, normaliser }),
      ...(contextWindow !== undefined && { contextWindow }),
    },
    ...(signal && { signal }),
  });
}

/** A window that is small has room for the question and the reply as well. */
function sharedTokensOf(contextWindow = Number.POSITIVE_INFINITY): number {
  const room = Math.floor(GATE_DEFAULTS.maxContextUsage * contextWindow);
  return Math.max(1, Math.min(LINK_DEFAULTS.evilink.sharedTokens, room));
}

/** Where all that is known fits, nothing is left out; else the schema may take what the context leaves it. */
function gateOf(isWhole: boolean, contextWindow: number | undefined): GateSettings {
  if (isWhole) return { ...GATE_DEFAULTS, maxContextUsage: 1, maxColumns: Number.MAX_SAFE_INTEGER };
  const share = (SCHEMA_SHARE * mostTokens(contextWindow)) / (contextWindow ?? GATE_DEFAULTS.defaultWindow);
  return { ...GATE_DEFAULTS, maxContextUsage: Math.min(GATE_DEFAULTS.maxContextUsage, share) };
}

function candidateOf(
  { sql, explanation, assumptions }: Draft,
  { linked }: LinkedQuestion,
  { catalog }: Session,
): Candidate {
  return {
    ...{ sql, explanation },
    assumptions: assumptions.map(assumptionOf),
    evidence: evidenceOfLinks(sql, catalog, linked?.items ?? []),
  };
}

function assumptionOf({ text, phrase = '', likely, choices = [] }: Draft['assumptions'][number]): Assumption {
  const alternatives = choices.map(({ label, sql }) => ({ choice: label, label, sql }));
  return {
    ...{ kind: 'model', text },
    ...(phrase !== '' && { phrase }),
    ...(likely !== undefined && { likely }),
    ...(alternatives.length > 0 && { alternatives }),
  };
}

/** Where no draft is sound: what was wrong with the first one. */
function withoutSound(written: readonly Draft[], linked: LinkedQuestion, session: Session): Outcome {
  const [first] = written;
  const problems =
    first === undefined ? [] : [...first.verdict.problems, ...(first.error ? [first.error] : [])];
  return {
    kind: 'abstain',
    reason: `No candidate of the model passed the checks: ${problems.join('; ') || 'it wrote none'}`,
    candidates: written.map((draft) => candidateOf(draft, linked, session)),
  };
}

function useOf(
  { id, host, ledger, sent, cost: { dollars }, leftOut }: ModelRoles,
  mode: AnswerMode,
  told: readonly string[],
): ModelUse {
  const story = [...told, ...[...leftOut].map((said) => `The service of the model deviates: ${said}.`)];
  const { entries } = ledger;
  const cachedTokens = entries.reduce((sum, { cachedTokens: cached = 0 }) => sum + cached, 0);
  return {
    ...{ id, host, mode, story, sent },
    calls: entries.length,
    ...(dollars !== undefined && { cost: dollars }),
    promptTokens: entries.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
    completionTokens: entries.reduce((sum, { completionTokens }) => sum + completionTokens, 0),
    ...(cachedTokens > 0 && { cachedTokens }),
  };
}

/** The rows of the draft; run anew where the query was mended since or has not run; null where nothing is to run. */
async function resultOf(
  sql: string,
  draft: Draft,
  { executes }: ModeSettings,
  { session, options, trace }: AnswerContext,
): Promise<QueryResult | CandorError | null> {
  if (!executes) return null;
  if (draft.result !== undefined && draft.sql === sql) return draft.result;
  return trace.stage('execute', () => runCapped(sql, session, options.signal));
}
