/** The metrics that a question names. */

import type { Metric, SemanticModel } from '../../../knowledge/semantic/index.ts';
import { stemOf } from '../../../language/index.ts';
import { findApart } from '../../../reasoning/grounded/index.ts';
import { NEGATING, type Place, type QuestionWords, type Word, wordsOf } from './question-words.ts';

export interface NamedMetric {
  /** For a ratio one of the two that it divides. */
  readonly metric: Metric;
  readonly places: readonly Place[];
  /** An output of the query is called so, and the question says nothing of it. */
  readonly isAliased?: boolean;
}

interface Named {
  readonly metric: Metric;
  readonly at: readonly number[];
}

/**
 * The metrics that a question may mean; more than one list where two metrics are named by the same number of words. The longest names
 * first: a metric whose name is part of another's that is named is not meant by it.
 */
export function namedMetrics(
  words: QuestionWords,
  { metrics }: SemanticModel,
): readonly (readonly NamedMetric[])[] {
  const whole = metrics.flatMap((metric) =>
    [metric.name, ...metric.synonyms].flatMap((name) =>
      words.placesOf(name).map((place): Named => ({ metric, at: placesIn(place) })),
    ),
  );
  const apart = metricsApart(words, metrics).filter((one) => isMeant(one, whole));
  const meant = longest([...whole, ...apart]);
  // “what share of orders was cancelled”: the orders are meant, too.
  const parted = words.hasShare ? [[...longest(whole), ...longest(apart)]] : [];
  return [...choices(meant), ...parted].map((reading) => byMetric(reading, metrics));
}

function longest(named: readonly Named[]): readonly Named[] {
  return named.filter((one) => !named.some((other) => isLonger(other, one)));
}

/** One list for each of the metrics that the very same words name; “booked … delivered late” names all of them. */
function choices(meant: readonly Named[]): readonly (readonly Named[])[] {
  const open = meant.filter((one) =>
    meant.some((other) => other.metric !== one.metric && isSamePlace(one, other)),
  );
  if (open.length === 0) return [meant];
  const sure = meant.filter((one) => !open.includes(one));
  const metrics = [...new Set(open.map(({ metric }) => metric))];
  return metrics.map((metric) => [...sure, ...open.filter((one) => one.metric === metric)]);
}

function isSamePlace({ at }: Named, other: Named): boolean {
  return other.at.length === at.length && other.at.every((place) => at.includes(place));
}

function placesIn({ start, end }: Place): readonly number[] {
  return Array.from({ length: end - start }, (_, offset) => start + offset);
}

/** It covers every plain name that it touches; where it touches none, no other metric of its table is named. */
function isMeant({ metric, at }: Named, whole: readonly Named[]): boolean {
  const touched = whole.filter((one) => one.at.some((place) => at.includes(place)));
  if (touched.length > 0) return touched.every((one) => one.at.every((place) => at.includes(place)));
  return !whole.some((one) => one.metric.table === metric.table);
}

function isLonger(other: Named, one: Named): boolean {
  return other.at.length > one.at.length && other.at.some((place) => one.at.includes(place));
}

function byMetric(reading: readonly Named[], metrics: readonly Metric[]): readonly NamedMetric[] {
  const found = new Map<Metric, Place[]>();
  for (const { metric, at } of reading)
    for (const part of partsOf(metric, metrics)) found.set(part, [...(found.get(part) ?? []), ...runsOf(at)]);
  return [...found].map(([metric, places]) => ({ metric, places }));
}

/** Neighbours are one place. */
function runsOf(at: readonly number[]): readonly Place[] {
  const sorted = [...new Set(at)].sort((one, other) => one - other);
  const starts = sorted.filter((place) => !sorted.includes(place - 1));
  return starts.map((start) => {
    let end = start + 1;
    while (sorted.includes(end)) end += 1;
    return { start, end };
  });
}

/** A ratio is dated and conditioned as the two metrics that it divides. */
export function partsOf(metric: Metric, metrics: readonly Metric[]): readonly Metric[] {
  const { ratio } = metric;
  if (ratio === undefined) return [metric];
  return metrics.filter(({ name }) => name === ratio.numerator || name === ratio.denominator);
}

/** Metrics whose words a question has apart, in another order or inflected: “leads … dispatched”, “cars … handed over”. */
interface ApartMetric {
  readonly metric: Metric;
  /** The places of its words. */
  readonly at: readonly number[];
}

function metricsApart({ words }: QuestionWords, metrics: readonly Metric[]): readonly ApartMetric[] {
  const { names, known } = namesOfAll(metrics);
  const { stems, made } = stemsOf(words, known);
  return clausesOf(words).flatMap(({ start, end }) => {
    const here = stems.slice(start, end);
    return names.flatMap(({ metric, name }): readonly ApartMetric[] => {
      const found = findApart(
        here,
        name.map(({ stem }) => stem),
        FARTHEST,
      );
      const places = found?.map((place) => place + start);
      if (places === undefined || (places.length === 1 && !made.has(places[0] ?? -1))) return [];
      if (!name.some(({ stem }) => NEGATING.has(stem)) && isDenied(words, places)) return [];
      // “orders of customers” are no “customers who ordered”.
      if (places.some((place, at) => name[at]?.isVerb === true && /s$/i.test(words[place]?.raw ?? '')))
        return [];
      return [{ metric, at: places.flatMap((place) => [place, ...(made.get(place) ?? [])]) }];
    });
  });
}

