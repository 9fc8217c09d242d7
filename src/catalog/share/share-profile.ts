import { findShape } from '../profiles/find-shape.ts';
import type { ColumnProfile, ColumnStatistics } from '../schema/catalog.ts';
import {
  allOfProfile,
  branded,
  type SharedProfile,
  type SharedStatistics,
  type SharingPolicy,
} from './shared-catalog.ts';

/** What is neither a letter nor a digit and separates parts of codes, dates and addresses. */
const SEPARATORS = /[^Aa9 +\-_./:,@()#]/gu;
const LEAST_SHARE = 0.8;

/**
 * What a model may know of the values of a column. `private`: class, form and rounded counts; smallest, largest,
 * frequent and sampled values are cells, and go.
 */
export function shareProfile(profile: ColumnProfile, policy: SharingPolicy): SharedProfile {
  if (policy === 'all') return allOfProfile(profile);
  const { statistics, ...known } = profile;
  const { scannedRows, nullCount, distinctCount, countedRows, distinctEstimate } = known;
  const { sampledBy, pattern, semanticClass, pii } = known;
  const rows = roundedCount(scannedRows);
  const ofAll = roundedCount(countedRows ?? scannedRows);
  const form = pii?.isWithheld === true || rows === 0 ? undefined : formOf(profile);
  return branded({
    scannedRows: rows,
    ...(sampledBy && { sampledBy }),
    countedRows: ofAll,
    // A whole per cent of the rows: the exact count could tell of a single one.
    nullCount: ofAll === 0 ? 0 : Math.round((nullCount / (countedRows ?? scannedRows)) * 100) * (ofAll / 100),
    distinctCount: rows === 0 ? 0 : roundedFigure(distinctCount),
    ...(distinctEstimate !== undefined && rows > 0 && { distinctEstimate: roundedFigure(distinctEstimate) }),
    examples: [],
    ...(pattern && rows > 0 && { pattern }),
    ...(semanticClass && { semanticClass }),
    ...(pii && { pii }),
    ...(form !== undefined && { form }),
    ...(statistics && { statistics: shareStatistics(statistics, profile, policy) }),
  });
}

/** `private`: the mean of many different values, and the commonest form. */
export function shareStatistics(
  statistics: ColumnStatistics,
  { scannedRows, distinctCount }: Pick<ColumnProfile, 'scannedRows' | 'distinctCount'>,
  policy: SharingPolicy,
): SharedStatistics {
  if (policy === 'all') return branded(statistics);
  const { mean, shape } = statistics;
  const isGroup = scannedRows >= LEAST_GROUP;
  const form = shape === undefined ? undefined : publicForm(shape.form);
  return branded({
    // The mean of one value is that value.
    ...(isGroup && mean !== undefined && distinctCount >= LEAST_GROUP && { mean: roundedFigure(mean) }),
    ...(isGroup &&
      shape !== undefined &&
      form !== undefined && { shape: { form, share: Math.round(shape.share * 100) / 100 } }),
  });
}

/** The form that nearly all of the frequent values have. */
function formOf({ examples }: ColumnProfile): string | undefined {
  const shape = findShape(examples.map((example) => [example, 1] as const));
  return shape === undefined || shape.share < LEAST_SHARE ? undefined : publicForm(shape.form);
}

/** Signs other than separators could be the value itself; a form without letters and digits is nothing else. */
function publicForm(form: string): string | undefined {
  return /[Aa9]/.test(form) ? form.replace(SEPARATORS, '?') : undefined;
}

/** A figure about fewer rows than this could be a figure about one of them. */
export const LEAST_GROUP = 20;

/** Two digits that count: 12,345 → 12,000. Nothing of small groups: 19 → 0. */
export function roundedCount(count: number): number {
  return count < LEAST_GROUP ? 0 : roundedFigure(count);
}

function roundedFigure(figure: number): number {
  return Number(figure.toPrecision(2));
}
