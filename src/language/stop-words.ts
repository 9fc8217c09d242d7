/**
 * The English words that name nothing, by classes: which of them count depends on what is looked for, and is said here once. `languages.ts`
 * has such words of other languages.
 */

/** Articles, pronouns, auxiliaries, question words and the verbs of asking: no name of a thing begins or ends with one. */
const STRUCTURE =
  words(`a an and are as at be been by did do does for from had has have how i in is it its list many me much of on or
  please show tell than that the their them there these they this those to was were what when where which who whose will with would`);
/** Of quantity and of relation, and the rest of the pronouns: they stand in names of things, and say nothing of what they are. */
const RELATION =
  words(`about all also any between both but can could each every get give if into more most my not our out over per then we
  while whom you your`);
/** What questions are made of besides: other verbs of asking and wishing, and what narrows nothing. */
const ASKING =
  words(`am among being find having let like need no only provide return so some such under us use used using very want whether
  within without`);

const CLASSES = {
  /** Ends a run of words that may be a stored value. */
  value: [...STRUCTURE, 'why'],
  /** Finds nothing in an index of texts. */
  search: [...STRUCTURE, ...RELATION, 'through', 'why'],
  /** Says nothing of what a question is about. */
  question: [...STRUCTURE, ...RELATION, ...ASKING],
  /** Begins another part of a sentence: what was said before it is said of something else. */
  clause: words('from to into and by per in on of for with where that which who'),
} as const;

export type StopWordClass = keyof typeof CLASSES;

const SETS = new Map<StopWordClass, ReadonlySet<string>>(
  Object.entries(CLASSES).map(([name, list]) => [name as StopWordClass, new Set<string>(list)]),
);

/** Whether a word, in small letters, is one of a class: `isStopWord('within', 'question')` → true, `'search'` → false. */
export function isStopWord(word: string, of: StopWordClass): boolean {
  return SETS.get(of)?.has(word) === true;
}

function words(text: string): readonly string[] {
  return text.split(/\s+/);
}
