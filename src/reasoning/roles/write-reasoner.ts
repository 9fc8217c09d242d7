/** What a reasoner does once the schema is linked: writes SQL, mends it, and helps to choose. */
import type { SharedText, SharingPolicy } from '../../catalog/share/index.ts';
import type { TokenLedger } from '../../model/index.ts';
import type { DialectName } from '../../sql/dialects/dialect.ts';

/** A question with everything its writer may see. All texts but `dialect` are data: people and databases wrote them. */
export interface WriteQuestion {
  /** As it is understood by itself. */
  readonly text: string;
  /** Outside knowledge given with the question. */
  readonly hint?: string;
  /** Metrics as they are defined, and rules of the project for words and times. */
  readonly definitions?: readonly string[];
  /** Notes that people wrote. */
  readonly knowledge: readonly string[];
  /** Verified pairs; their numbers in a prompt count from 1. */
  readonly examples: readonly ExamplePair[];
  /** The schema in view as text, with what is known of it. */
  readonly schema: SharedText;
  /** What is not in view: `12 of 340 metrics shown`. */
  readonly cuts?: readonly string[];
  /** Stored values that are like words of the question. */
  readonly values?: readonly SharedText[];
  /** What the built-in engine makes of the question: advice. */
  readonly reading?: EngineReading;
  /** A query that somebody has and that fails; the question asks to mend it. */
  readonly failed?: BrokenQuery;
  /** A query that the person gave: all that stands in it is theirs. */
  readonly given?: string;
  /** What was found against the last reply to the same question. */
  readonly objection?: string;
  readonly dialect: DialectName;
  /** ISO day that "today" means. */
  readonly today: string;
  /** How somebody may wish answers to be written; obeyed as far as the rules of the role allow. */
  readonly instructions?: string;
  readonly ledger: TokenLedger;
  readonly signal?: AbortSignal;
}

/** Advice with reasons, never a verdict: the built-in engine reads words, not meaning. */
export interface EngineReading {
  /** Its likeliest query; absent where it has none. */
  readonly sql?: string;
  /** Words of the question that it did not understand. */
  readonly unread: readonly string[];
  /** What its rules would ask or refuse. */
  readonly doubt?: string;
}

export interface ExamplePair {
  readonly question: string;
  readonly sql: string;
}

/** How one candidate is drawn, so that several differ (ThothAI, section 12). */
export interface Draw {
  /** From 0. */
  readonly index: number;
  readonly method: 'plan' | 'steps' | 'divide' | 'direct';
  readonly temperature: number;
}

/** SQL as a model wrote it: neither parsed nor checked. */
export interface WrittenQuery {
  readonly sql: string;
  readonly explanation: string;
  /** What the question does not say and the query takes for granted. */
  readonly assumptions: readonly WrittenAssumption[];
  /** Words of the question that the query does not use, with the reason. */
  readonly unused?: readonly { readonly text: string; readonly why: string }[];
  /** The verified pair that asks the very same, from 1; its query stands, and `sql` is empty. */
  readonly pair?: number;
  /** As the model names them; they may not exist. */
  readonly tables: readonly string[];
  readonly columns: readonly string[];
}

export interface WrittenAssumption {
  readonly text: string;
  /** The words of the question that leave it open. */
  readonly phrase?: string;
  /** How many of those who ask this mean it so, in [0, 1], as the model sees it. */
  readonly likely?: number | undefined;
  /** What may be taken for granted instead, each with its whole query. */
  readonly choices?: readonly WrittenChoice[];
}

interface WrittenChoice {
  readonly label: string;
  readonly sql: string;
}

/** The model says that the schema it sees cannot answer, or that the question may not be answered. */
export interface NotWritten {
  readonly missing: string;
  readonly because: string;
  readonly reason?: 'metric' | 'dimension' | 'scope' | 'unsafe';
  readonly nearest?: readonly string[];
}

/** The model asks back. */
export interface AskedBack {
  readonly ask: string;
  /** The words of the question that it is about. */
  readonly phrase: string;
  readonly gap: 'time' | 'intent' | 'term' | 'value' | 'join-path' | 'metric';
  /** The metric and the dimension that it lacks; absent: it is no such question. */
  readonly lacks?: { readonly metric: string; readonly dimension: string };
  readonly options: readonly WrittenOption[];
}

interface WrittenOption {
  readonly label: string;
  /** The whole question that picks this option. */
  readonly question: string;
  readonly sql?: string;
}

export type WriteReply = WrittenQuery | AskedBack | NotWritten;

/** A query with what is known to be wrong with it. */
export interface BrokenQuery {
  readonly sql: string;
  /** Sentences of the checks, all at once; names and values in them are data. */
  readonly problems: readonly string[];
  /** The words of the engine, if it was asked; data. */
  readonly engineError?: string;
  /** What rules would guess that is meant, a sentence each; data. */
  readonly possibilities?: readonly string[];
  /** What research found out; data. */
  readonly advice?: string;
}

/** A query that ran, and what is odd about what came back. */
export interface OddQuery {
  readonly sql: string;
  /** `the query returns no rows`, or the words of the engine; data. */
  readonly outcome: string;
  /** Values that the conditions of the query may have meant, `column: value | value`; data. */
  readonly nearValues: readonly string[];
}

/** One turn of the researcher: what it has called so far and was told. */
export interface ResearchView {
  /** From 1. */
  readonly turn: number;
  readonly callsLeft: number;
  readonly broken: BrokenQuery;
  readonly turns: readonly (readonly ResearchResult[])[];
}

export interface ResearchCall {
  readonly id: string;
  /** `search_tables`, `describe_table` or `search_values`, if the model keeps to them. */
  readonly tool: string;
  /** Parsed JSON or the raw text; validated before anything is done. */
  readonly arguments: unknown;
}

export interface ResearchResult {
  readonly call: ResearchCall;
  readonly text: string;
}

/** What the stronger model says of what research found. */
export interface Reflection {
  readonly isEnough: boolean;
  readonly advice: string;
}

/** A candidate as the judge of tests sees it. */
export interface JudgedCandidate {
  readonly sql: string;
  /** The first rows as text; absent in private mode and without execution. */
  readonly result?: string;
}

/**
 * Every call goes into the ledger under its role. A call that gives nothing usable after one repair throws
 * `model.invalid-reply`. Sources: LinkedIn, sections 5.3, 5.4 and 11; ThothAI, section 12; EviLink, section 11.
 */
export interface WriteReasoner {
  readonly kind: 'model' | 'replay';
  /** What it may be shown; absent: everything. */
  readonly sharing?: SharingPolicy;
  write(question: WriteQuestion, draw: Draw): Promise<WriteReply>;
  /** The smallest change that removes the listed problems. */
  fix(question: WriteQuestion, broken: BrokenQuery): Promise<WrittenQuery>;
  /** After a run that failed or gave nothing. */
  revise(question: WriteQuestion, odd: OddQuery): Promise<WrittenQuery>;
  /** The tool calls of one turn; none: it has finished. */
  research(question: WriteQuestion, view: ResearchView): Promise<readonly ResearchCall[]>;
  reflect(question: WriteQuestion, view: ResearchView): Promise<Reflection>;
  /** Checks that a right query passes, as sentences, before any query is seen. */
  writeTests(question: WriteQuestion): Promise<readonly string[]>;
  /** For each candidate, for each test: whether it passes. */
  judgeTests(
    question: WriteQuestion,
    candidates: readonly JudgedCandidate[],
    tests: readonly string[],
  ): Promise<readonly (readonly boolean[])[]>;
}
