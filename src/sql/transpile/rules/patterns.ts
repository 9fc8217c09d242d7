/** LIKE and its kin: who minds upper and lower case, and which sign escapes. */
import type { DialectName } from '../../dialects/dialect.ts';
import type { PrintableNode } from '../../print/printable.ts';
import { child, type SqlNode } from '../../tree/node.ts';
import { as, build, callNode, copy, operatorNode, textNode } from '../translation/built-node.ts';
import { asText } from '../translation/loose-values.ts';
import { readText } from '../translation/read-text.ts';
import type { Rules, Translation } from '../translation/translation.ts';

export const PATTERN_RULES: Rules = {
  Like: translateLike,
  ILike: translateLike,
  Glob: translateGlob,
  Escape: translateEscape,
};

/** LIKE takes `A` for `a` here: in SQLite always, in MySQL by the usual collations. */
const IGNORES_CASE: ReadonlySet<DialectName> = new Set(['sqlite', 'mysql']);
const HAS_ILIKE: ReadonlySet<DialectName> = new Set(['duckdb', 'postgres', 'snowflake']);
/** A backslash escapes in a pattern without ESCAPE. */
const ESCAPES: ReadonlySet<DialectName> = new Set(['postgres', 'mysql', 'bigquery']);

function translateLike(node: SqlNode, translation: Translation): PrintableNode | undefined {
  if (node.flags.call !== undefined) return undefined;
  const { from, to, tree } = translation;
  const left = child(node, 'this');
  const right = child(node, 'expression');
  if (left === undefined || right === undefined || ['Any', 'All'].includes(right.type))
    return copy(node, translation);
  const pattern = right.flags.string === undefined ? undefined : readText(right, tree);
  const isEscaped = node.parent?.type === 'Escape';
  if (pattern?.includes('\\') && !isEscaped && ESCAPES.has(from) !== ESCAPES.has(to)) {
    return ESCAPES.has(to)
      ? likeOf(node, pattern.replaceAll('\\', '\\\\'), translation)
      : escapedBy('\\', likeOf(node, pattern, translation));
  }
  return likeOf(node, pattern ?? right, translation);
}

function escapedBy(mark: string, like: PrintableNode): PrintableNode {
  return build('Escape', [as('this', like), as('expression', textNode(mark))]);
}

/** LIKE, ILIKE, GLOB, or LIKE over lower letters: what minds case in the target as the node does in the source. */
function likeOf(node: SqlNode, pattern: string | SqlNode, translation: Translation): PrintableNode {
  const { from, to, translate } = translation;
  const text = asText(child(node, 'this') ?? node, translation);
  const plain = typeof pattern === 'string' ? pattern : undefined;
  const written = typeof pattern === 'string' ? textNode(pattern) : translate(pattern);
  const ignoresCase = node.type === 'ILike' || IGNORES_CASE.has(from);
  const hasLetters = plain === undefined || /\p{L}/u.test(plain);
  if (!hasLetters || ignoresCase === IGNORES_CASE.has(to)) return operatorNode('Like', text, written);
  return ignoresCase ? withoutCase(text, written, to) : withCase(node, { text, written, plain }, translation);
}

function withoutCase(text: PrintableNode, pattern: PrintableNode, to: DialectName): PrintableNode {
  if (HAS_ILIKE.has(to)) return operatorNode('ILike', text, pattern);
  return operatorNode('Like', lower(text), lower(pattern));
}

function lower(value: PrintableNode): PrintableNode {
  if (value.flags.string !== undefined) return textNode((value.value ?? '').toLowerCase());
  return callNode('LOWER', [value]);
}

interface Compared {
  readonly text: PrintableNode;
  readonly written: PrintableNode;
  /** The pattern, where it stands in the text. */
  readonly plain: string | undefined;
}

/** SQLite has GLOB, which minds case; MySQL leaves it to the collation. */
function withCase(
  node: SqlNode,
  { text, written, plain }: Compared,
  { to, changed }: Translation,
): PrintableNode {
  if (to === 'sqlite' && plain !== undefined && !plain.includes('\\') && node.parent?.type !== 'Escape') {
    const glob = plain.replaceAll(/[*?[]/g, '[$&]').replaceAll('%', '*').replaceAll('_', '?');
    return operatorNode('Glob', text, textNode(glob));
  }
  changed('text-case', node, `LIKE of ${to} does not tell upper from lower case`);
  return operatorNode('Like', text, written);
}

/** `*` and `?` of GLOB as `%` and `_`, where LIKE minds case. */
function translateGlob(node: SqlNode, translation: Translation): PrintableNode | undefined {
  const { to, tree, unsupported, translate } = translation;
  const left = child(node, 'this');
  const right = child(node, 'expression');
  if (left === undefined || right === undefined) return undefined;
  if (to === 'sqlite' || to === 'duckdb') return operatorNode('Glob', translate(left), translate(right));
  const pattern = right.flags.string === undefined ? undefined : readText(right, tree);
  if (pattern === undefined || /[%_[\\]/.test(pattern) || to === 'mysql') {
    unsupported('pattern', node, `${to} has no GLOB`);
    return copy(node, translation);
  }
  const like = pattern.replaceAll('*', '%').replaceAll('?', '_');
  return operatorNode('Like', asText(left, translation), textNode(like));
}

/** BigQuery has no ESCAPE. */
function translateEscape(node: SqlNode, translation: Translation): PrintableNode | undefined {
  const { to, unsupported, translate } = translation;
  if (to === 'bigquery') unsupported('pattern', node, 'bigquery has no ESCAPE');
  const like = child(node, 'this');
  const mark = child(node, 'expression');
  if (like === undefined || mark === undefined) return undefined;
  return build('Escape', [as('this', translate(like)), as('expression', translate(mark))]);
}
