import type { LinkHypothesis } from '../../link-reasoner.ts';
import { cellText, shortList } from './data-block.ts';

const SUMMARY_CHARACTERS = 600;
const SHOWN = 30;

/** A reading as lines; what it does not say has no line. A model wrote it: it is data like the rest. */
export function hypothesisText(hypothesis: LinkHypothesis): string {
  const { summary, entities, filters, joins, aggregations, time, ambiguous } = hypothesis;
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ['tables', entities],
    ['filters', filters.map(({ field, condition }) => `${field}: ${condition}`)],
    ['joins', joins.map(({ left, right }) => `${left} = ${right}`)],
    ['aggregations', aggregations.map((each) => `${each.function}(${each.field})`)],
    ['time', time === '' ? [] : [time]],
    ['could mean', ambiguous.map(({ phrase, options }) => `${phrase}: ${shortList(options, SHOWN, ' or ')}`)],
  ];
  return [
    cellText(summary, SUMMARY_CHARACTERS),
    ...lines
      .filter(([, entries]) => entries.length > 0)
      .map(
        ([name, entries]) =>
          `${name}: ${shortList(
            entries.map((entry) => cellText(entry)),
            SHOWN,
            '; ',
          )}`,
      ),
  ].join('\n');
}
