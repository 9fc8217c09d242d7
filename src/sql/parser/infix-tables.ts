/** The operators between operands and their levels, for each dialect as its difference to the common ones. */
import type { NodeType } from '../tree/node-types.ts';
import { type Infix, type InfixForm, LEVEL } from './grammar.ts';

type InfixTable = Readonly<Record<string, readonly [type: NodeType, level: number, form?: InfixForm]>>;

/** PostgreSQL's levels, which most others follow. */
const COMMON: InfixTable = {
  OR: ['Or', LEVEL.or],
  AND: ['And', LEVEL.and],
  IS: ['Is', LEVEL.is, 'is'],
  '=': ['EQ', LEVEL.compare],
  '==': ['EQ', LEVEL.compare],
  '<>': ['NEQ', LEVEL.compare],
  '!=': ['NEQ', LEVEL.compare],
  '<': ['LT', LEVEL.compare],
  '<=': ['LTE', LEVEL.compare],
  '>': ['GT', LEVEL.compare],
  '>=': ['GTE', LEVEL.compare],
  NOT: ['Not', LEVEL.predicate, 'not'],
  IN: ['In', LEVEL.predicate, 'in'],
  BETWEEN: ['Between', LEVEL.predicate, 'between'],
  LIKE: ['Like', LEVEL.predicate, 'like'],
  ILIKE: ['ILike', LEVEL.predicate, 'like'],
  SIMILAR: ['SimilarTo', LEVEL.predicate, 'similar'],
  '||': ['DPipe', LEVEL.other],
  '|': ['BitwiseOr', LEVEL.bitOr],
  '&': ['BitwiseAnd', LEVEL.bitAnd],
  '<<': ['BitwiseLeftShift', LEVEL.shift],
  '>>': ['BitwiseRightShift', LEVEL.shift],
  '+': ['Add', LEVEL.add],
  '-': ['Sub', LEVEL.add],
  '*': ['Mul', LEVEL.multiply],
  '/': ['Div', LEVEL.multiply],
  '%': ['Mod', LEVEL.multiply],
  COLLATE: ['Collate', LEVEL.postfix, 'collate'],
  AT: ['AtTimeZone', LEVEL.postfix, 'at-time-zone'],
};

/** Trino, Snowflake, BigQuery: IS, IN, LIKE and BETWEEN stand on one level with the comparisons. */
const FLAT: InfixTable = {
  ...COMMON,
  IS: ['Is', LEVEL.compare, 'is'],
  NOT: ['Not', LEVEL.compare, 'not'],
  IN: ['In', LEVEL.compare, 'in'],
  BETWEEN: ['Between', LEVEL.compare, 'between'],
  LIKE: ['Like', LEVEL.compare, 'like'],
  ILIKE: ['ILike', LEVEL.compare, 'like'],
  SIMILAR: ['SimilarTo', LEVEL.compare, 'similar'],
  '^': ['BitwiseXor', LEVEL.bitXor],
};

const operators = (signs: string, level: number): InfixTable =>
  Object.fromEntries(signs.split(' ').map((sign) => [sign, ['Operator', level] as const]));

const REGEXP_SIGNS: InfixTable = {
  '~': ['RegexpLike', LEVEL.other],
  '~*': ['RegexpILike', LEVEL.other],
  '!~': ['Operator', LEVEL.other],
  '!~*': ['Operator', LEVEL.other],
  '~~': ['Like', LEVEL.other],
  '~~*': ['ILike', LEVEL.other],
  '!~~': ['Operator', LEVEL.other],
  '!~~*': ['Operator', LEVEL.other],
  '->': ['JSONExtract', LEVEL.other],
  '->>': ['JSONExtractScalar', LEVEL.other],
  ISNULL: ['Is', LEVEL.is, 'is-null'],
  NOTNULL: ['Is', LEVEL.is, 'is-null'],
};

