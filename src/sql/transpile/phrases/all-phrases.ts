/** Every phrase, the special before the general. */
import type { DialectName } from '../../dialects/dialect.ts';
import { AGGREGATE_PHRASES } from './aggregates.ts';
import { CONDITION_PHRASES, PATTERN_PHRASES } from './conditions.ts';
import { JSON_PHRASES } from './json-values.ts';
import { NUMBER_PHRASES } from './numbers.ts';
import { indexTemplates, type Phrase, type Template } from './phrase.ts';
import { TEXT_PHRASES } from './texts.ts';
import { TIME_UNIT_PHRASES } from './time-units.ts';
import { TIME_PHRASES } from './times.ts';

export const PHRASES: readonly Phrase[] = [
  ...TIME_PHRASES,
  ...TIME_UNIT_PHRASES,
  ...CONDITION_PHRASES,
  ...TEXT_PHRASES,
  ...PATTERN_PHRASES,
  ...NUMBER_PHRASES,
  ...AGGREGATE_PHRASES,
  ...JSON_PHRASES,
];

const INDEXES = new Map<DialectName, ReadonlyMap<string, readonly Template[]>>();

/** The templates a dialect is read by; made when it is first needed. */
export function templatesOf(dialect: DialectName): ReadonlyMap<string, readonly Template[]> {
  const known = INDEXES.get(dialect);
  if (known !== undefined) return known;
  const made = indexTemplates(PHRASES, dialect);
  INDEXES.set(dialect, made);
  return made;
}
