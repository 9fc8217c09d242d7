/** What is known of a column, by evidence level, as lines for people and prompts. */
import type { Column, ColumnProfile, KeyOverlap } from './schema/catalog.ts';

/** L0: names. L1: and type and class. L2: and comment, values, null share. L3: and statistics. */
export type EvidenceLevel = 'L0' | 'L1' | 'L2' | 'L3';

export interface Evidence {
  readonly name: string;
  /** `not available` where nothing is known: never a guess. */
  readonly value: string;
}

const LEVELS: readonly EvidenceLevel[] = ['L0', 'L1', 'L2', 'L3'];
const ABSENT = 'not available';
const SHORT_VALUES = 5;
const SHORT_CHARS = 40;

/** The facts of a column up to a level; a fact of a sample says so. L3 wants the statistics of the store. */
export function renderEvidence(
  column: Column,
  level: EvidenceLevel,
  overlaps: readonly KeyOverlap[] = [],
): readonly Evidence[] {
  const { profile } = column;
  const isWithheld = profile?.pii?.isWithheld === true;
  const parts: readonly (readonly [EvidenceLevel, string, string | undefined])[] = [
    ['L0', 'column', column.name],
    ['L1', 'type', column.type === '' ? undefined : column.type],
    ['L1', 'class', profile?.semanticClass],
    ['L2', 'description', column.comment],
    ['L2', 'values', isWithheld ? 'withheld' : shortValues(profile)],
    ['L2', 'null share', nullShare(profile)],
    ['L2', 'distinct values', distinct(profile)],
    ...statistics(profile, isWithheld),
    ['L3', 'key overlap', keyOverlap(column, overlaps)],
  ];
  const wanted = LEVELS.indexOf(level);
  return parts
    .filter(([least]) => LEVELS.indexOf(least) <= wanted)
    .map(([, name, value]) => ({ name, value: value ?? ABSENT }));
}

function shortValues(profile: ColumnProfile | undefined): string | undefined {
  if (profile?.form !== undefined) return `not shown; most look like ${profile.form}`;
  const values = profile?.examples.slice(0, SHORT_VALUES).map((value) => value.slice(0, SHORT_CHARS)) ?? [];
  return values.length === 0 ? undefined : values.join(' | ');
}

function nullShare(profile: ColumnProfile | undefined): string | undefined {
  const rows = profile?.countedRows ?? profile?.scannedRows ?? 0;
  if (profile === undefined || rows === 0) return undefined;
  return `${percent(profile.nullCount / rows)} of ${rows} rows`;
}

function distinct(profile: ColumnProfile | undefined): string | undefined {
  if (
    profile === undefined ||
    profile.scannedRows === 0 ||
    profile.examples.length + profile.distinctCount === 0
  )
    return undefined;
  const { distinctCount, sampledBy, scannedRows, distinctEstimate } = profile;
  if (sampledBy === undefined) return String(distinctCount);
  const estimate = distinctEstimate === undefined ? '' : `, about ${distinctEstimate} in all rows`;
  return `${distinctCount} in ${scannedRows} rows (${sampledBy})${estimate}`;
}

function statistics(
  profile: ColumnProfile | undefined,
  isWithheld: boolean,
): (readonly [EvidenceLevel, string, string | undefined])[] {
  const known = profile?.statistics;
  const orWithheld = (value: string | undefined) => (isWithheld ? 'withheld' : value);
  const lengths = known?.lengths;
  const shape = known?.shape;
  return [
    ['L3', 'smallest', orWithheld(profile?.min)],
    ['L3', 'largest', orWithheld(profile?.max)],
    ['L3', 'mean', orWithheld(known?.mean === undefined ? undefined : String(known.mean))],
    ['L3', 'quartiles', orWithheld(known?.quartiles?.join(' | '))],
    ['L3', 'histogram of 10 equal bins', orWithheld(known?.histogram?.join(' | '))],
    [
      'L3',
      'most frequent',
      orWithheld(known?.topValues?.map(({ value, count }) => `${value} (${count})`).join(' | ')),
    ],
    [
      'L3',
      'text length',
      lengths && `${lengths.min} to ${lengths.max}, ${lengths.mean.toFixed(1)} on average`,
    ],
    ['L3', 'form', shape && `${shape.form} (${percent(shape.share)})`],
  ];
}

function keyOverlap({ id }: Column, overlaps: readonly KeyOverlap[]): string | undefined {
  const own = overlaps.filter(({ fromColumn }) => fromColumn === id);
  if (own.length === 0) return undefined;
  return own
    .map(
      ({ toColumn, share, comparedValues }) => `${percent(share)} of ${comparedValues} values in ${toColumn}`,
    )
    .join(' | ');
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}
