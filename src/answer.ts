/**
 * The five outcomes of a question and the words every layer shares: evidence, assumptions, checks.
 * All of it is plain data that survives JSON.
 */
import type { Notice } from './results/index.ts';
import type { Cell } from './sql/dialects/cell.ts';
import type { Span } from './sql/dialects/span.ts';

export type { Span } from './sql/dialects/span.ts';

/** Why a part of the SQL stands there. */
export interface Evidence {
  /** Where in `sql` the part stands. */
  readonly sqlSpan: Span;
  /** The part of the question that caused it; absent for what a rule or a default added. */
  readonly questionSpan?: Span;
  readonly part: string;
  /** `stated`: the question says it; `assumed`: a default or rule; `uncertain`: matched loosely. */
  readonly certainty: 'stated' | 'assumed' | 'uncertain';
  readonly why: string;
}

/** A default that was taken and that a person may change. */
export interface Assumption {
  readonly kind:
    | 'time'
    | 'metric'
    | 'filter'
    | 'tie'
    | 'join'
    | 'value'
    | 'limit'
    | 'grain'
    | 'hint'
    /** What people say of a table that the query reads: it is deprecated. */
    | 'status'
    /** A language model says that it took this for granted. */
    | 'model';
  readonly text: string;
  /** What names it in `assume`: `time`, `filter.orders`; two of one answer never share it. */
  readonly id?: string;
  /** What was taken, by the name that `assume` has for it; absent where nothing else can be taken. */
  readonly taken?: string;
  /** The words of the question that leave it open, where a language model names them. */
  readonly phrase?: string;
  /** How many of those who ask this mean it so, in [0, 1], as a language model sees it. */
  readonly likely?: number;
  /** What may be taken instead. */
  readonly alternatives?: readonly AssumptionChoice[];
}

/** Something else that may be taken for granted: `ask(question, { assume: { [id]: choice } })`. */
export interface AssumptionChoice {
  readonly choice: string;
  readonly label: string;
  /** The question that says so itself, where it can. */
  readonly question?: string;
  /** The query that takes it, where a language model wrote one. */
  readonly sql?: string;
  /** What the answer would be then; absent where nothing was run. A choice that changes nothing is left out. */
  readonly effect?: ChoiceEffect;
}

/** How an answer changes with another choice, found by running it. */
export type ChoiceEffect =
  /** One figure each; `change` is the difference as a share of the answer, absent where that is 0. */
  | {
      readonly kind: 'figure';
      readonly value: number;
      readonly answered: number;
      readonly change?: number;
    }
  /** More rows, or fewer, and how many of the answer are not among them. `isAtLeast`: they were cut at the limit. */
  | {
      readonly kind: 'rows';
      readonly rows: number;
      readonly answered: number;
      readonly differing: number;
      readonly isAtLeast?: true;
      /** What is more or less are groups of nothing: rows whose figure is 0 or empty. */
      readonly isOfNothing?: true;
      /** It shows other columns, more or fewer, so that its rows cannot be the same. */
      readonly isOtherShape?: true;
    }
  /** As many rows, of which so many are others; `largest` is the largest change of the one figure that a row of both has. */
  | {
      readonly kind: 'values';
      readonly differing: number;
      readonly rows: number;
      readonly largest?: number;
      readonly isOtherShape?: true;
    }
  | { readonly kind: 'unmeasured'; readonly because: string };

/** A check that the chosen SQL went through; that of definitions is there where one is broken. */
export interface Check {
  readonly name: 'parse' | 'read-only' | 'names' | 'explain' | 'definitions' | 'execute';
  readonly passed: boolean;
  readonly detail?: string;
}

/** One reading offered in a clarification or as an alternative. */
export interface Option {
  readonly label: string;
  /** The stand-alone question that picks this option. */
  readonly question: string;
  readonly sql?: string;
}

/** Something that people wrote down about what the question asks; the answer was not made of it. */
export interface Related {
  readonly kind: 'note' | 'verified-pair';
  /** The note, or the question of the pair. */
  readonly text: string;
  /** File, with the line of a note. */
  readonly place: string;
  /** Of a verified pair. */
  readonly sql?: string;
}

export type ChartKind = 'bar' | 'line' | 'pie' | 'scatter';

/** How the rows may be drawn. */
export interface Chart {
  readonly kind: ChartKind;
  /** Column along the axis. */
  readonly x: string;
  /** Columns drawn against it. */
  readonly y: readonly string[];
  /** Column whose values make one series each. */
  readonly series?: string;
}

/** What a language model did for an answer. */
export interface ModelUse {
  /** Provider and model. */
  readonly id: string;
  /** Who read what was sent; null: it ran on this machine. */
  readonly host: string | null;
  readonly mode: 'fast' | 'careful' | 'no-execution';
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Of the prompt, those that a service had in its cache; absent: none, or nobody said. */
  readonly cachedTokens?: number;
  /** In US dollars; absent where the price of a call is not known. */
  readonly cost?: number;
  /** What was mended and why this candidate was chosen, in sentences. */
  readonly story: readonly string[];
  /** What the model was told, call by call. */
  readonly sent?: readonly Disclosure[];
}

