/** What a model's output answers with: SQL, words, or nothing that can be read. */
import type { DialectName } from '../../../sql/dialects/dialect.ts';
import { parse } from '../../../sql/index.ts';
import type { SqlTree } from '../../../sql/tree/index.ts';

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

export interface SplitOutput {
  /** The whole output, without white space around it, is one think block and one answer block. */
  readonly isWellFormed: boolean;
  /** What stands in the answer block; undefined where there is none or more than one. */
  readonly answer: string | undefined;
}

const TAGS = ['<think>', '</think>', '<answer>', '</answer>'] as const;

/**
 * Reads `<think>…</think> <answer>…</answer>`. Well-formed is the whole text or nothing: text around the blocks, a
 * second block of either kind and an empty block are faults of form. An answer can still be read from a text with
 * faults as long as exactly one answer block stands in it. Linear in the length of the output.
 */
export function splitOutput(output: string): SplitOutput {
  const text = output.trim();
  const [think, thinkEnd, answer, answerEnd] = TAGS.map((tag) => onlyPlaceOf(text, tag));
  if (answer === undefined || answerEnd === undefined || answerEnd < answer)
    return { isWellFormed: false, answer: undefined };
  const inside = text.slice(answer + '<answer>'.length, answerEnd).trim();
  const isWellFormed =
    think === 0 &&
    thinkEnd !== undefined &&
    thinkEnd < answer &&
    text.slice('<think>'.length, thinkEnd).trim() !== '' &&
    text.slice(thinkEnd + '</think>'.length, answer).trim() === '' &&
    inside !== '' &&
    answerEnd + '</answer>'.length === text.length;
  return { isWellFormed, answer: inside === '' ? undefined : inside };
}

/** Where a tag stands; undefined where it stands nowhere or twice. */
function onlyPlaceOf(text: string, tag: string): number | undefined {
  const place = text.indexOf(tag);
  return place !== -1 && text.indexOf(tag, place + 1) === -1 ? place : undefined;
}

/**
 * The same as the published code has it: the first think block that an answer block follows, anywhere in the text.
 * Blocks may be empty, and what else stands there does not count.
 */
export function splitOutputAsPublished(output: string): SplitOutput {
  const think = output.indexOf('<think>');
  const middle = /<\/think>\s*<answer>/g;
  middle.lastIndex = think === -1 ? output.length : think;
  const found = middle.exec(output);
  const from = found === null ? -1 : found.index + found[0].length;
  const to = from === -1 ? -1 : output.indexOf('</answer>', from);
  return to === -1
    ? { isWellFormed: false, answer: undefined }
    : { isWellFormed: true, answer: output.slice(from, to).trim() };
}
