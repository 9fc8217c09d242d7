import type { Column } from '../../catalog/index.ts';
import type { Profile } from '../contract/catalog-contract.ts';

const MOST_VALUES = 10;
const MOST_CHARACTERS = 200;

/**
 * A profile as far as it may be shown. `column` is the reader's, without a profile where the policy hides one; `stored` adds
 * the statistics of the file, which knows no reader.
 */
export function columnProfile({ profile }: Column, stored: Column | undefined): Profile | undefined {
  if (profile === undefined) return undefined;
  const { scannedRows, sampledBy, nullCount, countedRows = scannedRows, pii, semanticClass } = profile;
  const isWithheld = pii?.isWithheld === true || profile.form !== undefined;
  const { distinctEstimate, distinctCount, min, max, examples } = profile;
  const statistics = isWithheld ? undefined : stored?.profile?.statistics;
  return {
    rows: scannedRows,
    ...(sampledBy !== undefined && { sampledBy }),
    ...(countedRows > 0 && { nullShare: nullCount / countedRows }),
    ...(scannedRows > 0 && { distinct: Math.round(distinctEstimate ?? distinctCount) }),
    isDistinctEstimated: distinctEstimate !== undefined,
    isWithheld,
    ...(pii !== undefined && { personal: `${pii.kind}: ${pii.because}` }),
    ...(semanticClass !== undefined && { meaning: semanticClass }),
    ...(!isWithheld && min !== undefined && { min: short(min) }),
    ...(!isWithheld && max !== undefined && { max: short(max) }),
    examples: isWithheld ? [] : examples.slice(0, MOST_VALUES).map(short),
    topValues: (statistics?.topValues ?? [])
      .slice(0, MOST_VALUES)
      .map(({ value, count }) => ({ value: short(value), count })),
    bins: (statistics?.histogram ?? []).map(short),
  };
}

function short(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
}
