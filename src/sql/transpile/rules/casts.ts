/** Casts and the names of types. */
import type { DialectName } from '../../dialects/dialect.ts';
import type { PrintableNode } from '../../print/printable.ts';
import { child, type SqlNode } from '../../tree/node.ts';
import { as, build, callNode, copy, numberNode, say } from '../translation/built-node.ts';
import { asTime, kindIn } from '../translation/loose-values.ts';
import type { Rules, Translation } from '../translation/translation.ts';
import { type TypeMeaning, typeMeaning, typeName } from '../translation/type-names.ts';
import { castPath, isColonPath } from './colon-paths.ts';

export const CAST_RULES: Rules = {
  Cast: translateCast,
  TryCast: translateCast,
  DataType: translateType,
};

/** Dialects that cut a number when it becomes whole; all others round it. */
const CUTS: ReadonlySet<DialectName> = new Set(['sqlite']);
/** Dialects with a cast that gives NULL where another fails. */
const TRY_NAMES: Readonly<Partial<Record<DialectName, string>>> = {
  duckdb: 'TRY_CAST',
  trino: 'TRY_CAST',
  snowflake: 'TRY_CAST',
  bigquery: 'SAFE_CAST',
};
const WHOLE: ReadonlySet<TypeMeaning> = new Set(['int16', 'int32', 'int64']);

function translateCast(node: SqlNode, translation: Translation): PrintableNode | undefined {
  const { from, to, unsupported } = translation;
  const value = child(node, 'this');
  const type = child(node, 'to');
  if (value === undefined || type === undefined) return undefined;
  if (node.flags.operator === 'typed' || child(node, 'expression') !== undefined) {
    unsupported('type', node, `${to} has no cast of this form`);
    return copy(node, translation);
  }
  const meaning = typeMeaning(type.value ?? '', from);
  if (isColonPath(value)) {
    const path = castPath(node, meaning === 'text', translation);
    if (path !== undefined) return path;
  }
  if (node.type === 'TryCast' && TRY_NAMES[to] === undefined) {
    unsupported('type', node, `${to} has no cast that gives NULL instead of an error`);
  }
  if (to === 'sqlite' && meaning !== undefined && meaning in SQLITE_TIMES)
    return sqliteTime(node, meaning, translation);
  // JSON is text in SQLite.
  if (to === 'sqlite' && meaning === 'json') return translation.translate(value);
  if (from === 'sqlite' && /^(?:DATE|TIME)/.test(type.value ?? '')) {
    unsupported('type', node, `CAST AS ${type.value} makes a number in sqlite`);
  }
  return castAs(node, valueFor(value, meaning, translation), translation);
}

/** The same form of cast, where the target has it. */
function castAs(node: SqlNode, value: PrintableNode, translation: Translation): PrintableNode {
  const { to, translate } = translation;
  const type = as('to', translate(child(node, 'to') ?? node));
  const isLiteral =
    node.flags.operator === 'literal' && LITERAL_TYPES.test(type.value ?? '') && to !== 'sqlite';
  if (isLiteral) return build('Cast', [type, as('this', value)], { flags: { operator: 'literal' } });
  const parts = [as('this', value), type];
  const isSign = node.flags.operator === '::' && ['postgres', 'duckdb', 'snowflake'].includes(to);
  if (isSign) return build('Cast', parts, { flags: { operator: '::' } });
  if (node.type === 'Cast') return build('Cast', parts);
  return build('TryCast', parts, { value: TRY_NAMES[to] ?? 'CAST', flags: { call: 'true' } });
}

const LITERAL_TYPES = /^(?:DATE|TIME|TIMESTAMP|DATETIME)$/;

/** What is cast, rounded or cut as the source would. */
function valueFor(value: SqlNode, meaning: TypeMeaning | undefined, translation: Translation): PrintableNode {
  const { from, to, translate } = translation;
  if (meaning === 'date' || meaning === 'timestamp') return asTime(value, translation, true);
  const translated = translate(value);
  if (meaning === undefined || !WHOLE.has(meaning) || CUTS.has(from) === CUTS.has(to)) return translated;
  const kind = kindIn(value, translation);
  if (kind === 'integer' || kind === 'digits' || kind === 'boolean') return translated;
  if (kind === 'text' && value.type === 'Literal' && /^\d+$/.test(value.value ?? '')) return translated;
  if (to === 'sqlite') return callNode('ROUND', [translated], 'Round');
  const number =
    kind === 'real' ? translated : say(`CAST(_x AS ${typeName('float64', to)})`, to, { _x: translated });
  const name = to === 'trino' || to === 'mysql' ? 'TRUNCATE' : 'TRUNC';
  return callNode(name, to === 'mysql' ? [number, numberNode('0')] : [number]);
}

