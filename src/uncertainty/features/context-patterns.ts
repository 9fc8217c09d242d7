/** The pattern of LIKE and its kin. */

import type { ReadQuery } from '../../faults/index.ts';
import { isPattern, unwrapped, writtenText } from '../../faults/index.ts';
import { child, type SqlNode } from '../../sql/index.ts';

export interface LikePattern {
  readonly hasWildcard: boolean;
  /** Characters of it that are written out. */
  readonly length: number;
}

/** Of an operator that matches patterns, and of the text that is its pattern; undefined for any other node. */
export function likePatternAt(node: SqlNode, query: ReadQuery): LikePattern | undefined {
  const operator = isPattern(node) ? node : operatorOfPattern(node);
  if (operator === undefined) return undefined;
  const pattern = child(operator, 'expression');
  const texts = pattern === undefined ? [] : textsIn(unwrapped(pattern), query);
  const wildcard = WILDCARDS[operator.type] ?? LIKE_WILDCARD;
  return {
    hasWildcard: texts.some((text) => wildcard.test(text)),
    length: texts.reduce((sum, text) => sum + text.length, 0),
  };
}

const LIKE_WILDCARD = /[%_]/;
const WILDCARDS: Readonly<Record<string, RegExp>> = {
  Glob: /[*?[]/,
  SimilarTo: /[%_|*+?{([]/,
  RegexpLike: /[.^$*+?{}[\]\\|()]/,
  RegexpILike: /[.^$*+?{}[\]\\|()]/,
};

function operatorOfPattern(node: SqlNode): SqlNode | undefined {
  let at = node;
  while (at.parent?.type === 'Collate' || at.parent?.type === 'Paren') at = at.parent;
  const { role, parent } = at;
  return role === 'expression' && parent !== undefined && isPattern(parent) ? parent : undefined;
}

/** A pattern may be put together: `'%' || name || '%'`. */
function textsIn(pattern: SqlNode, query: ReadQuery): readonly string[] {
  const text = writtenText(pattern, query);
  if (text !== undefined) return [text];
  if (pattern.type !== 'DPipe' && pattern.type !== 'Concat' && pattern.type !== 'Paren') return [];
  return pattern.children.flatMap((part) => textsIn(part, query));
}
