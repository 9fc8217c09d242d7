import type { Cursor } from './cursor.ts';

const FROM = ['source', 'origin', 'departure', 'depart', 'start', 'from', 'sender', 'pickup'];
const TO = ['destination', 'dest', 'arrival', 'arrive', 'end', 'to', 'receiver', 'dropoff'];

const LEADS: readonly (readonly [lead: RegExp, words: readonly string[]])[] = [
  [/^(?:leav(?:e|es|ing)|depart(?:s|ing|ed)?|originat(?:e|es|ing)|start(?:s|ing|ed)?|from)$/i, FROM],
  [/^(?:arriv(?:e|es|ing|ed)|land(?:s|ing|ed)?|end(?:s|ing|ed)?|head(?:ing|ed)|bound|into|to)$/i, TO],
];

/** Words of the columns that a value is meant for when two hold it: "from Boston" its source, "to Boston" its destination. */
export function wayWords(cursor: Cursor): readonly string[] {
  for (let back = -1; back >= -3; back--) {
    const mention = cursor.at(back);
    const isFiller = mention?.cue !== undefined || mention?.isVerbLike === true;
    const words = LEADS.find(([lead]) => lead.test(mention?.text ?? ''))?.[1];
    if (words !== undefined) return words;
    if (!isFiller) return [];
  }
  return [];
}
