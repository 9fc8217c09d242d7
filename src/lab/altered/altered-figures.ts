import { wilsonInterval } from '../metrics/intervals.ts';
import { ALTERATION_KINDS, type AlterationKind } from './alteration.ts';
import {
  ALTERED_VERDICTS,
  type AlteredRecord,
  type AlteredVerdict,
  type JudgedAlteration,
} from './altered-record.ts';

/** A share in percent with its 95 % interval (Wilson). */
export interface AlteredShare {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly hits: number;
  readonly of: number;
}

export interface AlteredFigures {
  /** Answered as if the word were not there, of the restrictions inserted. */
  readonly insertedAnsweredOver: AlteredShare;
  /** Naming the word, of the inserted restrictions that were not answered. */
  readonly insertedNamed: AlteredShare;
  /** The query stayed as it was, of the changed numbers, values, directions and negations. */
  readonly changedNoEffect: AlteredShare;
  /** The query changed accordingly, of the same. */
  readonly changedRight: AlteredShare;
  /** A value that is stored nowhere was dropped or had no effect, of those. */
  readonly unstoredAnsweredOver: AlteredShare;
  /** Still right, of the questions with other words. */
  readonly synonymsRight: AlteredShare;
  /** Still right, of the questions with politeness and noise. */
  readonly noiseUnchanged: AlteredShare;
}

const CHANGED: readonly AlterationKind[] = ['number', 'top-n', 'value', 'direction', 'negation'];

export function alteredFigures(records: readonly AlteredRecord[]): AlteredFigures {
  const all = records.flatMap(({ altered }) => altered);
  const of = (...kinds: readonly AlterationKind[]) => all.filter(({ kind }) => kinds.includes(kind));
  const share = (some: readonly JudgedAlteration[], ...verdicts: readonly AlteredVerdict[]) =>
    shareOf(some.filter(({ verdict }) => verdicts.includes(verdict)).length, some.length);
  const asked = of('insert').filter(({ namesWord }) => namesWord !== undefined);
  return {
    insertedAnsweredOver: share(of('insert'), 'answered-over'),
    insertedNamed: shareOf(asked.filter(({ namesWord }) => namesWord === true).length, asked.length),
    changedNoEffect: share(of(...CHANGED), 'no-effect'),
    changedRight: share(of(...CHANGED), 'right'),
    unstoredAnsweredOver: share(of('unstored-value'), 'answered-over', 'no-effect'),
    synonymsRight: share(of('synonym'), 'right'),
    noiseUnchanged: share(of('noise'), 'right'),
  };
}

export function shareOf(hits: number, of: number): AlteredShare {
  const { low, high } = wilsonInterval(hits, of);
  return { value: of === 0 ? 0 : (100 * hits) / of, low: 100 * low, high: 100 * high, hits, of };
}

export interface KindCounts {
  readonly kind: AlterationKind;
  /** How many came to each verdict. */
  readonly verdicts: Readonly<Record<AlteredVerdict, number>>;
  readonly made: number;
  readonly notMade: number;
}

export function countByKind(records: readonly AlteredRecord[]): readonly KindCounts[] {
  return ALTERATION_KINDS.map((kind) => {
    const altered = records.flatMap((record) => record.altered.filter((each) => each.kind === kind));
    const count = (verdict: AlteredVerdict): number =>
      altered.filter((each) => each.verdict === verdict).length;
    return {
      kind,
      verdicts: Object.fromEntries(
        ALTERED_VERDICTS.map((verdict) => [verdict, count(verdict)]),
      ) as KindCounts['verdicts'],
      made: altered.length,
      notMade: records.reduce(
        (sum, { notMade }) => sum + notMade.filter((each) => each.kind === kind).length,
        0,
      ),
    };
  });
}
