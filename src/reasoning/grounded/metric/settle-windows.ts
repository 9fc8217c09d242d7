import type { Assumption } from '../../../answer.ts';
import type { GroundedKnowledge } from '../knowledge.ts';
import { isoDate, yearStart } from '../read/calendar-days.ts';
import type { TimeWindow } from '../read/find-times.ts';
import type { BoundMetric } from './bind-metric.ts';
import type { MetricFrame } from './metric-frame.ts';

const ALL = { choice: 'all', label: 'all periods' };
const CURRENT = { choice: 'current-year', label: 'the current year' };

interface Asked {
  readonly question: string;
  readonly frame: MetricFrame;
  readonly bounds: readonly BoundMetric[];
}

/** The periods of a metric question. No time in it: the rule of the semantic model, or what a person wants, as an assumption. */
export function settleWindows(
  { question, frame, bounds }: Asked,
  { semantics, assume }: GroundedKnowledge,
  now: Date,
): { readonly windows: readonly TimeWindow[]; readonly assumptions: readonly Assumption[] } {
  const { windows } = frame;
  if (windows.length > 0 || bounds.some(namesTime))
    return { windows, assumptions: windows.flatMap((window) => takenYear(window, question)) };
  // Customers are counted as they are today: no period narrows them, so none was taken.
  if (bounds.every(({ parts }) => parts.every(({ timeColumn }) => timeColumn === undefined)))
    return { windows, assumptions: [] };
  const rule = assume?.time ?? semantics.timeRules.defaultWindow;
  if (rule === ALL.choice) return { windows, assumptions: assume?.time === undefined ? [] : [everyPeriod()] };
  if (bounds.some(groupsByYear)) return { windows: [], assumptions: [] };
  const start = yearStart(now);
  const year = start.getUTCFullYear();
  const window: TimeWindow = {
    start: 0,
    end: 0,
    from: isoDate(start),
    until: `${year + 1}-01-01`,
    label: String(year),
    grain: 'year',
    year,
    isRelative: true,
  };
  const text = `No period was named: the current year, ${year}, was taken.`;
  const assumption: Assumption = {
    kind: 'time',
    id: 'time',
    taken: CURRENT.choice,
    text,
    alternatives: [ALL],
  };
  return { windows: [window], assumptions: [assumption] };
}

function everyPeriod(): Assumption {
  const text = 'No period was named: all of them were taken.';
  return { kind: 'time', id: 'time', taken: ALL.choice, text, alternatives: [CURRENT] };
}

function namesTime(bound: BoundMetric): boolean {
  return bound.filters.some((filter) => filter.dimension?.isTime === true);
}

function groupsByYear(bound: BoundMetric): boolean {
  return bound.groups.some(
    ({ dimension, term }) => dimension?.name === 'year' || (term.kind === 'time' && term.part === 'year'),
  );
}

/** "in March" names no year; the year before is what else may be meant. */
function takenYear({ isYearTaken, label, from, start, end }: TimeWindow, question: string): Assumption[] {
  if (isYearTaken !== true || from === undefined) return [];
  const year = from.slice(0, 4);
  const before = String(Number(year) - 1);
  const alone = `${question.slice(0, start)}${question.slice(start, end).trim()} ${before}${question.slice(end)}`;
  return [
    {
      ...{ kind: 'time', id: 'year', taken: year },
      text: `No year was named: “${label}” was read as that of ${year}.`,
      alternatives: [{ choice: before, label: `${label} ${before}`, question: alone }],
    },
  ];
}