const SQLITE: InfixTable = {
  ...FLAT,
  GLOB: ['Glob', LEVEL.compare, 'like'],
  MATCH: ['Operator', LEVEL.compare, 'like'],
  REGEXP: ['RegexpLike', LEVEL.compare, 'like'],
  ISNULL: ['Is', LEVEL.compare, 'is-null'],
  NOTNULL: ['Is', LEVEL.compare, 'is-null'],
  '<': ['LT', LEVEL.predicate],
  '<=': ['LTE', LEVEL.predicate],
  '>': ['GT', LEVEL.predicate],
  '>=': ['GTE', LEVEL.predicate],
  '|': ['BitwiseOr', LEVEL.bitOr],
  '&': ['BitwiseAnd', LEVEL.bitOr],
  '<<': ['BitwiseLeftShift', LEVEL.bitOr],
  '>>': ['BitwiseRightShift', LEVEL.bitOr],
  '||': ['DPipe', LEVEL.power],
  '->': ['JSONExtract', LEVEL.power],
  '->>': ['JSONExtractScalar', LEVEL.power],
};

const POSTGRES: InfixTable = {
  ...COMMON,
  ...REGEXP_SIGNS,
  OPERATOR: ['Operator', LEVEL.other, 'named-operator'],
  ...operators(
    '@> <@ ? ?| ?& #- @@ @@@ @? <-> <=> <#> <+> && &< &> <<| |>> &<| |&> <<= >>= -|- ^@ ~= OVERLAPS',
    LEVEL.other,
  ),
  '#>': ['JSONExtract', LEVEL.other],
  '#>>': ['JSONExtractScalar', LEVEL.other],
  '#': ['BitwiseXor', LEVEL.other],
  '^': ['Pow', LEVEL.power],
};

const DUCKDB: InfixTable = {
  ...COMMON,
  ...REGEXP_SIGNS,
  ...operators('@> <@ && ^@ <-> <=>', LEVEL.other),
  GLOB: ['Glob', LEVEL.predicate, 'like'],
  '~~~': ['Glob', LEVEL.other],
  '^': ['Pow', LEVEL.power],
  '**': ['Pow', LEVEL.power],
  '//': ['IntDiv', LEVEL.multiply],
  '!': ['UnaryOperator', LEVEL.other, 'factorial'],
};

const REGEXP_WORD = ['RegexpLike', LEVEL.compare, 'like'] as const;
const MYSQL: InfixTable = {
  ...FLAT,
  '||': ['Or', LEVEL.or],
  '&&': ['And', LEVEL.and],
  XOR: ['Xor', LEVEL.xor],
  '<=>': ['NullSafeEQ', LEVEL.compare],
  REGEXP: REGEXP_WORD,
  RLIKE: REGEXP_WORD,
  SOUNDS: ['Operator', LEVEL.compare, 'similar'],
  MEMBER: ['Operator', LEVEL.compare, 'member-of'],
  DIV: ['IntDiv', LEVEL.multiply],
  MOD: ['Mod', LEVEL.multiply],
  '^': ['BitwiseXor', LEVEL.power],
  '->': ['JSONExtract', LEVEL.postfix],
  '->>': ['JSONExtractScalar', LEVEL.postfix],
};

const SNOWFLAKE: InfixTable = { ...FLAT, RLIKE: REGEXP_WORD, REGEXP: REGEXP_WORD };
const BIGQUERY: InfixTable = { ...FLAT, '||': ['DPipe', LEVEL.multiply] };

function tableOf(infix: InfixTable): ReadonlyMap<string, Infix> {
  return new Map(
    Object.entries(infix).map(([key, [type, level, form]]) => [key, { type, level, form: form ?? 'binary' }]),
  );
}

/** By dialect; `common` is what the others begin with. */
export const INFIX = {
  common: tableOf(COMMON),
  sqlite: tableOf(SQLITE),
  duckdb: tableOf(DUCKDB),
  postgres: tableOf(POSTGRES),
  mysql: tableOf(MYSQL),
  trino: tableOf(FLAT),
  snowflake: tableOf(SNOWFLAKE),
  bigquery: tableOf(BIGQUERY),
} as const;