interface MetricNames {
  readonly names: readonly { readonly metric: Metric; readonly name: readonly NameWord[] }[];
  /** The stems of all of them. */
  readonly known: ReadonlySet<string>;
}

/** Every candidate of a question is held against the same metrics. */
const knownNames = new WeakMap<readonly Metric[], MetricNames>();

function namesOfAll(metrics: readonly Metric[]): MetricNames {
  const before = knownNames.get(metrics);
  if (before !== undefined) return before;
  const names = metrics.flatMap((metric) => namesOf(metric, metrics).map((name) => ({ metric, name })));
  const known = new Set(names.flatMap(({ name }) => name.map(({ stem }) => stem)));
  const made = { names, known };
  knownNames.set(metrics, made);
  return made;
}

interface NameWord {
  readonly stem: string;
  /** “dispatched”, which no noun stands for. */
  readonly isVerb: boolean;
}

/** What a metric is called, and the first part of what is written about it: “Leads handed to a dealer, counted by …”. */
function namesOf(metric: Metric, metrics: readonly Metric[]): readonly (readonly NameWord[])[] {
  const { name, synonyms, description = '', ratio } = metric;
  const [about = ''] = ratio === undefined ? description.split(/[,;.]/) : [];
  const told = tellingWords(about);
  const own = [...[name, ...synonyms].map(tellingWords), ...(told.length > 1 ? [told] : [])];
  const others = metrics.filter((one) => one !== metric && one.table === metric.table);
  return [...own, ...own.flatMap((words) => others.flatMap((one) => withOtherWords(words, one)))].filter(
    ({ length }) => length > 0,
  );
}

/** “distributed enquiries” where leads are called enquiries, too. */
function withOtherWords(
  words: readonly NameWord[],
  { name, synonyms }: Metric,
): readonly (readonly NameWord[])[] {
  const base = tellingWords(name).map(({ stem }) => stem);
  const rest = words.filter(({ stem }) => !base.includes(stem));
  if (base.length === 0 || rest.length === 0 || words.length !== rest.length + base.length) return [];
  return synonyms.map((synonym) => [...rest, ...tellingWords(synonym)]);
}

function tellingWords(name: string): readonly NameWord[] {
  const words = wordsOf(name).flatMap(({ raw }) => {
    const lower = raw.toLowerCase();
    return SMALL.has(lower) ? [] : [{ stem: stemOf(lower), isVerb: /ed$/.test(lower) }];
  });
  return words.filter(({ stem }, at) => words.findIndex((one) => one.stem === stem) === at);
}

const SMALL: ReadonlySet<string> = new Set(
  'a an the of on at in by to from for with that who which is are was were be been has have had today now they we our all them here'.split(
    ' ',
  ),
);

interface Stems {
  /** Empty where a word takes no part in a name. */
  readonly stems: readonly string[];
  /** Words that are one with the word at a place: the “over” of “handed over”. */
  readonly made: ReadonlyMap<number, readonly number[]>;
}

function stemsOf(words: readonly Word[], known: ReadonlySet<string>): Stems {
  const stems = words.map(({ raw }, at) => (isGrouped(words, at) ? '' : stemOf(raw.toLowerCase())));
  const made = new Map<number, readonly number[]>();
  for (const [at, stem] of stems.entries())
    for (let behind = at + 1; behind <= at + FARTHEST_PARTICLE && behind < words.length; behind += 1) {
      const particle = words[behind]?.plain ?? '';
      const whole = stem === '' || !PARTICLES.has(particle) ? '' : stemOf(`${stem}${particle}`);
      if (!known.has(whole)) continue;
      stems[at] = whole;
      made.set(at, [behind]);
      break;
    }
  return { stems, made };
}

/** How far apart the words of a name may stand within a clause. */
const FARTHEST = 10;
/** “hand the cars over” */
const FARTHEST_PARTICLE = 4;
const PARTICLES: ReadonlySet<string> = new Set('over off out up in back down away on'.split(' '));

/** “per campaign”, “which campaign”: what is asked for is no part of a name; “brought by campaigns” is one. */
function isGrouped(words: readonly Word[], at: number): boolean {
  const [two, one] = [words[at - 2], words[at - 1]];
  if (one === undefined || !GROUPING.has(one.plain)) return false;
  return !(one.plain === 'by' && /(?:ed|ought|en)$/i.test(two?.raw ?? ''));
}

const GROUPING: ReadonlySet<string> = new Set('by per each every which what across whose'.split(' '));

function clausesOf(words: readonly Word[]): readonly Place[] {
  const starts = words.flatMap(({ clause }, at) => (clause === words[at - 1]?.clause ? [] : [at]));
  return starts.map((start, at) => ({ start, end: starts[at + 1] ?? words.length }));
}

/** “leads that were not converted” */
function isDenied(words: readonly Word[], places: readonly number[]): boolean {
  const between = words.slice(Math.max(0, Math.min(...places) - 1), Math.max(...places) + 1);
  return between.some(({ plain }) => NEGATING.has(plain));
}
