import type { AggregateFunction, Comparison } from '../../../../sql/print/index.ts';
import type { Token } from '../read/tokenise.ts';

/** What a word of structure does to the query. */
export type Cue =
  | { readonly kind: 'count' }
  | { readonly kind: 'aggregate'; readonly function: AggregateFunction }
  /** "median"; of "percentile" a number before says which. */
  | { readonly kind: 'quantile'; readonly percent?: number }
  | { readonly kind: 'distinct' }
  | { readonly kind: 'group' }
  | { readonly kind: 'order' }
  | { readonly kind: 'direction'; readonly direction: 'asc' | 'desc' }
  | {
      readonly kind: 'superlative';
      readonly direction: 'asc' | 'desc';
      readonly attributes: readonly string[];
      readonly byCount: boolean;
    }
  | { readonly kind: 'top'; readonly direction: 'asc' | 'desc' }
  | {
      readonly kind: 'compare';
      readonly operator: Comparison;
      readonly attributes: readonly string[];
      readonly isPostfix?: boolean;
    }
  | { readonly kind: 'between' }
  | { readonly kind: 'like'; readonly at: 'start' | 'end' | 'anywhere' }
  | { readonly kind: 'null' }
  | { readonly kind: 'not' }
  | { readonly kind: 'and' | 'or' | 'both' }
  | { readonly kind: 'wh'; readonly word: string }
  | { readonly kind: 'of' | 'by' | 'relative' | 'preposition' | 'have' | 'be' }
  | { readonly kind: 'share' }
  /** "day of the week": a grain of time in several words. */
  | { readonly kind: 'grain' }
  | { readonly kind: 'growth' }
  /** "running total": each step with all before it. */
  | { readonly kind: 'running' }
  /** How the rows are to be shown: not a part of the query. */
  | { readonly kind: 'chart'; readonly chart: 'bar' | 'line' | 'pie' | 'scatter' | 'fitting' }
  | { readonly kind: 'stop' };

/** A phrase of one to five words with its cue; phrases are in lower case. */
interface LexiconEntry {
  readonly phrase: string;
  readonly cue: Cue;
}

function entries(phrases: string, cue: Cue): LexiconEntry[] {
  return phrases.split(',').map((phrase) => ({ phrase: phrase.trim(), cue }));
}

const AGE = ['age', '-birth date', '-birth day', '-birth year', '-born', '-date of birth', '-year'];
const YOUTH = ['-age', 'birth date', 'birth day', 'birth year', 'born', 'date of birth', 'year'];
const LENGTH = ['length', 'duration', 'millisecond', 'second', 'minute', 'time', 'distance'];
const SIZE = ['size', 'area', 'capacity', 'population'];
const PRICE = ['price', 'cost', 'amount', 'fee', 'charge'];
/** Of a race or a competition: the best has the lowest. */
const PLACE = ['rank', 'place', 'position', 'standing'];
const DATE = ['date', 'year', 'time', 'day', 'month'];

function most(
  phrases: string,
  direction: 'asc' | 'desc',
  attributes: readonly string[] = [],
  byCount = false,
): LexiconEntry[] {
  return entries(phrases, { kind: 'superlative', direction, attributes, byCount });
}

/** "as a bar chart", "bar chart". */
function charts(phrases: string, chart: Extract<Cue, { kind: 'chart' }>['chart']): LexiconEntry[] {
  const named = phrases.split(',').map((phrase) => phrase.trim());
  const framed = named.flatMap((name) =>
    ['as', 'as a', 'in a', 'on a', 'a'].map((lead) => `${lead} ${name}`),
  );
  return [...named, ...framed].map((phrase) => ({ phrase, cue: { kind: 'chart', chart } }));
}

function compare(
  phrases: string,
  operator: Comparison,
  attributes: readonly string[] = [],
  isPostfix = false,
): LexiconEntry[] {
  return entries(phrases, { kind: 'compare', operator, attributes, isPostfix });
}

