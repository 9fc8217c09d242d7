import type { Metric } from '../../../../knowledge/semantic/index.ts';
import { lemmaOf } from '../../../../language/index.ts';
import type { Comparison } from '../../../../sql/print/index.ts';
import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';
import type { Mention } from '../../question/mention/mention.ts';
import type { MetricFrame } from '../frame/metric-frame.ts';
import type { BoundMetric, BoundMetricFilter } from './bind-metric.ts';

const CURRENCY = /^(?:euros?|eur|€|dollars?|usd|\$|pounds?|gbp|£|francs?|chf|yen)$/i;
/** A column is named this near to what it is compared with. */
const NEAR = 3;

/** A condition on each row of a metric, and the words that say it. */
export interface RowCondition {
  readonly filter: BoundMetricFilter;
  readonly held: readonly Mention[];
}

interface Compared {
  readonly mention: Mention;
  readonly operator: Comparison | 'between';
  readonly numbers: readonly Mention[];
}

/**
 * "orders above 50000 euros", "orders with a discount over 3000": each order is compared, not how many there are. The column is the
 * one named beside the number, or the one that the metrics of the same rows make money of. Undefined where no such column is told.
 */
export function rowCondition(
  frame: MetricFrame,
  bounds: readonly BoundMetric[],
  mentions: readonly Mention[],
  knowledge: GroundedKnowledge,
): RowCondition | undefined {
  const [table, other] = [...new Set(bounds.flatMap(({ parts }) => parts.map((part) => part.table ?? '')))];
  const compared = comparedNumbers(frame, mentions);
  if (table === undefined || other !== undefined || compared === undefined) return undefined;
  const named = namedColumn(compared, table, mentions, knowledge, bounds);
  const unit = mentions[(compared.numbers.at(-1)?.index ?? -2) + 1];
  const isMoney = unit !== undefined && CURRENCY.test(unit.text);
  // "dealers with revenue above 100000 euros": the figure itself is money.
  const isFigure = bounds.some(
    ({ metric }) => isMoneyMetric(metric) && !/^\s*avg/i.test(metric.expression ?? ''),
  );
  const column = named ?? (isMoney && !isFigure ? moneyColumn(table, knowledge) : undefined);
  if (column === undefined) return undefined;
  const { mention, operator, numbers } = compared;
  const values = numbers.flatMap(({ number }) => number ?? []);
  const term = { values: [], named: [], isNegated: false, mention, isPredicate: true };
  const dimension = knowledge.semantics.dimensions.find((item) => item.column === column);
  return {
    filter: { term, columnId: column, values, dimension, operator },
    held: [mention, ...numbers],
  };
}

/** What is compared with which numbers: "above 50000", "between 20000 and 30000". */
function comparedNumbers({ having }: MetricFrame, mentions: readonly Mention[]): Compared | undefined {
  if (having?.number !== undefined && having.metric === undefined) {
    const number = mentions.find(({ index }) => index === having.at);
    return number === undefined
      ? undefined
      : { mention: having.mention, operator: having.operator, numbers: [number] };
  }
  const mention = mentions.find(({ cue }) => cue?.kind === 'between');
  if (mention === undefined) return undefined;
  const numbers = mentions
    .filter(({ index, number, time }) => index > mention.index && number !== undefined && time === undefined)
    .slice(0, 2);
  return numbers.length === 2 && (numbers[1]?.index ?? 0) - mention.index <= 2 * NEAR
    ? { mention, operator: 'between', numbers }
    : undefined;
}

/** A column of numbers that is named beside the comparison. */
function namedColumn(
  { mention, numbers }: Compared,
  table: string,
  mentions: readonly Mention[],
  { graph }: GroundedKnowledge,
  bounds: readonly BoundMetric[],
): string | undefined {
  const last = numbers.at(-1)?.index ?? mention.index;
  const near = mentions.filter(
    ({ index }) => index >= mention.index - NEAR && index <= last + 1 && index !== mention.index,
  );
  const nouns = near
    .sort((a, b) => Math.abs(a.index - mention.index) - Math.abs(b.index - mention.index))
    .flatMap((other) => other.nouns.filter(({ kind, score }) => kind === 'column' && score >= 0.85));
  // "average discount of orders over 50000 euros": the figure is not what its rows are compared by.
  const isMeasured = (id: string): boolean =>
    bounds.some(({ parts }) => parts.some((part) => measured(part) === id));
  return nouns.find(
    ({ tableId, id }) => tableId === table && graph.column(id).family === 'number' && !isMeasured(id),
  )?.id;
}

/** The column that metrics of the same rows add up or average as money; the one of the rows' own value where there are several. */
function moneyColumn(table: string, { semantics }: GroundedKnowledge): string | undefined {
  const ofMoney = semantics.metrics.filter((metric) => metric.table === table && isMoneyMetric(metric));
  const columnsOf = (metrics: readonly Metric[]): readonly string[] => [
    ...new Set(metrics.flatMap((metric) => measured(metric) ?? [])),
  ];
  const all = columnsOf(ofMoney);
  const row = lemmaOf(table.split('.').at(-1)?.toLowerCase() ?? '');
  const own = columnsOf(
    ofMoney.filter(({ name }) => name.toLowerCase().split(/\s+/).map(lemmaOf).includes(row)),
  );
  const [only, second] = all.length === 1 ? all : own;
  return second === undefined ? only : undefined;
}

function isMoneyMetric({ unit }: Metric): boolean {
  return unit !== undefined && /^(?:[A-Z]{3}|[€$£¥])$/.test(unit);
}

/** The column that a metric adds up or averages. */
function measured({ expression }: Metric): string | undefined {
  return /^\s*(?:sum|avg)\s*\(\s*([\w.]+)\s*\)\s*$/i.exec(expression ?? '')?.[1]?.toLowerCase();
}
