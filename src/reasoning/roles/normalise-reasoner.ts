/** What a reasoner does to a question before anything is looked up: whether it is one, in which language, on what. */
import type { TokenLedger } from '../../model/index.ts';

/** Outcomes of validation (ThothAI, section 4). In doubt a question is `ok`: what follows can still refuse. */
export type QuestionValidity = 'ok' | 'meaningless' | 'gibberish' | 'out-of-scope' | 'translation-failed';

/** A question with what is needed to judge its words. */
export interface NormaliseQuestion {
  readonly text: string;
  /** Language in which the database names things, ISO 639-1: `en`. */
  readonly databaseLanguage: string;
  /** What the database is about, in a few names and sentences; shown as data, empty where nothing is known. */
  readonly about: readonly string[];
  readonly ledger: TokenLedger;
  readonly signal: AbortSignal | undefined;
}

interface ValidatedQuestion {
  readonly validity: QuestionValidity;
  /** A short sentence for people; empty where it is `ok`. */
  readonly because: string;
  /** Language of the question, ISO 639-1; `und` where it cannot be told. */
  readonly language: string;
}

export type TranslatedQuestion =
  | { readonly isTranslated: true; readonly text: string }
  | { readonly isTranslated: false; readonly because: string };

/**
 * Every call goes into the ledger under its role. A call that fails throws a `CandorError` with a `model.*` code; what
 * to do without it (keep the question, built-in keywords) is decided by whoever called, and said.
 */
export interface NormaliseReasoner {
  readonly kind: 'model';
  validate(question: NormaliseQuestion): Promise<ValidatedQuestion>;
  /** Into the language of the database; names, codes and quoted texts stay as they are. */
  translate(question: NormaliseQuestion): Promise<TranslatedQuestion>;
  /** Keywords, phrases, names and the single words of phrases, most telling first; literals verbatim. */
  keywords(question: NormaliseQuestion): Promise<readonly string[]>;
  /** The question so that it is understood without the earlier questions (oldest first) and the query that stands. */
  standAlone(question: NormaliseQuestion, history: readonly string[], lastQuery?: string): Promise<string>;
}
