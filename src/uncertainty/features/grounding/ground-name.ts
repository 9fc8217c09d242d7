/** How far the words of a name stand in the question and the hint. */
import { splitName, stemOf } from '../../../reasoning/index.ts';
import type { AskedQuestion } from '../asked-question.ts';

export const NO_NAME = new Float64Array(5).fill(Number.NaN);

/** The first five grounding features of one table or column. */
export function groundName(
  name: string,
  { id, comment }: { readonly id: string; readonly comment: string | undefined },
  { words: { question, hint }, hintColumns }: AskedQuestion,
): Float64Array {
  const stems = splitName(name).map(stemOf);
  const share = (test: (stem: string) => boolean): number =>
    stems.length === 0 ? Number.NaN : stems.filter(test).length / stems.length;
  return Float64Array.of(
    share((stem) => question.set.has(stem)),
    share((stem) => question.set.has(stem) || question.synonyms.has(stem)),
    share((stem) => hint.set.has(stem)),
    hintColumns.has(id) || hint.names.has(name.toLowerCase()) ? 1 : 0,
    described(comment, question.content),
  );
}

/** Share of the words that the description has. */
function described(comment: string | undefined, content: ReadonlySet<string>): number {
  if (comment === undefined || content.size === 0) return Number.NaN;
  const stems = new Set((comment.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? []).map(stemOf));
  let found = 0;
  for (const stem of content) if (stems.has(stem)) found += 1;
  return found / content.size;
}
