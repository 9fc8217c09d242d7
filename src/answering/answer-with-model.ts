/** A language model answers: link, draft candidates, choose among them, assess. */
import type { ModelUse } from '../answer.ts';
import type { Decision } from '../boundary/index.ts';
import type { QueryResult } from '../database/index.ts';
import { CandorError } from '../errors.ts';
import {
  ANSWER_MODES,
  type AnswerMode,
  type Candidate,
  evidenceOfLinks,
  type ModeSettings,
} from '../generation/index.ts';
import type { Retrieved } from '../knowledge/index.ts';
import { GATE_DEFAULTS, type GateSettings, LINK_DEFAULTS, type LinkedSchema } from '../linking/index.ts';
import type { SessionModels } from '../open-models.ts';
import type { NotWritten } from '../reasoning/index.ts';
import type { Session } from '../session.ts';
import {
  type AnswerContext,
  type AnswerResult,
  type Interpretation,
  millisecondsSince,
} from './answer-context.ts';
import { targetOf } from './ask-options.ts';
import { assessAnswer, type ScoredAnswer } from './assess-risk.ts';
import { answeredOutcome, type Outcome } from './build-answer.ts';
import { buildSqlPrompt, instructionsOf } from './build-sql-prompt.ts';
import { judgeByTests, NO_TESTS, writeTests } from './candidate-tests.ts';
import { candidateTools } from './candidate-tools.ts';
import { type Draft, type GenerationRequest, generateCandidates } from './generate-candidates.ts';
import { type LinkedQuestion, linkingOf, linkQuestion } from './link-question.ts';
import { type ModelRoles, openModelRoles } from './model-roles.ts';
import { runCapped } from './run-sql.ts';
import { withoutFailed } from './same-sql.ts';
import { type SelectedDraft, selectDraft } from './select-candidate.ts';
import { verifyMissing, verifyNothingMeant } from './verify-rejection.ts';

/** What rules of the semantic model decide stays decided; what only words speak against, a model may read better. */
export function isForModel(decision: Decision): boolean {
  if (decision.kind !== 'boundary' || decision.rivals !== undefined) return true;
  return decision.boundary.kind === 'reject' && decision.boundary.isOfWords === true;
}

/** Throws `model.*` when the model cannot be asked, and what the database throws. */
export async function answerWithModel(
  interpretation: Interpretation,
  models: SessionModels,
  context: AnswerContext,
): Promise<AnswerResult> {
  const { session, options, trace, start } = context;
  const mode = modeOf(options);
  const roles = openModelRoles(models);
  const settled = (outcome: Outcome, story: readonly string[] = []): AnswerResult => ({
    outcome: { ...outcome, model: useOf(roles, mode.name, story) },
    thinkMs: millisecondsSince(start),
  });
  const linked = await trace.stage('link schema', () => linkFor(interpretation, roles, mode, context));
  const { question, linked: schema, retrieved } = linked;
  if (schema === null || retrieved === null)
    return settled(verifyNothingMeant(question.because, interpretation, session));
  const found = { text: question.question, linked: schema, retrieved };
  const drafting = generationRequest(interpretation, found, { roles, mode, context });
  const { writer } = roles;
  const [{ drafts, notes }, tests] = await trace.stage('write', () =>
    Promise.all([
      generateCandidates(drafting),
      options.tests ? writeTests(drafting.questionFor(), writer) : NO_TESTS,
    ]),
  );
  const missing = missingOf(drafts);
  if (missing !== undefined) return settled(verifyMissing(missing, linked, interpretation, session));
  const written = withoutFailed(drafts.filter(isDraft), options.previous?.sql);
  const choice = await trace.stage('select', async () => {
    const testsPassed = await judgeByTests(drafting.questionFor(), written, tests.tests, writer);
    return selectDraft(written, { session, question: interpretation.text, hint: options.hint, testsPassed });
  });
  if (choice === undefined) return settled(withoutSound(written, linked, session));
  const told = { ...choice, story: [...choice.story, ...notes, ...tests.notes] };
  return settled(...(await assess(told, written, linked, { interpretation, mode, context })));
}

