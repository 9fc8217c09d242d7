import pluralize from 'pluralize';
import { stemmer } from 'stemmer';
import { BoundedMap } from '../lib/index.ts';

/** What the library takes for plurals in names and questions though it is none, and pronouns, of which it makes others. */
const SETTLED: ReadonlySet<string> = new Set(
  'data metadata media news premises has is was have they them these those'.split(' '),
);

/** Plurals that end as singulars do. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map(
  ['man men', 'menu menus', 'guru gurus', 'api apis', 'ski skis', 'taxi taxis', 'wiki wikis'].map((pair) => {
    const [one = '', many = ''] = pair.split(' ');
    return [many, one];
  }),
);

const singulars = new BoundedMap<string, string>(50_000);

/** `courses` → `course`; what is no plural stays as it is: `address`, `status`, `analysis`. Lower case. */
export function singularOf(noun: string): string {
  const exception = EXCEPTIONS.get(noun);
  if (exception !== undefined) return exception;
  if (noun.length <= 3 || SETTLED.has(noun) || /(?:ss|us|is)$/.test(noun)) return noun;
  // The library tries some hundred patterns, one after the other.
  return singulars.getOrMake(noun, () => pluralize.singular(noun));
}

/** Forms of verbs that no rule makes. */
const VERBS: Readonly<Record<string, string>> = {
  has: 'have',
  had: 'have',
  is: 'be',
  are: 'be',
  was: 'be',
  were: 'be',
  does: 'do',
  did: 'do',
  done: 'do',
  bought: 'buy',
  sold: 'sell',
  won: 'win',
  made: 'make',
  paid: 'pay',
  spent: 'spend',
  written: 'write',
  wrote: 'write',
  taught: 'teach',
  held: 'hold',
  led: 'lead',
  sung: 'sing',
  sang: 'sing',
  took: 'take',
  taken: 'take',
  got: 'get',
  brought: 'bring',
  came: 'come',
  went: 'go',
  gave: 'give',
  given: 'give',
  ran: 'run',
  saw: 'see',
  seen: 'see',
  found: 'find',
  lost: 'lose',
  left: 'leave',
  kept: 'keep',
  sent: 'send',
  built: 'build',
  drove: 'drive',
  driven: 'drive',
  grew: 'grow',
  grown: 'grow',
  began: 'begin',
  chose: 'choose',
  chosen: 'choose',
  met: 'meet',
  knew: 'know',
  known: 'know',
  said: 'say',
  told: 'tell',
};

/** "salespeople": in a question they are a group, which a figure counts, and not the field that holds the name of each. */
const GROUP = /.people$/;

/** Singular of nouns and base form of irregular verbs; other words stay as they are. */
export function lemmaOf(lower: string): string {
  if (GROUP.test(lower)) return lower;
  return Object.hasOwn(VERBS, lower) ? (VERBS[lower] ?? lower) : singularOf(lower);
}

// Names and questions use the same words again and again.
const stems = new BoundedMap<string, string>(50_000);
const lemmaStems = new BoundedMap<string, string>(50_000);

/** What Porter's rules leave of a word: `customers` → `custom`. */
export function porterStem(lower: string): string {
  return stems.getOrMake(lower, stemmer);
}

/** Porter stem of the lemma; looser than the lemma ("registered" ~ "registration"). */
export function stemOf(lower: string): string {
  return lemmaStems.getOrMake(lower, (word) => stemmer(lemmaOf(word)));
}

const IRREGULAR =
  /^(?:sent|paid|sold|bought|held|built|lent|spent|left|met|won|lost|kept|made|put|cut|set|shut|told|caught|taught|begun|done|gone)$/;

/** Whether a word in lower case says what was done, as a participle does: "shipped", "taken", "sent". */
export function isParticiple(lower: string): boolean {
  return /^\w+(?:ed|en|wn|rn)$/.test(lower) || IRREGULAR.test(lower);
}