/** One call of a model: who was told which blocks, and how long they were. The texts themselves are not kept. */
export interface Disclosure {
  readonly role: string;
  /** Of the role's prompt; absent where the role has none. */
  readonly promptVersion?: number;
  readonly model: string;
  /** Who reads it; null: the model runs in this process, and nothing left. */
  readonly host: string | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Of the prompt, those that the service had in its cache. */
  readonly cachedTokens?: number;
  readonly blocks: readonly DisclosedBlock[];
  /** Tables that its blocks show, as the prompt writes them. */
  readonly tables: readonly string[];
  /** `replayed`: from a cache or a recording, nothing was sent; `failed`: sent, and no usable reply came. */
  readonly outcome: 'replied' | 'replayed' | 'failed';
}

export interface DisclosedBlock {
  /** As the prompt names it; `outside` is our own wording, the same for every question. */
  readonly name: string;
  readonly characters: number;
  /** Stored values can stand in a block of this kind, and nothing kept them out. */
  readonly mayHoldValues: boolean;
}

interface AnswerBase {
  readonly question: string;
  /**
   * The question as it was read, where that is not how it was asked: after the earlier ones it goes on from, and with
   * the words of the trade replaced. Spans and options refer to it.
   */
  readonly readAs?: string;
  /** Best first; empty where nothing fits, or it was not looked for. */
  readonly related: readonly Related[];
  /** Why what people wrote could not be searched; the answer does not need it. */
  readonly unsearched?: string;
  /** Id of the record that `candor replay` runs again. */
  readonly recordId: string;
  /** Question to outcome without running the SQL, in milliseconds; runs of a model's candidates count. */
  readonly thinkMs: number;
  /** Where a language model was asked. */
  readonly model?: ModelUse;
}

/** How likely the SQL is wrong, and which parts of it. */
export interface AnswerRisk {
  /** Calibrated probability that the SQL does not answer the question, in [0, 1]. */
  readonly queryRisk: number;
  /** The same by the text of the SQL alone, where the probability of the engine that wrote it was taken in. */
  readonly sqlRisk?: number;
  /** What the built-in engine thinks of its own reading, where it wrote the SQL; it is taken into `queryRisk`. */
  readonly engineProbability?: number;
  /** Of answers like this one so many were wrong, of so many that were measured; absent where the figure is no measured one. */
  readonly basis?: {
    readonly wrong: number;
    readonly of: number;
    readonly measured: number;
    /** Of those measured, answers of this project. */
    readonly own?: number;
  };
  /** The risk before labelled answers of the project move it, who wrote the query and which models say so: what a label is kept with. */
  readonly shipped?: { readonly risk: number; readonly writer: string; readonly model: string };
  /** Of the target, where one was set: whether answers of this project prove it, and how many more labels would. */
  readonly promise?: { readonly target: number; readonly isOwn: boolean; readonly labelsNeeded?: number };
  /** `warn`: within what the target allows with a warning; without a target, likelier wrong than right. */
  readonly action: 'answer' | 'warn';
  /** Likeliest wrong first, five at most; none stands out where there are none. */
  readonly units: readonly RiskyPart[];
  /** Why no part was looked at. */
  readonly unreadBecause?: string;
}

interface RiskyPart {
  /** `column`, `literal`, `join`, … */
  readonly kind: string;
  readonly sqlSpan: Span;
  readonly text: string;
  /** Of being wrong, calibrated, in [0, 1]. */
  readonly probability: number;
  /** Clauses for people, the strongest first. */
  readonly reasons: readonly string[];
}

export interface VerifiedBy {
  /** As the pair has it. */
  readonly question: string;
  readonly by?: string;
  /** YYYY-MM-DD */
  readonly at?: string;
  /** File inside the examples folder. */
  readonly place: string;
}

export interface UnusedWords {
  readonly text: string;
  readonly why: string;
}

/** What an expression of a question does there. */
export type WordRole =
  /** A content word: a noun, an adjective, a verb. */
  | 'word'
  /** Written with a capital inside a sentence, or in quotes: most likely a stored value. */
  | 'name'
  | 'number'
  | 'time'
  | 'negation'
  | 'comparison'
  /** First, second, last: a place in an order. */
  | 'ordinal'
  /** The most, the highest, top: the ends of an order. */
  | 'superlative'
  /** Ascending, sorted by. */
  | 'order'
  /** A figure to be computed: average, total, share, growth, median. */
  | 'figure'
  /** Per, for each, by. */
  | 'grouping'
  /** Says how the reply is to look, or holds the sentence together. */
  | 'reply';

/** Where an expression went, or why it went nowhere. */
export type WordClaim =
  /** Parts of the SQL say the same. */
  | { readonly kind: 'query'; readonly sqlSpans: readonly Span[]; readonly why: string }
  /** A rule accounts for it without a part of the SQL. */
  | { readonly kind: 'rule'; readonly why: string }
  /** The query would be the same without it. */
  | {
      readonly kind: 'unused';
      readonly why: string;
      /** An answer without it answers another question. */
      readonly isTelling: boolean;
    };

