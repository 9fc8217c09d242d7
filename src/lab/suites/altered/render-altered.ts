import { alignRows } from '../../evaluation/align-rows.ts';
import { calibrationFigures, type ToldAnswer } from '../../evaluation/compute-metrics.ts';
import { renderCalibration } from '../../evaluation/render-suite.ts';
import { wilsonInterval } from '../../metrics/intervals.ts';
import { ALTERATION_KINDS, type AlterationKind } from './edits/alteration.ts';
import {
  ALTERED_VERDICTS,
  type AlteredRecord,
  type AlteredVerdict,
  type JudgedAlteration,
} from './judge-altered.ts';
import type { AlteredReport } from './run-altered.ts';

const NAMES = {
  insertedAnsweredOver: 'inserted restrictions answered over',
  insertedNamed: 'not answered, and the word is named',
  changedNoEffect: 'changes without effect on the SQL',
  changedRight: 'changes that the SQL followed',
  unstoredAnsweredOver: 'values stored nowhere answered over',
  synonymsRight: 'right with other words',
  noiseUnchanged: 'unchanged by politeness and noise',
} as const;

/** The report as aligned plain text: shares with intervals, then verdicts by kind, then what could not be made. */
export function renderAltered(report: AlteredReport): string {
  const { records, seconds, isComplete, file, seed } = report;
  const right = records.filter(({ isRight }) => isRight).length;
  const altered = records.reduce((sum, record) => sum + record.altered.length, 0);
  const figures = Object.entries(alteredFigures(records)).map(([name, figure]) =>
    shareRow(NAMES[name as keyof typeof NAMES], figure),
  );
  const kinds = countByKind(records).map(({ kind, verdicts, made, notMade }) => [
    kind,
    ...ALTERED_VERDICTS.map((verdict) => String(verdicts[verdict])),
    String(made),
    String(notMade),
  ]);
  const title = `${altered} alterations of ${right} right answers among ${records.length} questions in ${seconds} s, seed ${seed}${isComplete ? '' : ' (stopped before the end)'}`;
  return `${[
    title,
    alignRows([['', 'share', '95 % interval', ''], ...figures]),
    alignRows([['kind', ...ALTERED_VERDICTS, 'made', 'not made'], ...kinds]),
    renderCalibration(toldAltered(records)),
    [`every question: ${file}`, ...(isComplete ? [] : [`go on with: --resume ${file}`])].join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}

/** Answers to altered questions; whether the SQL of one whose query failed is wrong is not known. */
function toldAltered(records: readonly AlteredRecord[]): readonly ToldAnswer[] {
  return records.flatMap(({ id, altered }) =>
    altered.flatMap(({ risk, verdict, question, kind }) =>
      risk === undefined || verdict === 'error'
        ? []
        : [{ id: `${id} ${kind}`, question, risk, isWrong: verdict !== 'right' }],
    ),
  );
}

function shareRow(name: string, { value, low, high, hits, of }: AlteredShare): readonly string[] {
  const share = of === 0 ? '–' : `${value.toFixed(1)} %`;
  return [name, share, `${low.toFixed(1)}–${high.toFixed(1)}`, `${hits} of ${of}`];
}

/** What `--output json` prints as its last line. */
export function summariseAltered(report: AlteredReport) {
  const { records, seconds, seed } = report;
  const rounded = (value: number): number => Number(value.toFixed(2));
  const metrics = Object.entries(alteredFigures(records)).flatMap(([name, { value, low, high }]) => [
    [name, rounded(value)] as const,
    [`${name}Low`, rounded(low)] as const,
    [`${name}High`, rounded(high)] as const,
  ]);
  return {
    suite: 'altered',
    seed,
    questions: records.length,
    right: records.filter(({ isRight }) => isRight).length,
    altered: records.reduce((sum, record) => sum + record.altered.length, 0),
    metrics: { ...Object.fromEntries(metrics), ...calibrationFigures(toldAltered(records)) },
    kinds: Object.fromEntries(
      countByKind(records).map(({ kind, verdicts, made, notMade }) => [kind, { made, notMade, ...verdicts }]),
    ),
    seconds,
  };
}

/** A share in percent with its 95 % interval (Wilson). */
interface AlteredShare {
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

function alteredFigures(records: readonly AlteredRecord[]): AlteredFigures {
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

function shareOf(hits: number, of: number): AlteredShare {
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

function countByKind(records: readonly AlteredRecord[]): readonly KindCounts[] {
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
