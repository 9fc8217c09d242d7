/** What a reasoner does around writing: reads what people want, judges answers, says what queries compute. */
import type { SharedText } from '../../catalog/share/index.ts';
import type { TokenLedger } from '../../model/index.ts';
import type { DialectName } from '../../sql/dialects/dialect.ts';

export interface AssistQuestion {
  readonly text: string;
  readonly ledger: TokenLedger;
  readonly signal?: AbortSignal;
}

/** What a talk has come to before the question; data. */
export interface TalkState {
  /** Oldest first; what was answered in a line or two. */
  readonly turns: readonly { readonly question: string; readonly answer: string }[];
  /** The query that was shown last. */
  readonly lastQuery?: string;
  /** Tables that were shown last. */
  readonly tables: readonly string[];
}

/** LinkedIn, section 6; what fits none of the first three is `other`. */
export type Intent = 'write_query' | 'find_data' | 'fix_query' | 'other';

export type FollowUpKind =
  | 'update_query'
  | 'change_tables'
  | 'explain_tables'
  | 'why_column'
  | 'add_filter'
  | 'use_table'
  | 'shorten';

export interface Route {
  readonly intent: Intent;
  /** Absent where the question stands by itself. */
  readonly followUp?: FollowUpKind;
  /** A definition or a rule that the text states for later questions, as one sentence; beside a query, it asks for something as well. */
  readonly remember?: string;
  readonly because: string;
}

export interface JudgedAnswer {
  /** Absent where none was given. */
  readonly sql?: string;
  /** Every query that is known to be right, one at least. */
  readonly golds: readonly string[];
  /** The schema as text, where it is to be shown. */
  readonly schema?: string;
  readonly dialect: DialectName;
}

/** What is wrong with an answer; the last two can be wrong with a right one. */
export type AnswerFlag =
  | 'tables'
  | 'columns'
  | 'joins'
  | 'filters'
  | 'aggregations'
  | 'other'
  | 'efficiency'
  | 'readability';

export interface AnswerVerdict {
  /** 5 right, 4 one small slip, 3 right tables and most columns, 2 wrong columns, 1 wrong altogether. */
  readonly score: 1 | 2 | 3 | 4 | 5;
  readonly flags: readonly AnswerFlag[];
  readonly because: string;
}

export interface DescribedQuery {
  readonly sql: string;
  readonly dialect: DialectName;
  /** What is known of its tables and columns, a line each; data. */
  readonly about: readonly string[];
  readonly ledger: TokenLedger;
  readonly signal?: AbortSignal;
}

interface QueryDescription {
  /** What it computes, on one line. */
  readonly summary: string;
  /** As the query writes them. */
  readonly tables: readonly string[];
  /** What one row of its result is: `one row per customer and month`. */
  readonly grain: string;
}

/** What a question about the data is answered from. */
export interface AskedAbout {
  /** Tables and columns with what is known of them, as far as a model may see it. */
  readonly schema?: SharedText;
  /** What people wrote and named: notes, definitions, descriptions of tables and columns. No cells. */
  readonly knowledge: readonly string[];
  /** Oldest first; what was answered in a line or two. */
  readonly turns: TalkState['turns'];
  /** The query it may be about. */
  readonly lastQuery?: string;
  /** How that query understood its question and what it took for granted; data. */
  readonly understood?: readonly string[];
}

interface AnsweredAbout {
  /** False where what is known does not say it. */
  readonly isKnown: boolean;
  readonly text: string;
  /** To be looked at, as the schema writes them; they may not exist. */
  readonly tables: readonly string[];
}

/**
 * Every call goes into the ledger under its role. A call that gives nothing usable after one repair throws
 * `model.invalid-reply`. Sources: LinkedIn, sections 5.1, 6, 8 and 11.
 */
export interface AssistReasoner {
  readonly kind: 'model';
  /** Tables that the text names outright, as it writes them; what it does not write is not among them. */
  nameTables(question: AssistQuestion): Promise<readonly string[]>;
  route(question: AssistQuestion, state: TalkState): Promise<Route>;
  /** By the rubric, against the gold query that is nearest to the answer. Bug of the caller: no gold query. */
  judgeAnswer(question: AssistQuestion, answer: JudgedAnswer): Promise<AnswerVerdict>;
  describeQuery(query: DescribedQuery): Promise<QueryDescription>;
  /** In words, from what is known alone. */
  answerAbout(question: AssistQuestion, about: AskedAbout): Promise<AnsweredAbout>;
}