/** One expression of the question. Expressions of one ledger never overlap and stand in the order of the text. */
export interface WordUse {
  readonly span: Span;
  readonly text: string;
  readonly role: WordRole;
  readonly claim: WordClaim;
}

export interface Answered extends AnswerBase {
  readonly kind: 'answered';
  readonly sql: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Set when a limit cut the result. */
  readonly truncatedBy: 'rows' | 'bytes' | null;
  /** What the engine has to say about the rows; absent when nothing is. */
  readonly notices?: readonly Notice[];
  /** Where a chart was asked for. */
  readonly chart?: Chart;
  /** Why there is no `chart`, where one was asked for. */
  readonly undrawn?: string;
  /** How the question was understood, in one sentence. */
  readonly explanation: string;
  /** That it is right, in [0, 1]; absent where a model wrote it and nothing could be assessed. */
  readonly probability?: number;
  readonly risk?: AnswerRisk;
  /** Why there is no `risk`. */
  readonly unassessed?: string;
  /** A person has checked this query for this question. */
  readonly verified?: VerifiedBy;
  /** Every expression of the question (of `readAs` where that is there) and where in `sql` it went; absent where the query cannot be read. */
  readonly words?: readonly WordUse[];
  /** Words that the query does not use although it would be another one with them, or that a language model says it left out. */
  readonly unused?: readonly UnusedWords[];
  readonly evidence: readonly Evidence[];
  readonly assumptions: readonly Assumption[];
  readonly checks: readonly Check[];
  readonly alternatives: readonly Option[];
}

export interface Clarify extends AnswerBase {
  readonly kind: 'clarify';
  /** What is unclear. */
  readonly gap: 'time' | 'intent' | 'term' | 'value' | 'join-path' | 'metric';
  /** The words of the question that are unclear. */
  readonly phrase: string;
  readonly ask: string;
  readonly options: readonly Option[];
  /** Why what was asked for is not answered, where something else is offered in its place. */
  readonly cause?: RejectCause;
}

export interface FollowUp extends AnswerBase {
  readonly kind: 'follow_up';
  readonly metric: string;
  readonly dimension: string;
  readonly ask: string;
  readonly options: readonly Option[];
}

export type RejectReason = 'metric' | 'dimension' | 'scope' | 'permission' | 'unsafe';

/** Why there is no answer, told apart as people need it: only the first says anything of what the database holds. */
export type RejectCause =
  /** It is a name, and a search through everything found nothing like it; or people wrote down that it is not kept here. */
  | 'absent'
  /** Nothing like it was found, which does not make it absent: not everything was looked through, or it may be called otherwise. */
  | 'not-found'
  | 'not-understood'
  /** It is here, and no key leads to it from what is asked for. */
  | 'not-linked'
  /** A time is asked for of what has no date. */
  | 'no-date'
  | 'no-access'
  /** It asks to change something. */
  | 'read-only'
  /** Talk, or a wish that is none for a database. */
  | 'no-question'
  | 'other-language'
  | 'why'
  | 'forecast'
  | 'opinion'
  /** Questions of its kind were found to have no answer here. */
  | 'unanswerable';

/** What was looked through for something that is missing. */
export interface Searched {
  readonly what: 'metrics' | 'dimensions' | 'tables' | 'columns' | 'values';
  /** How many there are, each with its synonyms; absent for stored values. */
  readonly count?: number;
  /** The nearest, best first; a score of 1 is the full name, in [0, 1]. */
  readonly hits: readonly { readonly name: string; readonly score: number }[];
}

/** A language model says that something is missing, and a search finds it. */
export interface Disagreement {
  readonly missing: string;
  /** The model's words. */
  readonly because: string;
  readonly searched: readonly Searched[];
}

export interface Reject extends AnswerBase {
  readonly kind: 'reject';
  readonly reason: RejectReason;
  readonly cause: RejectCause;
  /** What the question asks for and the database does not have. */
  readonly missing: string;
  readonly message: string;
  /** The nearest things that do exist. */
  readonly nearest: readonly string[];
  /** The search that failed; absent where a rule refuses without one. */
  readonly searched?: readonly Searched[];
}

export interface Abstain extends AnswerBase {
  readonly kind: 'abstain';
  readonly reason: string;
  /** The words of the question that were not understood, where that is why. */
  readonly missing?: string;
  /** What here is near them, the nearest first. */
  readonly nearest?: readonly string[];
  /** What Candor would have run, best first, for a person to judge. */
  readonly candidates: readonly Option[];
  /** Where a model's refusal was not confirmed. */
  readonly disagreement?: Disagreement;
}

export type Answer = Answered | Clarify | FollowUp | Reject | Abstain;
export type OutcomeKind = Answer['kind'];

/** Whether the query of an answer was run: only then its rows mean anything. */
export function isRun({ checks }: { readonly checks: readonly Check[] }): boolean {
  return checks.some(({ name, passed }) => name === 'execute' && passed);
}
