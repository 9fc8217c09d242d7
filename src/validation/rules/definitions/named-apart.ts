/** Metrics whose words a question has apart, in another order or inflected: “leads … dispatched”, “cars … handed over”. */
import type { Metric } from '../../../knowledge/index.ts';
import { findApart, stemOf } from '../../../reasoning/index.ts';
import { NEGATING, type Place, type QuestionWords, type Word, wordsOf } from './question-words.ts';

export interface ApartMetric {
  readonly metric: Metric;
  /** The places of its words. */
  readonly at: readonly number[];
}

export function metricsApart({ words }: QuestionWords, metrics: readonly Metric[]): readonly ApartMetric[] {
  const names = metrics.flatMap((metric) => namesOf(metric, metrics).map((name) => ({ metric, name })));
  const known = new Set(names.flatMap(({ name }) => name.map(({ stem }) => stem)));
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
