import type { AggregateFunction } from '../../../../sql/print/index.ts';
import type { Mention } from '../mention/mention.ts';
import type { Token } from '../read/tokenise.ts';

/** The words of a question, and how its turns hang together where it is a conversation. */
export interface ReadWords {
  readonly tokens: readonly Token[];
  readonly mentions: readonly Mention[];
  readonly dialogue: Dialogue | undefined;
}

/** A part of a conversation without a subject of its own: what its words ask to be done to the question before it. */
export interface Turn {
  /** Mentions [from, until) of the whole text. */
  readonly from: number;
  readonly until: number;
  /** First mention that carries content: behind "and", "what about", "show me". */
  readonly lead: number;
  /** How its words go together with those before: `change` is for each kind of word to say. */
  readonly manner: 'change' | 'add' | 'replace' | 'narrow';
  /** Asks for something else about the same things: how many there are, which they are, a figure of them. */
  readonly asks?: 'count' | 'rows' | AggregateFunction;
  /** It names what is to be shown, not a condition. */
  readonly isProjecting: boolean;
}

/** A question and the turns that go on from it, all of one text. */
export interface Dialogue {
  /** Mentions of the question that stands alone. */
  readonly base: readonly Mention[];
  readonly turns: readonly Turn[];
}

/** Two mentions name the same thing best. */
export function isSameName(a: Mention | undefined, b: Mention | undefined): boolean {
  return a?.nouns[0] !== undefined && a.nouns[0].id === b?.nouns[0]?.id;
}
