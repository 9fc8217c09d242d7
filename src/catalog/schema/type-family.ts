/** From the declared type of a column to one of the five families, and on by its values where types are loose. */
import type { Cell } from '../../sql/dialects/cell.ts';
import type { DialectName } from '../../sql/dialects/dialect.ts';
import type { Column, ColumnProfile, TypeFamily } from './catalog.ts';

interface TypeRules {
  /** The first pattern that fits decides; a type that none fits is `other`. */
  readonly families: readonly (readonly [RegExp, TypeFamily])[];
  /** The engine does not hold values to their declared type, so the values have the last word. */
  readonly isLoose: boolean;
}

/** Engines that hold values to their types and name them in the standard's words. */
const STRICT: TypeRules = {
  families: [
    [/[\])>]$(?<!\(\d+(, ?\d+)?\)|^enum\(.*\))|^(array|struct|map|row|variant|object|json)/i, 'other'],
    [/^bool|^tinyint\(1\)/i, 'boolean'],
    [/^interval/i, 'other'],
    [
      /^(u?(tiny|small|medium|big|huge|byte)?int|numeric|number|decimal|dec|bignumeric|real|float|double|money|serial|bigserial|fixed|bit$)/i,
      'number',
    ],
    [/char|text|string|^(enum|set|uuid|citext|name$)/i, 'text'],
    [/^(date|time|year)/i, 'time'],
  ],
  isLoose: false,
};

const TYPE_RULES: Readonly<Record<DialectName, TypeRules>> = {
  sqlite: {
    families: [
      [/bool/i, 'boolean'],
      [/int|year/i, 'number'],
      [/char|clob|text|string|enum/i, 'text'],
      [/date|time/i, 'time'],
      [/real|floa|doub|num|dec|money|currency/i, 'number'],
    ],
    isLoose: true,
  },
  duckdb: {
    families: [
      [/[\])]$(?<!^decimal\(.*\)|^enum\(.*\))/i, 'other'],
      [/^(u?(tiny|small|big|huge)int|u?integer|bignum|float|double|decimal)/i, 'number'],
      [/^(varchar|enum)/i, 'text'],
      [/^(date|timestamp)/i, 'time'],
      [/^boolean/i, 'boolean'],
    ],
    isLoose: false,
  },
  postgres: STRICT,
  mysql: STRICT,
  trino: STRICT,
  snowflake: STRICT,
  bigquery: STRICT,
};

export function familyOfType(dialect: DialectName, type: string): TypeFamily {
  return TYPE_RULES[dialect].families.find(([pattern]) => pattern.test(type))?.[1] ?? 'other';
}

/** Whether the family of a column still depends on what is stored in it. */
export function isDecidedByValues(dialect: DialectName, column: Column): boolean {
  return TYPE_RULES[dialect].isLoose && column.family !== 'number' && !/blob|binary/i.test(column.type);
}

/** The family by the stored values; a column without values keeps its declared one. */
export function familyOfValues(declared: TypeFamily, values: readonly Cell[]): TypeFamily {
  if (values.length === 0) return declared;
  const texts = values.filter((value) => typeof value === 'string');
  const isAllText = texts.length === values.length;
  const isIsoTime = isAllText && (findPattern(texts)?.startsWith('iso-') ?? false);
  if (isIsoTime) return 'time';
  const isAllNumbers = values.every((value) => typeof value === 'number' || typeof value === 'bigint');
  switch (declared) {
    case 'text':
      return 'text';
    case 'boolean':
      return isAllNumbers ? 'boolean' : 'text';
    case 'number':
      return 'number';
    // Declared a date but stored as seconds or as free text: date functions would yield NULL in silence.
    case 'time':
    case 'other':
      if (isAllNumbers) return 'number';
      return texts.length > 0 ? 'text' : 'other';
  }
}

export type TextPattern = NonNullable<ColumnProfile['pattern']>;

/** In order: the first that every value fits. */
const PATTERNS: readonly (readonly [TextPattern, RegExp])[] = [
  ['iso-date', /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/],
  [
    'iso-timestamp',
    /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[ T]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?$/,
  ],
  ['number', /^[+-]?(\d+\.?\d*|\.\d+)$/],
  ['code', /^(?=.*[A-Z0-9])[A-Z0-9][A-Z0-9_./-]{0,11}$/],
];

/** The pattern that all the texts share: `findPattern(['2024-01-31'])` → `iso-date`. */
export function findPattern(texts: readonly string[]): TextPattern | undefined {
  if (texts.length === 0) return undefined;
  return PATTERNS.find(([, pattern]) => texts.every((text) => pattern.test(text)))?.[0];
}
