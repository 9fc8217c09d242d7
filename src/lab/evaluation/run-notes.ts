/** What every report of a run says beside its figures. */
import { type Share, shareRow } from '../metrics/shares.ts';
import type { Metrics } from './compute-metrics.ts';
import { modelRows } from './render-suite.ts';
import { isUnasked, type RunRecord } from './runs/run-record.ts';
import type { RunReport } from './runs/run-recorded.ts';

export function runTitle(
  { suite, records, seconds, isComplete }: RunReport<RunRecord>,
  what: string,
): string {
  const model = records[0]?.model;
  const asked = model === undefined ? '' : ` with ${model}`;
  return `${suite}${asked}: ${what} in ${seconds} s${isComplete ? '' : ' (stopped before the end)'}`;
}

/** A line for each share and for what the model took of an item, with a head. */
export function figureRows(
  shares: Readonly<Record<string, Share>>,
  titles: Readonly<Record<string, string>>,
  { metrics, item }: { readonly metrics: Metrics; readonly item: string },
): readonly (readonly string[])[] {
  return [
    ['', 'figure', '95 % interval', ''],
    ...Object.entries(shares).map(([name, share]) => shareRow(titles[name] ?? name, share)),
    ...modelRows(metrics, item),
  ];
}

/** `2 right, 1 wrong`: how often each verdict came, in the order of `verdicts`. */
export function verdictCounts<Verdict extends string>(
  judged: readonly { readonly verdict: Verdict }[],
  verdicts: readonly Verdict[],
): string {
  return verdicts
    .map((verdict) => ({ verdict, count: judged.filter((one) => one.verdict === verdict).length }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => `${count} ${verdict}`)
    .join(', ');
}

/** Which cases could not be asked, where every case is written, and how a stopped run goes on. */
export function runNotes({ records, file, isComplete }: RunReport<RunRecord>, item: string): string {
  const unasked = records.filter(({ error }) => isUnasked(error));
  const changed = unasked.filter(({ error }) => error?.code === 'model.not-recorded').map(({ id }) => id);
  const failed = unasked.filter(({ error }) => error?.code !== 'model.not-recorded');
  const notes = [
    changed.length === 0
      ? ''
      : `${changed.length} have a prompt that was not recorded: ${changed.join(', ')}`,
    ...failed.map(({ id, error }) => `${id} could not be asked: ${error?.message.split('\n')[0]}`),
    `every ${item}: ${file}`,
    isComplete ? '' : `go on with the same command and: --resume ${file}`,
  ];
  return notes.filter((note) => note !== '').join('\n');
}
