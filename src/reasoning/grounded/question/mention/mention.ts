import type { Span } from '../../../../sql/dialects/index.ts';
import type { MentionNote } from '../../../roles/reading.ts';
import type { TimeWindow } from '../read/find-times.ts';
import type { Meaning } from './definition.ts';
import type { Cue } from './lexicon.ts';

/** A stored value that words of the question name. */
export interface ValueMatch {
  readonly columnId: string;
  readonly tableId: string;
  /** As stored, or the code a value mapping gives. */
  readonly value: string | number;
  readonly score: number;
  readonly why: string;
  /** Rows of the table that hold it, when known. */
  readonly rows?: number;
  /** What the other half of a full name is stored as, in another column of the same row. */
  readonly beside?: ValueMatch;
}

/** A span of the question with everything it may stand for. Spans of one list never overlap. */
export interface Mention {
  readonly index: number;
  /** Token range [from, to). */
  readonly from: number;
  readonly to: number;
  readonly span: Span;
  readonly text: string;
  readonly score: number;
  readonly cue?: Cue;
  readonly nouns: readonly NounMatch[];
  readonly values: readonly ValueMatch[];
  /** A quoted name that is stored in two columns ("Ana Silva"): what its words are stored as, in order. */
  readonly parts?: readonly [readonly ValueMatch[], readonly ValueMatch[]];
  readonly number?: number;
  readonly time?: TimeWindow;
  /** What a hint says the words mean, where that is more than a name or a value. */
  readonly meaning?: Meaning;
  /** The word names nothing by itself: how likely a word of general English that means the same is meant, in (0, 1). */
  readonly relatedWeight?: number;
  /** A hint says what the words mean. */
  readonly isDefined?: boolean;
  readonly isQuoted: boolean;
  /** A content word that nothing explains. */
  readonly isUnknown: boolean;
  /** An unknown word that reads like a verb: relations of the schema often explain it. */
  readonly isVerbLike: boolean;
  /** A possessive pronoun stands before it ("their ages"). */
  readonly isPossessed: boolean;
  readonly isSentenceEnd: boolean;
  readonly isComma: boolean;
}

/** The words of a mention without the quotation marks around them. */
export function withoutQuotes({ text }: Pick<Mention, 'text'>): string {
  return text.replace(/^["'“‘`]|["'”’`]$/g, '');
}

/** Cues that only hold a sentence together. */
const FILLERS: ReadonlySet<string> = new Set(['stop', 'be']);

/** A mention for the record: its words and what they were taken for. */
export function mentionNote(mention: Mention): MentionNote {
  return { span: mention.span, text: mention.text, meaning: meaningOf(mention) };
}

function meaningOf({ values, nouns, cue, number, meaning, isUnknown }: Mention): string {
  if (meaning !== undefined) return 'explained by the hint';
  const named = values[0]?.why ?? nouns[0]?.why;
  if (named !== undefined) return named;
  if (cue !== undefined) return FILLERS.has(cue.kind) ? 'a filler word' : cue.kind;
  if (isUnknown) return 'not understood';
  return number === undefined ? 'punctuation' : 'number';
}

/** Every word of a name is there, if only beside that of its table: the words name nothing else in part. */
export const WHOLE_NAME = 0.97;

/** A thing that words of the question may name. `score` in [0, 1]: 1 is the full name. */
export interface NounMatch {
  readonly kind: 'table' | 'column' | 'metric' | 'dimension';
  /** Canonical id of the table or column; name of the metric or dimension. */
  readonly id: string;
  /** Empty for a metric that stands on several tables. */
  readonly tableId: string;
  readonly score: number;
  readonly why: string;
  /** The column holds yes or no as 1 and 0: "active customers". */
  readonly isFlag?: boolean;
  /** The column holds words, so that nothing is more than it: "more than two allergies" counts. */
  readonly isText?: boolean;
  /** The column tells the rows of its table apart, or nearly. */
  readonly isUnique?: boolean;
  /** The words say that the flag is not set: "closed" for `is_open`. */
  readonly isOpposite?: boolean;
}
