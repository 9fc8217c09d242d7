/**
 * How people ask, as data. `{m}` metric, `{f}` filters and `{p}` period with their blank before, `{d}` dimension, `{ds}` in the plural,
 * `{e}` the second dimension, `{n}` a number, `{most}` and `{top}` the direction, `{of}` the part of a share,
 * `{b}` the earlier and `{l}` the own period without "in".
 */
import type { Shape } from '../templates/template.ts';
import type { MetricKind } from './phrase.ts';

export interface Wording {
  readonly text: string;
  /** Only for metrics of these kinds; absent: for all. */
  readonly kinds?: readonly MetricKind[];
  /** The figure ranks and is not asked for. */
  readonly hidesFigure?: true;
  /** Only for shares that are told in percent, or as a fraction. */
  readonly inPercent?: boolean;
  /** Only where one is asked for. */
  readonly single?: boolean;
  /** Only with a group, or only without. */
  readonly grouped?: boolean;
}

const any = (text: string, more: Omit<Wording, 'text'> = {}): Wording => ({ text, ...more });
const counted = (text: string, more: Omit<Wording, 'text' | 'kinds'> = {}): Wording => ({
  text,
  kinds: ['count'],
  ...more,
});
const summed = (text: string): Wording => ({ text, kinds: ['count', 'amount'] });

