import { knownWords } from '../../catalog/share/index.ts';
import type { ValueIndex } from '../../knowledge/values/index.ts';
import { breakWords } from '../../language/index.ts';

/** A place of a text that holds what is stored in a column. */
interface Leak {
  /** Offsets in the text that was looked at. */
  readonly start: number;
  readonly end: number;
  readonly columnId: string;
}

/** Looks for stored values in texts. */
export interface ValueProbe {
  /** Words in `known` are the asker's, or the model's own: nothing that is made of them alone is a leak. */
  leaksIn(text: string, known: ReadonlySet<string>): readonly Leak[];
}

const TOKEN = /[\p{L}\p{M}\p{N}_]+/gu;
const QUOTED = /'([^'\n]{2,200})'|"([^"\n]{2,200})"|“([^”\n]{2,200})”|‘([^’\n]{2,200})’|`([^`\n]{2,200})`/gu;
const DAY = /\p{N}{4}-\p{N}{2}-\p{N}{2}(?:[ T]\p{N}{2}:\p{N}{2}(?::\p{N}{2})?)?/gu;
const NUMBER = /^\p{N}+$/u;
const MOST_WORDS = 8;
/** Shorter words and numbers are in every text. */
const LEAST_CHARACTERS = 3;
const LEAST_DIGITS = 4;

/**
 * Defence in depth over the value index, which holds names, codes, and numbers and dates of columns with few different
 * ones: it cannot know every cell. `schemaTexts`: names, types and descriptions, which are no leak wherever they stand.
 * Looked at: what stands in quotes, days, runs of up to eight words of a line; single words as they are stored.
 */
export function valueProbe(values: ValueIndex, schemaTexts: readonly string[]): ValueProbe {
  const open = new Set([
    ...knownWords(schemaTexts),
    ...knownWords(schemaTexts.flatMap(nameParts)),
    ...PROMPT_WORDS,
  ]);
  const longest = Math.min(MOST_WORDS, values.maxWords);
  const columnOf = (text: string, isAlone: boolean): string | undefined =>
    values.lookup(text).find(({ match }) => match === 'exact' || (match === 'folded' && !isAlone))
      ?.columnId ?? (/\p{N}/u.test(text) ? values.lookupLiteral(text)[0]?.columnId : undefined);
  return {
    leaksIn: (text, known) => {
      const isOpen = (part: string): boolean =>
        (part.toLowerCase().match(TOKEN) ?? []).every((word) => open.has(word) || known.has(word));
      const leaks: Leak[] = [];
      const look = (start: number, end: number, isAlone: boolean): void => {
        const part = text.slice(start, end);
        if (isOpen(part) || leaks.some((leak) => start < leak.end && leak.start < end)) return;
        const columnId = columnOf(part, isAlone);
        if (columnId !== undefined) leaks.push({ start, end, columnId });
      };
      for (const match of text.matchAll(QUOTED))
        look(match.index + 1, match.index + match[0].length - 1, false);
      for (const match of text.matchAll(DAY)) look(match.index, match.index + match[0].length, false);
      for (const run of runsOf(text, longest)) look(run.start, run.end, run.isAlone);
      return leaks;
    },
  };
}

interface Run {
  readonly start: number;
  readonly end: number;
  /** One word, in quotes or not. */
  readonly isAlone: boolean;
}

/** Runs of words that stand on one line, longest first at each place. */
function runsOf(text: string, longest: number): readonly Run[] {
  const words = [...text.matchAll(TOKEN)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
  const runs: Run[] = [];
  for (const [at, { start }] of words.entries())
    for (let count = Math.min(longest, words.length - at); count >= 1; count -= 1) {
      const end = words[at + count - 1]?.end ?? start;
      const part = text.slice(start, end);
      if (part.includes('\n') || part.length > 200) continue;
      if (count > 1 ? hasLetters(part) : isTelling(part)) runs.push({ start, end, isAlone: count === 1 });
    }
  return runs;
}

/** `10,2` of a type is no value; days are looked for by themselves. */
function hasLetters(run: string): boolean {
  return /\p{L}/u.test(run);
}

/** Words of three letters and numbers of four digits that count could be cells. */
function isTelling(word: string): boolean {
  return NUMBER.test(word) ? word.replace(/0+$/, '').length >= LEAST_DIGITS : word.length >= LEAST_CHARACTERS;
}

/** `orderDate` → `order Date`: names are told by their words, too. */
function nameParts(text: string): readonly string[] {
  return [breakWords(text).replaceAll('_', ' ')];
}

/** Words that prompts use by themselves inside data blocks: they say nothing of what is stored. */
const PROMPT_WORDS: readonly string[] =
  `table tables column columns key keys primary foreign schema create examples example form values value not shown most
  look like available type class description null share distinct rows row smallest largest mean quartiles histogram equal
  bins frequent text length form overlap withheld about used for joined with together notes found certified deprecated
  popularity one of stands its name has words question the is in use joins stored near meaning verified query category
  temporal measure boolean identifier_like_text geo semi_structured other refers to partition part this filters
  aggregations time could mean entities required uncertain candidate kept discarded from error there no such columns level
  support readings credibility description integer real numeric char varchar date datetime timestamp number bigint double
  decimal float blob json current question sql select where group order by limit and or on join as count sum avg min max
  true false unknown all any out range average characters view kind iso code each some more tables fits answer a an means other words writes hint like days numbers several databases people have marked
  certified joins goes what names defined near first second times used runs reading readings summary stands alike decision
  them looks reads pair defined on only read write logs queries people person joined outside usual whoever asks say used
  deprecated place since seconds milliseconds microseconds guess always`
    .split(/\s+/)
    .filter((word) => word !== '');
