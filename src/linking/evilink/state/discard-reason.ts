/** Whether a reason to discard says something of the item: discarding is harder than keeping on purpose (evilink.md §8). */

export const SHORTEST_REASON = 12;

/** Words that only tell how few paths chose an item, and words that hold a sentence together. */
const EMPTY_WORDS = new Set(
  [
    'low weak little small few fewer fewest less least lowest minimal insufficient limited poor lacking lack lacks lacked',
    'support supported supports supporting vote votes voted voting credibility credible score scores scored confidence',
    'probability percent threshold tau agreement consensus evidence rank ranked ranking count counts',
    'hypothesis hypotheses path paths reading readings run runs one two three four none single once out of only just',
    'chosen choose chose chooses picked pick selected select selects selection mentioned uncertain undecided candidate',
    'required needed need needs useful relevant irrelevant unnecessary unneeded discard discarded drop dropped remove',
    'removed item items table tables column columns field fields schema question the a an it its this that these those',
    'is are was were be been has have had not no nor and or but so as by in on at to for from with without than too very',
    'because since due all any other others does do did should can could would will there here enough',
  ].flatMap((line) => line.split(' ')),
);

export type ReasonFault = 'no-reason' | 'short-reason' | 'support-reason';

/** What is wrong with a reason: missing, shorter than 12 characters, or a restatement of low support. */
export function reasonFault(reason: string, id: string): ReasonFault | undefined {
  const text = reason.trim();
  if (text === '') return 'no-reason';
  if (text.length < SHORTEST_REASON) return 'short-reason';
  const own = new Set(wordsOf(id));
  const telling = wordsOf(text).some((word) => !EMPTY_WORDS.has(word) && !own.has(word));
  return telling ? undefined : 'support-reason';
}

/** Letters only: a bare number is a count of votes. */
function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{L}{2,}/gu) ?? [];
}