export const WORDINGS: Readonly<Record<Shape, readonly Wording[]>> = {
  figure: [
    counted('How many {m} were there{f}{p}?'),
    counted('How many {m} did we have{f}{p}?'),
    counted('What was the number of {m}{f}{p}?'),
    summed('Total {m}{f}{p}'),
    any('What was the {m}{f}{p}?', { kinds: ['amount', 'level'] }),
    any('How high was the {m}{f}{p}?', { kinds: ['amount', 'level'] }),
    any('{m}{f}{p}'),
    any('Show me the {m}{f}{p}.'),
    any('Please give me {m}{f}{p}'),
    any('I need the {m}{f}{p}'),
    any('Can you tell me the {m}{f}{p}?'),
  ],
  'by-group': [
    any('{m} by {d}{f}{p}'),
    any('{m} per {d}{f}{p}'),
    any('Show {m} by {d}{f}{p}'),
    any('Show me the {m} for each {d}{f}{p}.'),
    any('What was the {m} per {d}{f}{p}?', { kinds: ['amount', 'level'] }),
    counted('How many {m} did each {d} have{f}{p}?'),
    counted('How many {m} were there per {d}{f}{p}?'),
    any('Break down {m}{f}{p} by {d}'),
    any('{m}{f}{p}, split by {d}'),
    any('Give me {m}{f}{p} broken down by {d}'),
  ],
  ranking: [
    any('Top {n} {ds} by {m}{f}{p}', { single: false }),
    any('Which {n} {ds} had the {most} {m}{f}{p}?', { hidesFigure: true, single: false }),
    any('Show the {n} {ds} with the {most} {m}{f}{p}', { single: false, hidesFigure: true }),
    any('List the {n} {ds} with the {most} {m}{f}{p}', { single: false, hidesFigure: true }),
    any('Which {d} had the {most} {m}{f}{p}?', { hidesFigure: true, single: true }),
    any('Which {d} had the {most} {m}{f}{p}?', { hidesFigure: true, single: true }),
    any('What {d} has the {most} {m}{f}{p}?', { hidesFigure: true, single: true }),
    any('{d} with the {most} {m}{f}{p}', { hidesFigure: true, single: true }),
  ],
  growth: [
    any('By what percentage did {m}{f} grow from {b} to {l}?', { grouped: false }),
    any('By how many percent did the {m}{f} change from {b} to {l}?', { grouped: false }),
    any('Percentage change of {m}{f} from {b} to {l}', { grouped: false }),
    any('How much did {m}{f} grow in percent between {b} and {l}?', { grouped: false }),
    any('What was the growth of {m}{f} in percent from {b} to {l}?', { grouped: false }),
    any('Growth of {m}{f} in percent from {b} to {l} by {d}', { grouped: true }),
    any('By what percentage did {m}{f} grow from {b} to {l} for each {d}?', { grouped: true }),
    any('Percentage change of {m}{f} per {d} from {b} to {l}', { grouped: true }),
    any('Show the percentage growth of {m}{f} by {d} from {b} to {l}', { grouped: true }),
  ],
  difference: [
    counted('How many more {m} were there{f}{p} than in {b}?', { grouped: false }),
    any('What is the difference in {m}{f} between {b} and {l}?', { grouped: false }),
    any('By how much did {m}{f} change from {b} to {l}?', { grouped: false }),
    any('Change in {m}{f} from {b} to {l}', { grouped: false }),
    any('How much higher was the {m}{f}{p} than in {b}?', { kinds: ['amount', 'level'], grouped: false }),
    any('Change in {m}{f} from {b} to {l} by {d}', { grouped: true }),
    any('By how much did {m}{f} change from {b} to {l} for each {d}?', { grouped: true }),
    any('What is the difference in {m}{f} between {b} and {l} per {d}?', { grouped: true }),
  ],
  share: [
    any('What percentage of {m}{f}{p} came from {of}?', { inPercent: true }),
    any('What percentage of {m}{f}{p} was {of}?', { inPercent: true }),
    any('What share of {m}{f}{p} came from {of}?', { inPercent: false }),
    any('Share of {of} in {m}{f}{p}', { inPercent: false }),
    any('What was the share of {of} in the {m}{f}{p}?', { inPercent: false }),
    any('How many percent of {m}{f}{p} are from {of}?', { inPercent: true }),
  ],
  shares: [
    any('Share of each {d} in {m}{f}{p}', { inPercent: false }),
    any('What share of {m}{f}{p} did each {d} have?', { inPercent: false }),
    any('Percentage of {m}{f}{p} by {d}', { inPercent: true }),
    any('What percentage of {m}{f}{p} did each {d} have?', { inPercent: true }),
    any('Share of {m}{f}{p} by {d}', { inPercent: false }),
  ],
  'share-change': [
    any('By how many percentage points did the share of {of} in {m}{f} change from {b} to {l}?'),
    any('By how many points did the share of {of} in {m}{f} rise from {b} to {l}?'),
    any('Change of the share of {of} in {m}{f} from {b} to {l} in percentage points'),
  ],
  'top-per-group': [
    any('Top {n} {es} per {d} by {m}{f}{p}', { single: false }),
    any('Top {n} {es} by {m} for each {d}{f}{p}', { single: false }),
    any('Top {e} per {d} by {m}{f}{p}', { single: true }),
    any('Show the {n} {es} with the most {m} in each {d}{f}{p}', { single: false }),
    any('For each {d}, the {n} {es} with the most {m}{f}{p}', { single: false }),
    any('For each {d}, the {e} with the most {m}{f}{p}', { single: true }),
  ],
  'above-average': [
    any('Which {ds} were above average in {m}{f}{p}?'),
    counted('Which {ds} had an above-average number of {m}{f}{p}?'),
    counted('Which {ds} had more {m} than the average {d}{f}{p}?'),
    any('{ds} with above-average {m}{f}{p}', { kinds: ['count', 'amount'] }),
    counted('Which {ds} had more {m} than average{f}{p}?'),
  ],
  'rank-change': [
    any('How did the ranking of {ds} by {m}{f} change from {b} to {l}?'),
    any('Rank of each {d} by {m}{f} in {b} and in {l}'),
    any('Compare the rank of the {ds} by {m}{f} in {b} and {l}'),
  ],
  'largest-rise': [
    any('In which month{p} did {m}{f} rise the most over the month before?'),
    any('Which month{p} had the largest increase in {m}{f} over the previous month?'),
    any('Month with the biggest rise in {m}{f} compared with the month before{p}'),
  ],
  'average-of-groups': [
    any('Average {m} per {d}{f}{p}'),
    any('What was the average number of {m} per {d}{f}{p}?', { kinds: ['count'] }),
    any('What were the average {dly} {m}{f}{p}?'),
    any('On average, how many {m} were there per {d}{f}{p}?', { kinds: ['count'] }),
  ],
  'count-above': [
    counted('How many {ds} had more than {n} {m}{f}{p}?'),
    any('Number of {ds} with {m} above {n}{f}{p}'),
    counted('How many {ds} have over {n} {m}{f}{p}?'),
    counted('Count the {ds} with more than {n} {m}{f}{p}'),
  ],
};