const SQLITE_TIMES: Readonly<Record<string, string>> = {
  date: 'DATE',
  time: 'TIME',
  timestamp: 'DATETIME',
  timestamptz: 'DATETIME',
};

/** SQLite keeps times as texts and has functions for them; a literal is the text already. */
function sqliteTime(node: SqlNode, meaning: TypeMeaning, translation: Translation): PrintableNode {
  const { translate, changed } = translation;
  const value = child(node, 'this') ?? node;
  if (meaning === 'timestamptz') changed('type', node, 'sqlite has no time zones');
  const isPlain = value.flags.string !== undefined && node.flags.operator === 'literal';
  return isPlain ? translate(value) : callNode(SQLITE_TIMES[meaning] ?? 'DATETIME', [translate(value)]);
}

/** Types whose numbers in brackets mean the same in both. */
const SIZED: ReadonlySet<TypeMeaning> = new Set(['decimal', 'text', 'char']);
const KEEPS_LENGTH: ReadonlySet<DialectName> = new Set([
  'postgres',
  'mysql',
  'trino',
  'snowflake',
  'bigquery',
]);

function translateType(node: SqlNode, translation: Translation): PrintableNode | undefined {
  const { from, to, unsupported, translate } = translation;
  const name = node.value ?? '';
  if (name === 'ARRAY' && ['postgres', 'duckdb', 'trino', 'bigquery', 'snowflake'].includes(to)) {
    return copy(node, translation);
  }
  const meaning = typeMeaning(name, from);
  const nearest = meaning && nearestType(meaning, node, translation);
  const written = nearest && typeName(nearest, to);
  if (meaning === undefined || written === undefined) {
    unsupported('type', node, `${to} has no type like ${name} of ${from}`);
    return copy(node, translation);
  }
  const keepsSize =
    SIZED.has(meaning) && nearest === meaning && (meaning === 'decimal' || KEEPS_LENGTH.has(to));
  reportLength(node, meaning, translation);
  const own = meaning === 'decimal' ? (DECIMAL_SIZES[from] ?? []).map(numberNode) : [];
  const sizes = node.children.length > 0 ? node.children.map(translate) : own;
  const isSizedText = meaning === 'text' && keepsSize && sizes.length > 0 && written === 'TEXT';
  return build('DataType', keepsSize ? sizes : [], { value: isSizedText ? 'VARCHAR' : written });
}

/** What a decimal without a size has; PostgreSQL's has as many digits as it needs. */
const DECIMAL_SIZES: Readonly<Partial<Record<DialectName, readonly string[]>>> = {
  duckdb: ['18', '3'],
  mysql: ['10', '0'],
  trino: ['38', '0'],
  snowflake: ['38', '0'],
  bigquery: ['38', '9'],
};
/** Arithmetic with four bytes stays in four bytes here, elsewhere it goes on in eight. */
const SMALL_ARITHMETIC: ReadonlySet<DialectName> = new Set(['duckdb', 'trino']);

/** The type itself, or the one that holds most of its values. */
function nearestType(meaning: TypeMeaning, node: SqlNode, translation: Translation): TypeMeaning {
  const { from, to, changed } = translation;
  const say = (what: string): TypeMeaning => {
    changed('rounding', node, what);
    return 'float64';
  };
  if (meaning === 'number') return say(`${to} has no type that is whole or real as its values are`);
  if (meaning === 'float32') {
    const isSame =
      typeName(meaning, to) !== undefined && SMALL_ARITHMETIC.has(from) === SMALL_ARITHMETIC.has(to);
    if (isSame) return meaning;
    return isOfWhole(node, translation)
      ? 'float64'
      : say(`${node.value} of ${from} has fewer digits than it has in ${to}`);
  }
  if (meaning !== 'decimal') return meaning;
  const hasSize = node.children.length > 0 || DECIMAL_SIZES[from] !== undefined;
  if (to === 'sqlite') return say('sqlite has no decimals, only real numbers');
  if (hasSize || to === 'bigquery') return meaning;
  return say(`${to} has no decimals with as many digits as they need`);
}

/** A cast of whole numbers, which eight bytes hold as well as four. */
function isOfWhole(type: SqlNode, translation: Translation): boolean {
  const value = type.parent && child(type.parent, 'this');
  return value !== undefined && kindIn(value, translation) === 'integer';
}

function reportLength(node: SqlNode, meaning: TypeMeaning, { from, to, changed }: Translation): void {
  const losesLength =
    (meaning === 'text' || meaning === 'char') && node.children.length > 0 && !KEEPS_LENGTH.has(to);
  if (losesLength && KEEPS_LENGTH.has(from)) {
    changed('type', node, `${to} does not cut a text to its length`);
  }
}
