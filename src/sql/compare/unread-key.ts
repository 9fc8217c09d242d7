/** The key of what the parser does not read: its words, with keywords and bare names in one case. */
import type { SqlNode } from '../tree/node.ts';
import type { Keying } from './keying.ts';

export function unreadKey({ tree }: Pick<Keying, 'tree'>, { start, end }: SqlNode): string {
  return tree.tokens
    .filter((token) => token.start >= start && token.end <= end && !['space', 'comment'].includes(token.kind))
    .map(({ kind, text }) => (kind === 'word' ? text.toLowerCase() : text))
    .join(' ');
}
