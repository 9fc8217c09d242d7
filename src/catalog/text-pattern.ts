import type { ColumnProfile } from './catalog.ts';

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
