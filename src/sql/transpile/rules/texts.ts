/** Texts joined, cut and collected. */
import type { DialectName } from '../../dialects/dialect.ts';
import type { PrintableNode } from '../../print/printable.ts';
import { child, type SqlNode } from '../../tree/node.ts';
import { callNode, castNode, copy, numberNode, operatorNode, textNode } from '../translation/built-node.ts';
import { plainNumber } from '../translation/intervals.ts';
import { kindIn } from '../translation/loose-values.ts';
import type { Rules, Translation } from '../translation/translation.ts';
import { typeName } from '../translation/type-names.ts';
import type { ValueKind } from '../translation/value-kind.ts';
import { ownWords } from './dialect-keywords.ts';

export const TEXT_RULES: Rules = {
  DPipe: translatePipe,
  Concat: translateConcat,
  Substring: translateSubstring,
};

/** `a || b || c`: a call in MySQL, where the sign is OR. */
function translatePipe(node: SqlNode, translation: Translation): PrintableNode {
  const parts = pipedParts(node).map((part) => joinable(part, translation));
  return joined(parts, translation);
}

function joined(parts: readonly PrintableNode[], { to }: Translation): PrintableNode {
  if (to === 'mysql') return callNode('CONCAT', parts);
  return parts.reduce((left, right) => operatorNode('DPipe', left, right));
}

function pipedParts(node: SqlNode): readonly SqlNode[] {
  const left = child(node, 'this');
  const right = child(node, 'expression');
  if (node.type !== 'DPipe' || left === undefined || right === undefined) return [node];
  return [...pipedParts(left), right];
}

const TYPED_PIPES: ReadonlySet<DialectName> = new Set(['postgres', 'trino', 'bigquery']);
const NUMBERS: ReadonlySet<ValueKind | undefined> = new Set<ValueKind>([
  'integer',
  'real',
  'date',
  'timestamp',
]);

/** A number becomes a text by itself in some dialects only. */
function joinable(part: SqlNode, translation: Translation): PrintableNode {
  const { to, translate } = translation;
  const value = translate(part);
  const isTyped = TYPED_PIPES.has(to) && NUMBERS.has(kindIn(part, translation));
  return isTyped ? castNode(value, typeName('text', to) ?? 'VARCHAR') : value;
}

/** CONCAT of these leaves NULL out; of the others it is NULL when one part is. */
const SKIPS_NULL: ReadonlySet<DialectName> = new Set(['sqlite', 'duckdb', 'postgres']);

function translateConcat(node: SqlNode, translation: Translation): PrintableNode | undefined {
  const { from, to } = translation;
  if (SKIPS_NULL.has(from) === SKIPS_NULL.has(to)) {
    return callNode(
      'CONCAT',
      node.children.map((part) => joinable(part, translation)),
    );
  }
  if (SKIPS_NULL.has(to))
    return joined(
      node.children.map((part) => joinable(part, translation)),
      translation,
    );
  const parts = node.children.map((part) =>
    part.type === 'Literal'
      ? joinable(part, translation)
      : callNode('COALESCE', [joinable(part, translation), textNode('')]),
  );
  return callNode('CONCAT', parts);
}

/** PostgreSQL alone counts negative places on beyond the beginning, the others from the end. */
function translateSubstring(node: SqlNode, translation: Translation): PrintableNode | undefined {
  const { from, to, tree, unsupported, changed, translate } = translation;
  const [text, start, count] = node.children;
  if (text === undefined || start === undefined) return undefined;
  const words = ownWords(node, tree);
  if (words.includes('FOR') && !words.includes('FROM')) {
    return callNode('SUBSTRING', [joinable(text, translation), numberNode('1'), translate(start)]);
  }
  if (words.includes('SIMILAR') || words.includes('ESCAPE')) return undefined;
  const place = plainNumber(start);
  const isBehind = place !== undefined && Number(place) < 0;
  if (place === '0' && from !== to) changed('function', node, 'place 0 of a text differs between dialects');
  if (isBehind && to === 'postgres') {
    const end = callNode('RIGHT', [translate(text), numberNode(place.slice(1))]);
    return count === undefined ? end : callNode('LEFT', [end, translate(count)]);
  }
  if (isBehind && from === 'postgres') unsupported('function', node, `${to} counts ${place} from the end`);
  const isNumber = NUMBERS.has(kindIn(text, translation)) && from !== 'bigquery';
  if (!isNumber || to === 'sqlite' || to === 'mysql' || to === 'snowflake') return copy(node, translation);
  const rest = node.children.slice(1).map(translate);
  return callNode(node.value ?? 'SUBSTRING', [
    castNode(translate(text), typeName('text', to) ?? 'VARCHAR'),
    ...rest,
  ]);
}