/** The structure words of English questions, as data. Attributes that begin with `-` turn the direction round. */
const LEXICON: readonly LexiconEntry[] = [
  ...entries(
    'how many, how many times, number of, numbers of, the numbers of, total number of, the count of, count of, count the number of, count, amount of times, how often, the number, the count, counts, the counts, frequency, the frequency, frequency of, the frequency of',
    { kind: 'count' },
  ),
  ...entries('average, mean, avg, on average', { kind: 'aggregate', function: 'avg' }),
  ...entries('total, sum of, sum, total amount of, overall, combined, altogether, in total, how much', {
    kind: 'aggregate',
    function: 'sum',
  }),
  ...entries('maximum, max', { kind: 'aggregate', function: 'max' }),
  ...entries('minimum, min', { kind: 'aggregate', function: 'min' }),
  ...entries('median, median of, median value of', { kind: 'quantile', percent: 50 }),
  ...entries('percentile, percentile of', { kind: 'quantile' }),
  ...entries('distinct, different, unique, unduplicated', { kind: 'distinct' }),
  ...entries(
    'for each, of each, in each, by each, from each, at each, on each, to each, per, for every, in every, each, every, grouped by, group by, broken down by, split by, for all the different, respectively for each, across, within each',
    { kind: 'group' },
  ),
  ...entries(
    'ordered by, order by, sorted by, sort by, in order of, rank by, ranked by, listed by, sort, order, ordered, sorted, in the order of, order of, sort the list by, arranged by, sorted in, ordered in, in order by, listed in, list in, ordering',
    { kind: 'order' },
  ),
  ...entries(
    'ascending, ascending order, in ascending order, ascendingly, increasing, increasing order, from lowest to highest, from low to high, from youngest to oldest, alphabetical order, in alphabetical order, alphabetically, alphabetical, lexicographical order, lexicographically, in lexicographical order, in ascending alphabetical order, ascending alphabetical order, alphabetic order, in alphabetic order, in the alphabetical order, in lexicographic order, lexicographic order, in ascending lexicographical order, in lexical order, from shortest to longest, smallest to largest, lowest to highest, from smallest to largest, from early to late, from young to old, young to old, from small to large, from small to big, low to high, from short to long, from cheap to expensive, from cheapest to most expensive, from least to most, least to most, from least to greatest, earliest to latest, earliest first, from the youngest to the oldest, from the lowest to the highest, from old to new, oldest first, lowest first, smallest first, cheapest first, shortest first, fewest first, worst first',
    { kind: 'direction', direction: 'asc' },
  ),
  ...entries(
    'descending, descending order, in descending order, decreasing, decreasing order, from highest to lowest, from high to low, from oldest to youngest, from old to young, old to young, from large to small, from big to small, high to low, from long to short, from expensive to cheap, from greatest to least, from late to early, from new to old, from newest to oldest, from most recent to oldest, in descending lexicographical order, descending lexicographical order, in reverse lexicographical order, in descending alphabetic order, reverse alphabetical order, in reverse alphabetical order, in descending alphabetical order, reversed alphabetical order, from longest to shortest, largest to smallest, highest to lowest, from largest to smallest, most recent first, newest first, latest first, highest first, from the oldest to the youngest, from the highest to the lowest, biggest first, largest first, most to least, from most to least, best first, longest first, most expensive first, most first',
    { kind: 'direction', direction: 'desc' },
  ),
  ...most(
    'most, maximum number of, max number of, greatest number of, largest number of, highest number of, most number of, the highest total number of, largest amount of, greatest amount of, biggest number of, maximal number of',
    'desc',
    [],
    true,
  ),
  ...most(
    'least, fewest, minimum number of, smallest number of, lowest number of, least number of, fewest number of, least amount of',
    'asc',
    [],
    true,
  ),
  ...most(
    'most common, most popular, most frequent, most frequently, most commonly, most often, most used, most prevalent, most commonly used, most prominent, most predominantly, most frequently used',
    'desc',
    ['*'],
    true,
  ),
  ...most(
    'least common, least popular, least frequent, least frequently, rarest, least commonly, least used',
    'asc',
    ['*'],
    true,
  ),
  ...most('highest, largest, biggest, greatest, maximum value of, top, peak', 'desc', SIZE),
  ...most('lowest, smallest, minimal, bottom', 'asc', SIZE),
  ...most('oldest, eldest', 'desc', AGE),
  ...most('youngest', 'desc', YOUTH),
  ...most('longest', 'desc', LENGTH),
  ...most('shortest', 'asc', [...LENGTH, 'height']),
  ...most('tallest', 'desc', ['height']),
  ...most('heaviest', 'desc', ['weight']),
  ...most('lightest', 'asc', ['weight']),
  ...most('newest, latest, most recent, most recently, last', 'desc', DATE),
  ...most('earliest, first', 'asc', DATE),
  ...most(
    'came first, comes first, come first, coming first, finished first, ended first, placed first',
    'asc',
    PLACE,
  ),
  ...most('cheapest, least expensive', 'asc', PRICE),
  ...most('most expensive, priciest, costliest', 'desc', PRICE),
  ...most('fastest', 'desc', ['speed', '-time', '-duration', 'acceleration', 'horsepower']),
  ...most('slowest', 'asc', ['speed', '-time']),
  ...most('best', 'desc', ['rating', 'score', 'point', '-rank', 'grade', 'star']),
  ...most('worst', 'asc', ['rating', 'score', 'point', '-rank', 'grade', 'star']),
  ...most('richest, wealthiest', 'desc', ['money', 'income', 'earning', 'gnp', 'worth', 'salary']),
  ...most('busiest', 'desc', ['*'], true),
  ...most('deepest', 'desc', ['depth']),
  ...most(
    'highest rated, top rated, best rated, highest scoring, highest-rated, top-rated, best-rated, highest-scoring',
    'desc',
    ['rating', 'score', 'star', 'point', 'rate'],
  ),
  ...most('lowest rated, worst rated, lowest-rated, worst-rated', 'asc', [
    'rating',
    'score',
    'star',
    'point',
    'rate',
  ]),
  ...most('highest paid, best paid, highest-paid, best-paid', 'desc', ['salary', 'earning', 'income']),
  ...compare(
    'more than, greater than, larger than, higher than, above, over, exceeding, bigger than, exceeds, exceed, greater, larger, higher, bigger, in excess of, surpassing, more, >',
    '>',
  ),
  ...compare('above-average', '>'),
  ...compare('below-average', '<'),
  ...compare(
    'at least, no less than, not less than, greater than or equal to, more than or equal to, >=, a minimum of, no fewer than, minimum of',
    '>=',
  ),
  ...compare(
    'or more, or above, or higher, or greater, or over, or later, or after, and above, and over, and more, or better',
    '>=',
    [],
    true,
  ),
  ...compare(
    'less than, fewer than, smaller than, lower than, below, under, less, fewer, smaller, lower, <',
    '<',
  ),
  ...compare(
    'at most, no more than, not more than, less than or equal to, <=, up to, not exceeding, a maximum of, maximum of',
    '<=',
  ),
  ...compare(
    'or less, or fewer, or below, or lower, or under, or earlier, or before, and below',
    '<=',
    [],
    true,
  ),
  ...compare('older than, older, over the age of, above the age of, above age, over age', '>', AGE),
  ...compare('younger than, younger, under the age of, below the age of, below age, under age', '>', YOUTH),
  ...compare(
    'last longer than, lasts longer than, last more than, lasts more than, last over, lasts over',
    '>',
    LENGTH,
  ),
  ...compare('last at least, lasts at least', '>=', LENGTH),
  ...compare('last at most, lasts at most, last up to, lasts up to', '<=', LENGTH),
  ...compare('last less than, lasts less than, last under, lasts under, last fewer than', '<', LENGTH),
  ...compare('longer than, longer', '>', LENGTH),
  ...compare('shorter than, shorter', '<', [...LENGTH, 'height']),
  ...compare('taller than, taller', '>', ['height']),
  ...compare('heavier than, heavier', '>', ['weight']),
  ...compare('lighter than, lighter', '<', ['weight']),
  ...compare('cheaper than, cheaper', '<', PRICE),
  ...compare('more expensive than', '>', PRICE),
  ...compare('after, later than, since', '>', DATE),
  ...compare('before, earlier than, prior to', '<', DATE),
  ...compare('equal to, equals, exactly, equal, is equal to, =', '='),
  ...compare(
    'not equal to, other than, except, except for, excluding, different from, besides, apart from, aside from, outside of, outside, rather than, exclude, leave out, leaving out, leaving aside, omit, omitting, ignoring, disregarding, minus, barring, save for, not counting, not including, with the exception of, exception of, anything but, anywhere but, anyone but, anybody but, everyone but, everybody but, everything but, all but',
    '<>',
  ),
  ...compare(
    'left out, excluded, omitted, left aside, aside, not included, not counted, ignored, taken out, are left out, is left out, are excluded, is excluded, are not included, are not counted, being excluded',
    '<>',
    [],
    true,
  ),
  ...entries('between, in the range of, ranging from', { kind: 'between' }),
  ...entries(
    'contain, contains, containing, contained, includes the letter, include the letter, including the letter, contained the word, containing the word, contain word, contains word, containing letter, contains letter, contain letter, has letter, includes the word, include the word, including the word, with the word, have the word, has the word, contains the word, contain the word, containing the word, includes, including, have the substring, has the substring, had the substring, has substring, have substring, the substring, substring, has the phrase, have the phrase, had the phrase, with the phrase, the phrase, phrase, contains the substring, containing the substring, contain the substring, includes the substring, have the letter, has the letter, with the letter, contain the letter, containing the letter, contains the letter, containing the phrase, contains the phrase, contain the text, contains the string, contain the string, containing the string, has the string, have the string, with the substring',
    { kind: 'like', at: 'anywhere' },
  ),
  ...entries(
    'starting with, starts with, start with, starts with the word, start with the word, starting with the word, begins with the word, begin with the word, beginning with the word, starts with letter, start with letter, starting with letter, begins with letter, begins with, begin with, beginning with, starting with the letter, starts with the letter, start with the letter, begins with the letter, prefix, that start with',
    { kind: 'like', at: 'start' },
  ),
  ...entries('ending with, ends with, end with, ending in, ends in, suffix, ends with the letter', {
    kind: 'like',
    at: 'end',
  }),
  ...entries('null, missing, empty, not known, unfilled', { kind: 'null' }),
  ...entries(
    "not, without, no, never, don't, do not, does not, did not, doesn't, didn't, isn't, aren't, wasn't, weren't, is not, are not, was not, were not, has not, have not, had not, hasn't, haven't, cannot, neither, none, without any, with no, not have any, do not have any, does not have any, did not have any, do not have, does not have, did not have, don't have any, don't have, have no, has no, not any, non, lack, lacking, nor, dont, nothing, yet to, haven't had, have not had",
    { kind: 'not' },
  ),
  ...entries(
    'and, as well as, along with, together with, and also, also, but also, but, plus, &, and the, as well',
    { kind: 'and' },
  ),
  ...entries('or, or the', { kind: 'or' }),
  ...entries('both', { kind: 'both' }),
  ...['what', 'which', 'who', 'whom', 'where', 'when', 'how old', 'how tall', 'how heavy'].map(
    (word): LexiconEntry => ({ phrase: word, cue: { kind: 'wh', word } }),
  ),
  ...entries('of, of all, of the, among, amongst, out of, out of all, out of the', { kind: 'of' }),
  ...entries('by, in terms of', { kind: 'by' }),
  ...entries(
    'that, whose, having, such that, so that, if, while, where the, for which, in which, with which, of which, on which, for whom, to which',
    { kind: 'relative' },
  ),
  ...entries(
    'with, for, from, in, on, at, to, into, about, through, as, within, during, via, under which, whom, than, using, toward, towards, belonging, located, based, against, onto, regarding, concerning',
    { kind: 'preposition' },
  ),
  ...entries('have, has, had, has had, have had, having had', { kind: 'have' }),
  ...entries('is, are, was, were, be, been, being, am', { kind: 'be' }),
  ...entries(
    'day of week, day of the week, days of the week, month of year, month of the year, calendar month, quarter of the year',
    { kind: 'grain' },
  ),
  ...entries(
    'percentage of, percent of, share of, proportion of, ratio of, fraction of, percentage, percent, share, proportion, what share, what percentage, what proportion, what fraction, %, % of, what %, what % of, what percent, what percent of, what part of, what part of the, which part of, which part of the, which share of',
    { kind: 'share' },
  ),
  ...entries(
    'increased, decreased, declined, shrank, shrunk, improved, improve, improvement, rose, risen, rise, fell, fall, drop, dropped, gained, changed, change against, growth, growth rate, growth in, grow, grew, year over year, yoy, year on year, month over month, mom, month on month, month-over-month, month-on-month, year-over-year, year-on-year, week over week, week on week, week-over-week, week-on-week, quarter over quarter, quarter on quarter, quarter-over-quarter, quarter-on-quarter, difference in, difference of, the difference, increase in, change in, increase, decrease, decline, change, compared to, compared with, compare with, compare to, compare it with, compare it to, compare that with, compare that to, compare this with, compare this to, in comparison with, in comparison to, versus, vs, trend, difference between',
    { kind: 'growth' },
  ),
  ...entries(
    'running total of, running total, running totals of, running sum of, running sum, running count of, running, cumulative, cumulatively, cumulative total of, cumulative total, cumulative sum of, cumulative sum, cumulative number of, cumulative count of, accumulated',
    { kind: 'running' },
  ),
  ...charts(
    'chart, graph, plot, diagram, visualise, visualize, visualisation, visualization, curve',
    'fitting',
  ),
  ...charts('bar chart, bar graph, bar plot, column chart, bars, histogram, bar diagram', 'bar'),
  ...charts('line chart, line graph, line plot, trend line, time series chart', 'line'),
  ...charts('pie chart, pie, pie graph, donut chart, doughnut chart', 'pie'),
  ...charts('scatter plot, scatter chart, scatterplot', 'scatter'),
  // What a turn of a conversation goes on with.
  ...entries(
    'instead, too, rather, again, switch to, limit to, limit it to, limit that to, limit this to, narrow down to, narrow it down to, narrow it to, narrow that to, filter by, filter on, filter for, filter to, filter it by, filter them by, restrict to, restrict it to, drill down, drill into, drill down into, draw, include, compare, break it down, break that down, break this down, split it, split that, split them, pls, plz, kindly, later, eventually, finally, ultimately, subsequently, already, still, part, rank, ranks, ranking, rankings, side by side',
    { kind: 'stop' },
  ),
  ...entries(
    "differ, differs, vary, varies, varied, in meters, in metres, in feet, in kilometers, in kilometres, in miles, in square kilometers, in square miles, in square feet, square kilometers, square kilometres, square miles, square meters, square feet, per square kilometer, per square mile, in people per square kilometer, people per square kilometer, in people per square mile, people per square mile, yet, figure, add, added, got, get, gets, brought, down, away, back, off, how high, how low, how big, how large, break down, breakdown of, breakdown, split, splits, distribution of, handle, handles, handled, catalogue, catalog, please add, closed down, altogether we, only the, dollars, dollar, euros, euro, usd, eur, took place, take place, takes place, taking place, percentage points, percent points, points, so far, the, a, an, show, list, find, give, return, display, tell, me, us, get, please, provide, report, present, can, could, you, i, we, our, my, want, know, like, would, need, do, does, did, done, there, all, any, some, their, its, it, his, her, them, they, he, she, this, these, those, one, ones, name the, let, see, look, fetch, retrieve, output, print, state, out, up, been, will, shall, has been, have been, currently, ever, such, same, also known, other, then, only, just, so, each other, must, may, might, should, what's, whats, who's, where's, how, does it, kind, kinds of, type of thing, information, details, record, records, table, entry, entries, row, rows, data, database, available, existing, exist, exists, listed, shown, given, including all, item list, identify, determine, indicate, enumerate, mention, write, write down, write out, select, compute, calculate, describe, corresponding, respective, associated, related, relevant, respectively, value, values, when considering, i'd, i'll, hi, hello, hey, thanks, thank, 'd, ok, actually, maybe, question, answer, wish, wonder, wondering, interested, possible, possibly, many, much, result, results, either, various, overall list, complete, full list, full list of, list of, a list of, set of, own, really, make, makes, happen, happened, take, takes, took, taken, use, uses, used, go, goes, went, come, comes, came, put, keep, kept, particular, certain, specific, individual, single, at all, once, time do, again, be able, able, let's, part of, one of, been in, held, whole, entire, altogether of, i want, what about, how about, here, today's date, together",
    { kind: 'stop' },
  ),
  // What is stored is the present; and weeks begin on Monday in every query that we write.
  ...entries(
    'right now, now, at the moment, at present, at this moment, as of now, as of today, as things stand, these days, nowadays, presently, weeks start on monday, weeks starting on monday, weeks starting monday, week starts on monday, weeks begin on monday, weeks beginning on monday, week begins on monday, with weeks starting on monday',
    { kind: 'stop' },
  ),
];

