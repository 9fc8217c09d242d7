/** A language model answers: link, draft candidates, choose among them, assess. */
import type { ModelUse } from './answer.ts';
import { answeredOutcome } from './answered-outcome.ts';
import { targetOf } from './ask-options.ts';
import type { Decision } from './boundary/index.ts';
import { chooseDraft, type DraftChoice } from './choose-draft.ts';
import { confirmMissing, confirmNothingMeant } from './confirm-missing.ts';
import type { QueryResult } from './database/index.ts';
import { type Drafting, draftAll } from './draft-all.ts';
import { draftDesk } from './draft-desk.ts';
import type { Draft } from './draft-query.ts';
import { CandorError } from './errors.ts';
import {
  ANSWER_MODES,
  type AnswerMode,
  type Candidate,
  evidenceOfLinks,
  type ModeSettings,
} from './generation/index.ts';
import { instructionsOf } from './instructions-of.ts';
import { judgeDrafts, NO_TESTS, testsFor } from './judge-drafts.ts';
import type { Retrieved } from './knowledge/index.ts';
import { type LinkedQuestion, linkingOf, linkQuestion } from './link-question.ts';
import { GATE_DEFAULTS, type GateSettings, LINK_DEFAULTS, type LinkedSchema } from './linking/index.ts';
import { type Mind, openMind } from './open-mind.ts';
import type { SessionModels } from './open-models.ts';
import type { NotWritten } from './reasoning/index.ts';
import { runCapped } from './run-capped.ts';
import { type ScoredAnswer, scoreAnswer } from './score-answer.ts';
import type { Session } from './session.ts';
import type { Outcome } from './stamp-answer.ts';
import { millisecondsSince, type Settled, type Settling, type Thought } from './thought.ts';
import { withoutFailed } from './without-failed.ts';
import { writeQuestionOf } from './write-question-of.ts';

/** What rules of the semantic model decide stays decided; what only words speak against, a model may read better. */
export function isForModel(decision: Decision): boolean {
  if (decision.kind !== 'boundary' || decision.rivals !== undefined) return true;
  return decision.boundary.kind === 'reject' && decision.boundary.isOfWords === true;
}

/** Throws `model.*` when the model cannot be asked, and what the database throws. */
export async function settleByModel(
  thought: Thought,
  models: SessionModels,
  settling: Settling,
): Promise<Settled> {
  const { session, options, trace, start } = settling;
  const mode = modeOf(options);
  const mind = openMind(models);
  const settled = (outcome: Outcome, story: readonly string[] = []): Settled => ({
    outcome: { ...outcome, model: useOf(mind, mode.name, story) },
    thinkMs: millisecondsSince(start),
  });
  const linked = await trace.stage('link schema', () => linkFor(thought, mind, mode, settling));
  const { question, linked: schema, retrieved } = linked;
  if (schema === null || retrieved === null)
    return settled(confirmNothingMeant(question.because, thought, session));
  const found = { text: question.question, linked: schema, retrieved };
  const drafting = draftingOf(thought, found, { mind, mode, settling });
  const { writer } = mind;
  const [{ drafts, notes }, tests] = await trace.stage('write', () =>
    Promise.all([draftAll(drafting), options.tests ? testsFor(drafting.questionFor(), writer) : NO_TESTS]),
  );
  const missing = missingOf(drafts);
  if (missing !== undefined) return settled(confirmMissing(missing, linked, thought, session));
  const written = withoutFailed(drafts.filter(isDraft), options.previous?.sql);
  const choice = await trace.stage('select', async () => {
    const testsPassed = await judgeDrafts(drafting.questionFor(), written, tests.tests, writer);
    return chooseDraft(written, { session, question: thought.text, hint: options.hint, testsPassed });
  });
  if (choice === undefined) return settled(withoutSound(written, linked, session));
  const told = { ...choice, story: [...choice.story, ...notes, ...tests.notes] };
  return settled(...(await assess(told, written, linked, { thought, mode, settling })));
}

interface Found {
  /** As linking read the question. */
  readonly text: string;
  readonly linked: LinkedSchema;
  readonly retrieved: Retrieved;
}

function draftingOf(
  { readings }: Thought,
  found: Found,
  { mind, mode, settling }: { readonly mind: Mind; readonly mode: ModeSettings; readonly settling: Settling },
): Drafting {
  const { session, options, now } = settling;
  const { hint, signal } = options;
  const { writer, ledger } = mind;
  const asked = { hint, now, instructions: instructionsOf(session) };
  const parts = { ...found, ...asked, ledger, sharing: writer.sharing ?? 'all', signal };
  return {
    desk: draftDesk({ session, writer, mode, ...found, signal }),
    questionFor: (seed) => writeQuestionOf({ ...parts, ...(seed !== undefined && { seed }) }),
    readings: readings.filter(({ probability }) => probability >= session.config.minProbability),
  };
}

function isDraft(draft: Draft | NotWritten): draft is Draft {
  return !('missing' in draft);
}

interface Assessing {
  readonly thought: Thought;
  readonly mode: ModeSettings;
  readonly settling: Settling;
}

/** The chosen draft, assessed, with its rows. */
async function assess(
  { draft, story }: DraftChoice,
  drafts: readonly Draft[],
  linked: LinkedQuestion,
  { thought, mode, settling }: Assessing,
): Promise<readonly [Outcome, readonly string[]]> {
  const { session, options, trace } = settling;
  const candidate = candidateOf(draft, linked, session);
  const others = drafts
    .filter(({ sql }) => sql !== draft.sql)
    .map((one) => candidateOf(one, linked, session));
  const scored = await trace.stage('score', () =>
    scoreAnswer(candidate, session, {
      question: thought.text,
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
  const result = await resultOf(chosen.sql, draft, mode, settling);
  if (result instanceof CandorError) return abstain(result.message);
  const { checks } = draft.verdict;
  const { chart } = thought;
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
function modeOf({ mode: name = 'fast', execute }: Settling['options']): NamedMode {
  const settings = ANSWER_MODES[name];
  return { name, ...settings, executes: settings.executes && execute !== false };
}

async function linkFor(
  { text }: Thought,
  { ledger, linker, normaliser, contextWindow }: Mind,
  mode: ModeSettings,
  { session, options: { hint, signal } }: Settling,
): Promise<LinkedQuestion> {
  return linkQuestion(text, await linkingOf(session), {
    ...(hint !== undefined && { hint }),
    settings: { ...LINK_DEFAULTS, gate: gateOf(mode, contextWindow) },
    probes: mode.executes,
    mind: {
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
  { id, host, ledger, sent, cost: { dollars } }: Mind,
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
  { session, options, trace }: Settling,
): Promise<QueryResult | CandorError | null> {
  if (!executes) return null;
  if (draft.result !== undefined && draft.sql === sql) return draft.result;
  return trace.stage('execute', () => runCapped(sql, session, options.signal));
}
