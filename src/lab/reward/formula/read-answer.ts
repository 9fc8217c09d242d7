/** What a model's output answers with: SQL, words, or nothing that can be read. */
import type { DialectName } from '../../../sql/dialect.ts';
import { parse, type SqlTree } from '../../../sql/index.ts';
import { splitOutput, splitOutputAsPublished } from './split-output.ts';

export type ReadAnswer =
  | { readonly kind: 'none' }
  | { readonly kind: 'nl'; readonly text: string }
  /** `tree` is absent only for what the published code takes as SQL and our parser does not read. */
  | { readonly kind: 'sql'; readonly text: string; readonly tree: SqlTree | undefined };

export interface Answered {
  readonly isWellFormed: boolean;
  readonly answer: ReadAnswer;
}

/**
 * An answer is SQL only if it parses as one query of the dialect, so that a refusal that mentions SELECT stays a
 * refusal. With `codeCompat` it is SQL as soon as the word stands in it, as the published code has it.
 */
export function readAnswer(
  output: string,
  { dialect, codeCompat = false }: { readonly dialect: DialectName; readonly codeCompat?: boolean },
): Answered {
  const { isWellFormed, answer: text } = codeCompat ? splitOutputAsPublished(output) : splitOutput(output);
  if (text === undefined) return { isWellFormed, answer: { kind: 'none' } };
  const tree = parseQuery(text, dialect);
  const isSql = codeCompat ? /select/i.test(text) : tree !== undefined;
  return { isWellFormed, answer: isSql ? { kind: 'sql', text, tree } : { kind: 'nl', text } };
}

/** The tree of a query; undefined for what does not parse, is another statement, or is words that happen to parse. */
export function parseQuery(text: string, dialect: DialectName): SqlTree | undefined {
  const parsed = parse(text, dialect);
  if (!parsed.ok || parsed.tree.root.type === 'Command') return undefined;
  const { nodes } = parsed.tree;
  // "Select a region" parses as a column `a` called `region`; without any table a column means nothing.
  const readsTable = nodes.some(({ role }) => role === 'from');
  const isWords = !readsTable && nodes.some(({ type }) => type === 'Column');
  return isWords ? undefined : parsed.tree;
}
