import { alignRows } from '../evaluation/align-rows.ts';
import { type AlteredShare, alteredFigures, countByKind } from './altered-figures.ts';
import { ALTERED_VERDICTS } from './altered-record.ts';
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
    [`every question: ${file}`, ...(isComplete ? [] : [`go on with: --resume ${file}`])].join('\n'),
  ].join('\n\n')}\n`;
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
    metrics: Object.fromEntries(metrics),
    kinds: Object.fromEntries(
      countByKind(records).map(({ kind, verdicts, made, notMade }) => [kind, { made, notMade, ...verdicts }]),
    ),
    seconds,
  };
}
