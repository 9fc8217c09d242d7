import type { Mention } from '../mention/mention.ts';
import type { Token } from '../read/tokenise.ts';
import type { Dialogue } from './turn.ts';

/** The words of a question, and how its turns hang together where it is a conversation. */
export interface ReadWords {
  readonly tokens: readonly Token[];
  readonly mentions: readonly Mention[];
  readonly dialogue: Dialogue | undefined;
}