interface CueMatch {
  readonly length: number;
  readonly cue: Cue;
}

const MAX_WORDS = 6;

const cues: ReadonlyMap<string, Cue> = new Map(LEXICON.map((entry) => [entry.phrase, entry.cue]));

/** What a phrase does to the query, in whatever case it is written. */
export function cueOf(phrase: string): Cue | undefined {
  return cues.get(phrase.toLowerCase());
}

/** The structure phrases that begin at a token, longest first. */
export function cuesAt(tokens: readonly Token[], index: number): CueMatch[] {
  const found: CueMatch[] = [];
  let phrase = '';
  for (let length = 1; length <= MAX_WORDS; length++) {
    const token = tokens[index + length - 1];
    if (token === undefined || token.kind === 'quoted' || token.kind === 'stop' || token.kind === 'comma')
      break;
    // The country, not the pronoun.
    if (token.text === 'US') break;
    phrase += (length > 1 ? ' ' : '') + token.lower;
    const cue = cues.get(phrase);
    // "above 300 and below 190" compares twice; "300 and below" stands behind its number.
    const isTaken = cue?.kind === 'compare' && cue.isPostfix && tokens[index + length]?.kind === 'number';
    if (cue !== undefined && !isTaken && !(phrase === 'ordered' && isDone(tokens, index)))
      found.unshift({ length, cue });
  }
  return found;
}

/** "customers ordered a latte": what they did, and no order of the rows. */
function isDone(tokens: readonly Token[], index: number): boolean {
  const [before, next] = [tokens[index - 1], tokens[index + 1]];
  if (before?.kind !== 'word' || next === undefined || /^(?:is|are|be|and|then|them)$/.test(before.lower))
    return false;
  if (/^(?:an?|the|any|some|no|nothing|more|fewer|less|at|only)$/.test(next.lower)) return true;
  return (next.kind === 'word' || next.kind === 'quoted') && !cues.has(next.lower) && !/ly$/.test(next.lower);
}
