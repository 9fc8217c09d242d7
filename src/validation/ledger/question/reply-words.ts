/** Words that ask for nothing by themselves: how the reply is to look, whom it is about in general, what holds a sentence together. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Whoever the rows are about. */
const ANYBODY = words(
  'people person persons someone somebody anyone anybody everyone everybody individual individuals guy folks member members man men thing things something anything everything item items entity entities object objects',
);

/** Said of the result, wherever they stand. */
const RESULT = words(
  'list listing overview summary report table rows row records record entries entry data information info details detail results result set answer output column columns field fields value values example examples instance instances',
);

/** They say what is named beside them once more: "phone number", "country name". */
const HEADS = words(
  'score scores ratio ratios percentage percentages percent rate rates price prices point points number numbers name names id ids identifier identifiers code codes date dates value values amount amounts type types kind kinds title titles figure figures level size count counts time times day days status description label',
);

/** Adverbs and fillers that narrow nothing. */
const FILLERS = words(
  'him her them his hers theirs widely times approximately roughly about exactly precisely simply quickly really actually basically generally usually typically overall currently presently today now right ever respectively also too well please kindly thanks thank cheers hi hello hey dear ok okay alright um uh oh so then anyway instead otherwise however e.g i.e etc via per se sort way ways case cases order bit lot lots plenty number exact correct actual full complete entire whole total given certain particular specific respective corresponding associated related relevant following above below own such various several few dataset database db schema system file sql query',
);

/** Verbs that only ask. */
const ASKING = words(
  'show list find give return display tell get provide report present want know like would need see look fetch retrieve output print state identify determine indicate enumerate mention write select compute calculate describe name pull bring check count sort order rank group help love wonder curious interested ask asking asked figure explain draw plot visualise visualize export include including consider considering add arrange',
);

export function isAnybody(word: string): boolean {
  return ANYBODY.has(word);
}

export function isHead(word: string): boolean {
  return HEADS.has(word);
}

export function isFiller(word: string): boolean {
  return FILLERS.has(word) || RESULT.has(word);
}

/** "show", where something is asked for: at the beginning of a clause, or behind a word that asks politely. */
export function isAsking(word: string, before: string | undefined, behind?: string): boolean {
  // "state and price of shipments": what is asked for, not how.
  if (NOUNS_TOO.has(word) && behind !== undefined && BEHIND_NOUN.has(behind)) return false;
  return ASKING.has(word) && (before === undefined || BEFORE_ASKING.has(before));
}

const NOUNS_TOO = words('state rank group order check');
const BEHIND_NOUN = words('of and or , ;');

const BEFORE_ASKING = words(
  "please to me us you we i and also then can could would will should , ; : . ? ! kindly just hi hello hey ok now lets let's",
);

/** Of what numbers are measured in, beside the units that convert. */
const MORE_UNITS = words(
  'week weeks month months quarter quarters year years percent pct points units pieces degrees',
);

export function isMoreUnit(word: string): boolean {
  return MORE_UNITS.has(word);
}

/** They say of anything that it is there. */
const GENERAL_VERBS: ReadonlySet<string> = new Set(
  'centre place register book log receive open host organise organize show locate store base do use play record list name fly speak go come run done shown flown spoken occur happen offer make made hold held take taken give given provide issue create'
    .split(' ')
    .flatMap(inflected),
);

/** In every form; "organic" has the stem of "organise", and is none of them. */
function inflected(verb: string): readonly string[] {
  const bare = verb.replace(/e$/, '');
  const short = verb.replace(/y$/, 'i');
  const doubled = `${verb}${verb.slice(-1)}`;
  return [
    verb,
    `${verb}s`,
    `${short}es`,
    ...[bare, short, doubled].map((form) => `${form}ed`),
    ...[bare, verb, doubled].map((form) => `${form}ing`),
  ];
}

export function isGeneralVerb(word: string): boolean {
  return GENERAL_VERBS.has(word);
}

/** More verbs that only say that two things belong together, of those that questions to databases are written with. */
const LINKS = words(
  'suffer file request rate process post pass log confer choose become became associate arrange access open close start end reach steer place train name carry deliver supply ship send transport prescribe diagnose inspect review grade approve load contact call answer view watch nominate repair check discover examine',
);

export function isLink(lemma: string): boolean {
  return LINKS.has(lemma);
}

/** Words of structure that are long enough to be known by most of their letters. */
export const LONG_CUES = words(
  'common alphabetical alphabetically ascending descending average number highest lowest different distinct maximum minimum respectively corresponding altogether people',
);

/** Of whatever group of people a table is about. */
const GROUPS = words('company firm business organization organisation institution enterprise institute');

export function isGeneralGroup(lemma: string): boolean {
  return GROUPS.has(lemma);
}

/** Behind a country or a place, they say only that it is theirs. */
const SOURCES = words('origin birth residence');

export function isSource(word: string): boolean {
  return SOURCES.has(word);
}