interface Found {
  /** As linking read the question. */
  readonly text: string;
  readonly linked: LinkedSchema;
  readonly retrieved: Retrieved;
}

function generationRequest(
  { readings }: Interpretation,
  found: Found,
  {
    roles,
    mode,
    context,
  }: { readonly roles: ModelRoles; readonly mode: ModeSettings; readonly context: AnswerContext },
): GenerationRequest {
  const { session, options, now } = context;
  const { hint, signal } = options;
  const { writer, ledger } = roles;
  const asked = { hint, now, instructions: instructionsOf(session) };
  const parts = { ...found, ...asked, ledger, sharing: writer.sharing ?? 'all', signal };
  return {
    tools: candidateTools({ session, writer, mode, ...found, signal }),
    questionFor: (seed) => buildSqlPrompt({ ...parts, ...(seed !== undefined && { seed }) }),
    readings: readings.filter(({ probability }) => probability >= session.config.minProbability),
  };
}

function isDraft(draft: Draft | NotWritten): draft is Draft {
  return !('missing' in draft);
}

interface Assessing {
  readonly interpretation: Interpretation;
  readonly mode: ModeSettings;
  readonly context: AnswerContext;
}

/** The chosen draft, assessed, with its rows. */
async function assess(
  { draft, story }: SelectedDraft,
  drafts: readonly Draft[],
  linked: LinkedQuestion,
  { interpretation, mode, context }: Assessing,
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
      signal: options.signal,
    }),
  );
  const abstain = (reason: string): readonly [Outcome, readonly string[]] => [
    { kind: 'abstain', reason, candidates: [candidate, ...others] },
    story,
  ];
  if (scored.kind === 'withheld') return abstain(scored.reason);
  const chosen = assessed(candidate, scored);
  const result = await resultOf(chosen.sql, draft, mode, context);
  if (result instanceof CandorError) return abstain(result.message);
  const { checks } = draft.verdict;
  const { chart } = interpretation;
  return [answeredOutcome({ candidate: chosen, checks, scored, result, chart }, others), story];
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
  return linkQuestion(text, await linkingOf(session), {
    ...(hint !== undefined && { hint }),
    settings: { ...LINK_DEFAULTS, gate: gateOf(mode, contextWindow) },
    probes: mode.executes,
    roles: {
      ledger,
      ...(mode.linksByModel && { linker, normaliser }),
      ...(contextWindow !== undefined && { contextWindow }),
    },
    ...(signal && { signal }),
  });
}

/** The gate with the bound of the mode, where that is the narrower one. */
function gateOf({ mostSchemaTokens }: ModeSettings, contextWindow: number | undefined): GateSettings {
  if (mostSchemaTokens === undefined) return GATE_DEFAULTS;
  const share = mostSchemaTokens / (contextWindow ?? GATE_DEFAULTS.defaultWindow);
  return { ...GATE_DEFAULTS, maxContextUsage: Math.min(GATE_DEFAULTS.maxContextUsage, share) };
}

function candidateOf(
  { sql, explanation, assumptions }: Draft,
  { linked }: LinkedQuestion,
  { catalog }: Session,
): Candidate {
  return {
    ...{ sql, explanation },
    assumptions: assumptions.map((text) => ({ kind: 'model', text })),
    evidence: evidenceOfLinks(sql, catalog, linked?.items ?? []),
  };
}

/** The model's word that the schema cannot answer, where more of its draws say so than write a query. */
function missingOf(drafts: readonly (Draft | NotWritten)[]): NotWritten | undefined {
  const drawn = drafts.filter((draft) => !isDraft(draft) || draft.by === 'model');
  const missing = drawn.filter((draft): draft is NotWritten => !isDraft(draft));
  return missing.length * 2 <= drawn.length ? undefined : missing[0];
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
  { id, host, ledger, sent, cost: { dollars } }: ModelRoles,
  mode: AnswerMode,
  story: readonly string[],
): ModelUse {
  const { entries } = ledger;
  return {
    ...{ id, host, mode, story, sent },
    calls: entries.length,
    ...(dollars !== undefined && { cost: dollars }),
    promptTokens: entries.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
    completionTokens: entries.reduce((sum, { completionTokens }) => sum + completionTokens, 0),
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
