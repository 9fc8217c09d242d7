/** What a conversation passes around: plain data that survives JSON. Source: LinkedIn, section 6 and 7. */
import type { Answer, Disclosure } from '../../answer.ts';
import type { AskOptions, Fix } from '../../answering/index.ts';
import type { NewProposal, Proposal } from '../../knowledge/authored/index.ts';
import type { Route } from '../../reasoning/roles/assist-reasoner.ts';

/** What a person says or presses. */
export interface Turn {
  readonly text: string;
  /** Guided: the tables are shown to choose from before a query is written. Fast: the query comes at once. */
  readonly guided?: boolean;
  /** Ids of tables that were ticked; the query is written over these. */
  readonly tables?: readonly string[];
  /** A query to mend, with what the engine said against it. */
  readonly failed?: { readonly sql: string; readonly error?: string };
  /** Defaults to take otherwise: those of the last answer are asked again with them. */
  readonly assume?: Readonly<Record<string, string>>;
}

/** What a conversation has come to. Kept by whoever holds it; nothing else remembers it. */
export interface Talk {
  /** What was asked and what it came to, oldest first. */
  readonly turns: readonly TalkTurn[];
  /** Questions that the next one may go on from, oldest first; begun anew by one that stands by itself. */
  readonly after: readonly string[];
  /** The query that was answered with last. */
  readonly lastQuery?: LastQuery;
  /** A query that was mended after that. */
  readonly mended?: string;
  /** Ids of the tables that were shown last. */
  readonly tables: readonly string[];
  /** Ids of the only tables that the last question could use, where they were chosen. */
  readonly within?: readonly string[];
  /** A question back that waits for its answer, with the labels of its options. */
  readonly pending?: { readonly recordId: string; readonly options?: readonly string[] };
  /** A question that waits for its tables to be chosen; `tables` are those offered. */
  readonly choosing?: string;
  /** Those of them that are taken where nobody chooses otherwise. */
  readonly ticked?: readonly string[];
  /** Defaults that the last question was asked with otherwise. */
  readonly assumed?: Readonly<Record<string, string>>;
}

export interface LastQuery {
  readonly question: string;
  readonly sql: string;
  readonly recordId: string;
  /** How the question was understood. */
  readonly explanation?: string;
  /** Why its parts stand there. */
  readonly parts?: readonly { readonly sql: string; readonly because: string }[];
  /** What it took for granted. */
  readonly assumptions?: readonly string[];
}

interface TalkTurn {
  readonly question: string;
  /** In a line or two. */
  readonly answer: string;
}

export const NEW_TALK: Talk = { turns: [], after: [], tables: [] };

/** What is shown: an answer, tables to look at or choose from, a mended query, or a text. */
export type Card =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'tables'; readonly tables: readonly TableCard[]; readonly isChoice: boolean }
  | { readonly kind: 'fix'; readonly fix: Fix }
  | { readonly kind: 'text'; readonly text: string };

export interface TableCard {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly tags: readonly ('certified' | 'popular' | 'deprecated')[];
  /** Mean reads a month, from the query log; absent where none was read. */
  readonly monthlyReads?: number;
  /** Ids of the tables it is most often joined with, or linked to by a key. */
  readonly joinedWith: readonly string[];
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly description?: string;
  }[];
  /** Columns that are not listed. */
  readonly moreColumns?: number;
  /** Why it is shown. */
  readonly because: readonly string[];
  /** In a choice: it is taken where nobody chooses otherwise. */
  readonly isTicked?: boolean;
}

export interface Reply {
  readonly route: Route;
  readonly cards: readonly Card[];
  /** What a person may say next, ready to send. */
  readonly quickReplies: readonly string[];
  readonly talk: Talk;
  /** What a language model was told beside what `answer` says: to tell the intent, to rewrite, to explain. */
  readonly sent?: readonly Disclosure[];
}

/** What is told while a turn is worked on. */
export type TurnEvent =
  | { readonly kind: 'route'; readonly route: Route }
  | { readonly kind: 'stage'; readonly stage: string };

/** What a turn changes of what is known. */
type KnowledgeChange =
  | { readonly kind: 'propose'; readonly proposal: NewProposal }
  | { readonly kind: 'withdraw'; readonly key: string };

/** Writes the change down, so that the next turn knows of it. Throws `knowledge.*`. */
export type KeepKnowledge = (change: KnowledgeChange) => Promise<Proposal>;

export interface ConverseOptions extends Pick<AskOptions, 'mode' | 'hint' | 'now' | 'targetRisk' | 'signal'> {
  readonly onEvent?: (event: TurnEvent) => void;
  /** Which conversation it is, for whoever follows traces. */
  readonly conversationId?: string;
  /** Where what is to be remembered is kept; absent: in the files of the project, which the session reads when it is opened. */
  readonly keep?: KeepKnowledge | undefined;
}
