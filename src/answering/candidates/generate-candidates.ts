/** Every candidate of one question, drafted side by side. */

import type { Check } from '../../answer.ts';
import type { QueryResult } from '../../database/index.ts';
import { CandorError } from '../../errors.ts';
import {
  areSameRows,
  drawsFor,
  type ModeSettings,
  type ResearchTools,
  research,
} from '../../generation/index.ts';
import type { VerifiedPair } from '../../knowledge/authored/index.ts';
import type { Reading } from '../../reasoning/roles/reading.ts';
import type {
  AskedBack,
  Draw,
  NotWritten,
  WriteQuestion,
  WriteReasoner,
  WrittenQuery,
} from '../../reasoning/roles/write-reasoner.ts';
import { isSameText } from '../assess/same-sql.ts';
import { soundOnly } from './sound-only.ts';
import { unsaidByPair } from './unsaid-by-pair.ts';

export interface GenerationRequest {
  readonly tools: CandidateTools;
  /** The question as each draw sees it; a seed shuffles tables and columns. */
  readonly questionFor: (seed?: number, objection?: string) => WriteQuestion;
  /** What was found against an earlier reply; every draw is told. */
  readonly objection?: string;
  /** Absent: as many as the mode says. */
  readonly mostDraws?: number;
  /** The built-in engine's readings, likeliest first, where they may be candidates. */
  readonly readings: readonly Reading[];
}

export interface GeneratedCandidates {
  readonly drafts: readonly (Draft | Declined)[];
  /** What became of the draws that failed, for people. */
  readonly notes: readonly string[];
}

/** Each draw over its own order of the schema; one that fails costs the others nothing. */
export async function generateCandidates({
  tools,
  questionFor,
  readings,
  objection,
  mostDraws = tools.mode.candidates,
}: GenerationRequest): Promise<GeneratedCandidates> {
  const draws = drawsFor(Math.min(mostDraws, tools.mode.candidates));
  const [reading] = tools.mode.engineVotes ? readings : [];
  const engine = reading === undefined ? [] : [await engineDraft(reading, draws.length, tools)];
  const drawn = (draw: Draw): Promise<Draft | Declined> =>
    generateCandidate(questionFor(draws.length > 1 ? draw.index : undefined, objection), draw, tools);
  const { drafts, failed, agreed } = tools.mode.stopsWhenTwoAgree
    ? await drawUntilTwoAgree(draws, drawn, engine)
    : { ...(await drawAll(draws, drawn)), agreed: undefined };
  const fatal = failed.find((error) => drafts.length === 0 || isBug(error) || isCancelled(error));
  if (fatal !== undefined) throw fatal;
  const lost = failed.map((error) => `a draft was lost: ${error instanceof Error ? error.message : error}`);
  return { drafts: [...drafts, ...engine], notes: [...lost, ...(agreed === undefined ? [] : [agreed])] };
}

interface Drawn {
  readonly drafts: readonly (Draft | Declined)[];
  readonly failed: readonly unknown[];
}

type DrawOne = (draw: Draw) => Promise<Draft | Declined>;

async function drawAll(draws: readonly Draw[], drawn: DrawOne): Promise<Drawn> {
  const settled = await Promise.allSettled(draws.map(drawn));
  return {
    drafts: settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
    failed: settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : [])),
  };
}

/** One after the other: what a second one says the same of needs no third. Only rows agree; to find nothing is easy. */
async function drawUntilTwoAgree(
  draws: readonly Draw[],
  drawn: DrawOne,
  engine: readonly Draft[],
): Promise<Drawn & { readonly agreed: string | undefined }> {
  const drafts: (Draft | Declined)[] = [];
  const failed: unknown[] = [];
  for (const draw of draws) {
    const { drafts: own, failed: lost } = await drawAll([draw], drawn);
    const others = [...drafts, ...engine];
    drafts.push(...own);
    failed.push(...lost);
    if (lost.some((error) => isBug(error) || isCancelled(error))) break;
    const [next] = own;
    const left = draws.length - draw.index - 1;
    if (next !== undefined && left > 0 && others.some((other) => giveSameRows(next, other)))
      return { drafts, failed, agreed: `two agree, ${left} more ${left === 1 ? 'was' : 'were'} not drawn` };
  }
  return { drafts, failed, agreed: undefined };
}

function giveSameRows(one: Draft | Declined, other: Draft | Declined): boolean {
  const [left, right] = [one, other].map((draft) =>
    'result' in draft && draft.verdict.ok ? draft.result : undefined,
  );
  return left !== undefined && right !== undefined && left.rows.length > 0 && areSameRows(left, right);
}

