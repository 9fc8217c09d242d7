/** SQLite and MySQL take texts for times and numbers for texts; the others want the type. */
import type { DialectName } from '../../dialects/dialect.ts';
import type { PrintableNode } from '../../print/printable.ts';
import type { SqlNode } from '../../tree/node.ts';
import { as, castNode, say } from './built-node.ts';
import type { Translation } from './translation.ts';
import { typeName } from './type-names.ts';
import { kindOf, type ValueKind } from './value-kind.ts';

/** No types stand between a text and a time, a number and a truth. */
export const LOOSE: ReadonlySet<DialectName> = new Set(['sqlite', 'mysql']);

/** Texts that are no time are NULL in the loose dialects: these have a cast that says so. */
const TRIES: Readonly<Partial<Record<DialectName, string>>> = {
  duckdb: 'TRY_CAST',
  trino: 'TRY_CAST',
  bigquery: 'SAFE_CAST',
};

/** A value where the target wants a time; inside of a cast it needs no other. */
export function asTime(node: SqlNode, translation: Translation, isInsideCast = false): PrintableNode {
  const { from, to } = translation;
  const isNow = from === 'sqlite' && node.flags.string !== undefined && node.value?.toLowerCase() === 'now';
  if (isNow) return as(node.role, say('CURRENT_TIMESTAMP', to, {}));
  const value = translation.translate(node);
  const kind = kindIn(node, translation);
  const isTime = kind === 'date' || kind === 'timestamp';
  if (isTime || isInsideCast || !LOOSE.has(from) || LOOSE.has(to)) return value;
  const isNumber = kind === 'integer' || kind === 'real';
  if (isNumber) translation.changed('type', node, `${from} reads a number as a time here`);
  return as(node.role, castNode(value, typeName('timestamp', to) ?? 'TIMESTAMP', TRIES[to]));
}

const NO_TEXT: ReadonlySet<ValueKind> = new Set(['integer', 'real', 'boolean', 'date', 'timestamp']);

/** A value where the target wants a text. */
export function asText(node: SqlNode, translation: Translation): PrintableNode {
  const { from, to } = translation;
  const value = translation.translate(node);
  const kind = kindIn(node, translation);
  const isPlain = kind === undefined || !NO_TEXT.has(kind) || !LOOSE.has(from) || LOOSE.has(to);
  return isPlain ? value : as(node.role, castNode(value, typeName('text', to) ?? 'VARCHAR'));
}

/** A condition where it is shown or compared as a value: 1 or 0 in the loose dialects. */
export function asValue(node: SqlNode, translation: Translation): PrintableNode {
  const { from, to } = translation;
  const value = translation.translate(node);
  const isTruth = kindIn(node, translation) === 'boolean' && LOOSE.has(from) && !LOOSE.has(to);
  return isTruth ? as(node.role, castNode(value, typeName('int32', to) ?? 'INTEGER')) : value;
}

/** A value where a number is wanted: `SUM(a = b)`, `AVG(a)` with texts in `a`. */
export function asNumber(node: SqlNode, translation: Translation): PrintableNode {
  const { from, to, changed } = translation;
  const kind = kindIn(node, translation);
  const isText = kind === 'text' && node.type !== 'Literal' && LOOSE.has(from) && !LOOSE.has(to);
  if (!isText) return asValue(node, translation);
  changed('type', node, `a text that is no number counts as 0 in ${from}, not in ${to}`);
  return as(node.role, numberFrom(translation.translate(node), to));
}

/** A text as a number, NULL where it is none and the target can say so. */
export function numberFrom(text: PrintableNode, to: DialectName): PrintableNode {
  return castNode(text, typeName('float64', to) ?? 'DOUBLE', TRIES[to]);
}

/** A value where JSON is read: PostgreSQL alone does not read it out of a text. */
export function asJson(node: SqlNode, { to, translate }: Translation): PrintableNode {
  const value = translate(node);
  const isJson = node.type === 'Cast' || node.type === 'JSONExtract';
  return to !== 'postgres' || isJson ? value : as(node.role, castNode(value, 'JSONB'));
}

/** The kind of values the node has in the source. */
export function kindIn(node: SqlNode, translation: Translation): ValueKind | undefined {
  const columnKind = (column: SqlNode): ValueKind | undefined =>
    isTextName(column, translation) ? 'text' : translation.options.kindOf?.(column);
  return kindOf(node, { known: translation.kinds, dialect: translation.from, columnKind });
}

/** SQLite: `"Alan Turing"`, a text because no column has that name. */
export function isTextName(node: SqlNode, { from, options }: Translation): boolean {
  const [name] = node.children;
  const mayBe = from === 'sqlite' && node.children.length === 1 && name?.flags.quoted === '"';
  return node.type === 'Column' && mayBe && options.isText?.(node) === true;
}