/** A query that stands as it is, checked and run. */
export async function draftOfQuery(
  { sql, explanation, assumptions }: Pick<Draft, 'sql' | 'explanation' | 'assumptions'>,
  tools: CandidateTools,
  { by, index, story }: Pick<Draft, 'by' | 'index' | 'story'> = { by: 'model', index: 0, story: [] },
): Promise<Draft> {
  const verdict = await tools.check(sql);
  const run = verdict.ok ? await tools.run?.(sql) : undefined;
  return {
    ...{ by, index, sql, explanation, assumptions, verdict, story },
    ...(run?.ok === true && { result: run.result }),
    ...(run?.ok === false && { error: run.error }),
    rounds: { fixes: 0, revisions: 0 },
  };
}

/** The built-in engine's first reading as a candidate of its own. */
function engineDraft(
  { sql, explanation, assumptions }: Reading,
  index: number,
  tools: CandidateTools,
): Promise<Draft> {
  const written = { sql, explanation, assumptions: assumptions.map(({ text }) => ({ text })) };
  return draftOfQuery(written, tools, { by: 'engine', index, story: ['written by the built-in engine'] });
}

function isBug(error: unknown): boolean {
  return !(error instanceof CandorError) || error.kind === 'bug';
}

function isCancelled(error: unknown): boolean {
  return error instanceof CandorError && error.code.endsWith('.cancelled');
}

/** One candidate of a language model: written, checked, mended, run, written anew; each step bounded and told. */

/** What the checks say of a query. */
export interface Verdict {
  readonly ok: boolean;
  readonly checks: readonly Check[];
  /** Everything that is wrong, in sentences; empty where it is ok. */
  readonly problems: readonly string[];
  /** What does not forbid it: a value that is not stored, a sum over rows that a join repeats. */
  readonly doubts: readonly string[];
  /** Definitions of people that it does not keep to, in sentences. */
  readonly breaks: readonly string[];
  /** A table or column is not there: what research can help with. */
  readonly hasWrongNames: boolean;
  /** How bad all of it is; the lower is the better. */
  readonly weight: number;
}

/** What came of a run: rows, or the words of the engine. */
export type Run =
  | { readonly ok: true; readonly result: QueryResult }
  | { readonly ok: false; readonly error: string };

/** What drafting may use; every part is bound to one session and one question. */
export interface CandidateTools {
  readonly writer: WriteReasoner;
  readonly mode: ModeSettings;
  check(sql: string): Promise<Verdict>;
  /** The query as rules mend it, with what they changed; undefined where they cannot. */
  repair(sql: string): { readonly sql: string; readonly changes: readonly string[] } | undefined;
  /** What rules would guess of the faults that are left, in sentences; absent: nothing. */
  possibilities?(sql: string): readonly string[];
  /** Runs a query that passed the checks; absent: nothing is run. */
  readonly run?: (sql: string) => Promise<Run>;
  readonly research?: ResearchTools;
  /** Verified pairs in the order of the question; a writer names one by its number. */
  readonly pairs?: readonly VerifiedPair[];
  /** The question with more tables in view. */
  withTables(question: WriteQuestion, tables: readonly string[]): WriteQuestion;
}

export interface Draft {
  readonly index: number;
  readonly by: 'model' | 'engine';
  readonly sql: string;
  readonly explanation: string;
  readonly assumptions: WrittenQuery['assumptions'];
  readonly unused?: WrittenQuery['unused'];
  /** The verified pair whose query it is. */
  readonly pair?: VerifiedPair;
  readonly verdict: Verdict;
  /** Absent where it was not run or the run failed. */
  readonly result?: QueryResult;
  /** Why it did not run. */
  readonly error?: string;
  readonly rounds: { readonly fixes: number; readonly revisions: number };
  /** What happened, step by step, for people. */
  readonly story: readonly string[];
}

/** A model's word that it writes no query: it asks back, or says what is missing. */
export type Declined = AskedBack | NotWritten;

/** Drafts one candidate. Throws what the model throws. */
export async function generateCandidate(
  question: WriteQuestion,
  draw: Draw,
  tools: CandidateTools,
): Promise<Draft | Declined> {
  const first = await writeWithPair(question, draw, tools);
  if ('missing' in first || 'ask' in first) return first;
  const { pair, ...query } = first;
  const assumptions = await Promise.all(
    query.assumptions.map(async (one) => ({ ...one, choices: await soundOnly(one.choices ?? [], tools) })),
  );
  const written = { ...query, assumptions };
  const state: DraftState = { question, written, fixes: 0, revisions: 0, story: [], pair };
  const verdict = await mend(state, tools);
  return revise(state, verdict, draw, tools);
}

type WithPair = Omit<WrittenQuery, 'pair'> & { readonly pair?: VerifiedPair | undefined };

/** A pair that does not say what the question says is not its answer: the model is told once, and then it is a query like any other. */
async function writeWithPair(
  question: WriteQuestion,
  draw: Draw,
  { writer, pairs = [] }: CandidateTools,
): Promise<WithPair | Declined> {
  const isPrivate = writer.sharing === 'private';
  let asked = question;
  for (let tries = 0; ; tries += 1) {
    const written = await writer.write(asked, draw);
    if ('missing' in written || 'ask' in written) return written;
    const { pair: number, ...query } = written;
    const pair = number === undefined ? undefined : pairs[number - 1];
    if (pair === undefined) return query;
    const taken = { ...query, sql: pair.sql, explanation: pair.question };
    const unsaid = unsaidByPair(question.text, pair, { isPrivate });
    if (unsaid === undefined) return { ...taken, pair };
    if (tries > 0) {
      const text = `The verified pair that this is asks something else: ${unsaid}.`;
      return { ...taken, assumptions: [...taken.assumptions, { text }] };
    }
    asked = {
      ...question,
      objection: `Verified pair ${number} asks something else: ${unsaid}. Write the query.`,
    };
  }
}

/** Mends a query that somebody wrote, by rules and by the model; nothing is run. */
export async function mendQuery(
  question: WriteQuestion,
  { sql, engineError, complaints = [] }: ToMend,
  tools: CandidateTools,
): Promise<{ readonly sql: string; readonly verdict: Verdict; readonly story: readonly string[] }> {
  const written = { sql, explanation: '', assumptions: [], tables: [], columns: [] };
  const told = engineError === undefined ? {} : { engineError };
  const state: DraftState = { question, written, fixes: 0, revisions: 0, story: [], complaints, ...told };
  const verdict = await mend(state, tools);
  return { sql: state.written.sql, verdict, story: state.story };
}

export interface ToMend {
  readonly sql: string;
  readonly engineError?: string | undefined;
  /** What is said against it and no check sees, in sentences. */
  readonly complaints?: readonly string[];
}

interface DraftState {
  /** Whose query was taken. */
  readonly pair?: VerifiedPair | undefined;
  question: WriteQuestion;
  written: WrittenQuery;
  fixes: number;
  revisions: number;
  /** It was told of the definitions that it breaks; once is enough, as a question may switch them off. */
  isHeldToDefinitions?: boolean;
  readonly story: string[];
  /** What an engine said of the query as it was given. */
  readonly engineError?: string;
  /** What no check sees: the query as it was given is not sound while there is any. */
  readonly complaints?: readonly string[];
}

/** Rules first, then the model for the rest, until it is sound, nothing changes, or the rounds are used. */
async function mend(state: DraftState, tools: CandidateTools): Promise<Verdict> {
  for (;;) {
    const verdict = await checkAndRepair(state, tools);
    const broken = state.isHeldToDefinitions
      ? []
      : verdict.breaks.filter((text) => !isSaid(text, state.written));
    const complaints = state.fixes === 0 ? (state.complaints ?? []) : [];
    const isSound = verdict.ok && complaints.length === 0;
    if ((isSound && broken.length === 0) || state.fixes >= tools.mode.fixRounds) return verdict;
    state.fixes += 1;
    if (broken.length > 0) state.isHeldToDefinitions = true;
    const last = state.written;
    const { sql: before, explanation, unused } = last;
    const problems = [...verdict.problems, ...complaints, ...broken];
    const mended = await tools.writer.fix(...(await brokenOf(state, { ...verdict, problems }, tools)));
    // What the rows show is as it was; what was wrong is in the story.
    const assumptions = mended.assumptions.length > 0 ? mended.assumptions : last.assumptions;
    state.written = { ...mended, assumptions, unused, ...(explanation !== '' && { explanation }) };
    if (isSound && !(await tools.check(mended.sql)).ok) {
      // A sound query is not given up for one that is none.
      state.written = last;
      return verdict;
    }
    state.story.push(`mended by the model: ${problems.join('; ')}`);
    if (isSameText(before, mended.sql)) return verdict;
  }
}

/** A definition that an assumption speaks of was switched off knowingly. */
function isSaid(definition: string, { assumptions, pair }: WrittenQuery): boolean {
  if (pair !== undefined) return true;
  const said = stemsOf(assumptions.map(({ text }) => text).join(' '));
  const [, text = definition] = /\(([^()]*)\)$/.exec(definition) ?? [];
  return [...stemsOf(text)].some((stem) => said.has(stem));
}

/** Beginnings of the words that say something. */
function stemsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{5,}/gu) ?? [];
  return new Set(words.filter((word) => word !== 'without').map((word) => word.slice(0, 6)));
}

async function checkAndRepair(state: DraftState, tools: CandidateTools): Promise<Verdict> {
  const verdict = await tools.check(state.written.sql);
  if (verdict.ok) return verdict;
  const repaired = tools.repair(state.written.sql);
  if (repaired === undefined) return verdict;
  const again = await tools.check(repaired.sql);
  if (again.weight >= verdict.weight) return verdict;
  state.written = { ...state.written, sql: repaired.sql };
  state.story.push(...repaired.changes.map((change) => `mended by a rule: ${change}`));
  return again;
}

/** What the fixer is told; wrong names are looked up first where a researcher may help. */
async function brokenOf(
  state: DraftState,
  { problems, hasWrongNames }: Verdict,
  { mode, research: researchTools, writer, withTables, possibilities }: CandidateTools,
): Promise<Parameters<WriteReasoner['fix']>> {
  const { engineError } = state.fixes > 1 ? {} : state;
  const { sql } = state.written;
  const guesses = possibilities?.(sql) ?? [];
  const broken = {
    ...{ sql, problems },
    ...(engineError !== undefined && { engineError }),
    ...(guesses.length > 0 && { possibilities: guesses }),
  };
  if (!mode.researches || !hasWrongNames || researchTools === undefined) return [state.question, broken];
  const found = await research(state.question, broken, writer, researchTools);
  state.question = withTables(state.question, found.tables);
  if (found.tables.length > 0) state.story.push(`research added ${found.tables.join(', ')}`);
  return [state.question, found.advice === '' ? broken : { ...broken, advice: found.advice }];
}

/** A run that fails, or gives nothing for no good reason, is written anew; the last sound version stays. */
async function revise(
  state: DraftState,
  verdict: Verdict,
  draw: Draw,
  tools: CandidateTools,
): Promise<Draft> {
  const kept = (run: Run | undefined): Draft => draftOf(state, { verdict, run, draw });
  if (!verdict.ok || tools.run === undefined) return kept(undefined);
  let best = kept(await tools.run(state.written.sql));
  for (let last = best; state.revisions < tools.mode.revisions; ) {
    const outcome = oddOf(last, tools.mode);
    if (outcome === undefined) break;
    const before = state.written.sql;
    state.revisions += 1;
    state.written = await tools.writer.revise(state.question, {
      sql: before,
      outcome,
      nearValues: last.verdict.doubts,
    });
    state.story.push(`written anew by the model: ${outcome}`);
    if (isSameText(before, state.written.sql)) break;
    const checked = await mend(state, tools);
    if (!checked.ok) break;
    last = draftOf(state, { verdict: checked, run: await tools.run(state.written.sql), draw });
    if (isBetter(last, best)) best = last;
  }
  return { ...best, rounds: { fixes: state.fixes, revisions: state.revisions }, story: [...state.story] };
}

/** What is odd about a run; undefined where nothing is. */
function oddOf(
  { error, result, verdict: { doubts } }: Draft,
  { revisesEmpty }: ModeSettings,
): string | undefined {
  if (error !== undefined) return error;
  const isEmpty = result?.rows.length === 0;
  if (!isEmpty || (revisesEmpty === 'doubtful' && doubts.length === 0)) return undefined;
  return 'the query returns no rows';
}

/** Rows beat none, and none beat an error. */
function isBetter(next: Draft, best: Draft): boolean {
  const worth = ({ error, result }: Draft): number =>
    error !== undefined || result === undefined ? 0 : result.rows.length === 0 ? 1 : 2;
  return worth(next) > worth(best);
}

function draftOf(
  { written, fixes, revisions, story, pair }: DraftState,
  { verdict, run, draw }: { readonly verdict: Verdict; readonly run: Run | undefined; readonly draw: Draw },
): Draft {
  const { sql, explanation, assumptions, unused } = written;
  const isPair = pair !== undefined && isSameText(pair.sql, sql);
  return {
    index: draw.index,
    by: 'model',
    ...{ sql, explanation, assumptions, unused, verdict },
    ...(isPair && { pair }),
    ...(run?.ok === true && { result: run.result }),
    ...(run?.ok === false && { error: run.error }),
    rounds: { fixes, revisions },
    story: [...story],
  };
}
