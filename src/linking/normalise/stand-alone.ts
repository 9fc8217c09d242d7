/** A turn of a conversation as a question that can be understood alone, by rules: English only. */

export interface StandAlone {
  readonly question: string;
  readonly isRewritten: boolean;
  /** Words that point to an earlier question and that rules cannot replace. */
  readonly pointing?: string;
}

const MAX_CHARACTERS = 2_000;
const CONNECTIVE = /^(?:(?:and|but|ok|okay|so|now|then|also|please|great|thanks|plus)\b[\s,]*)+/i;
const ABOUT = /^(?:what|how) about\s+|^(?:the )?same\s+(?=for\b|in\b|by\b|per\b|with)/i;
/** What a part of a question begins with: it has no subject of its own. */
const PART =
  /^(?:by|per|in|for|from|since|between|before|after|during|until|with|without|excluding|except|including|only|just|instead|sorted|ordered|where|whose|within|over|under|above|below|grouped|split|broken down)\b/i;
const YEAR = /\b(?:19|20)\d{2}\b/g;
const NAME = /^\p{Lu}[\p{L}\p{M}'’.-]*(?:\s+(?:of\s+|the\s+)?\p{Lu}[\p{L}\p{M}'’.-]*)*$/u;
const PLACE =
  /\b(in|for|from|of)\s+(\p{Lu}[\p{L}\p{M}'’.-]*(?:\s+(?:of\s+|the\s+)?\p{Lu}[\p{L}\p{M}'’.-]*)*)/gu;
const POINTING = /^(?:\S+\s+){0,2}?(them|they|their|theirs|those|these)\b(?!\s+\p{L}+s\b.*\bthat\b)/iu;

/**
 * The rules, with `How many orders were there in 2023?` before:
 * 1. `and by region?`, `only paid ones`: a part without a subject is added to the question before it;
 * 2. `and in 2022?`, `what about 2022?`: a year takes the place of the one year there;
 * 3. `what about Germany?`: a name takes the place of the one name after in, for, from or of, else it is added with for;
 * 4. `by region instead`: takes the place of the one phrase with by.
 * Everything else stays as it is; `list their names` stays too, and the word that points back is named.
 */
export function standAlone(turn: string, history: readonly string[]): StandAlone {
  const last = history
    .at(-1)
    ?.trim()
    .replace(/[?.!\s]+$/u, '');
  const same: StandAlone = { question: turn, isRewritten: false };
  if (last === undefined || last === '') return same;
  const said = turn.trim().replace(/[?.!\s]+$/u, '');
  const connected = said.replace(CONNECTIVE, '');
  const part = connected.replace(ABOUT, '');
  const isAbout = part !== connected || connected !== said;
  const question = withPart(last, part, isAbout);
  if (question !== undefined && question.length <= MAX_CHARACTERS)
    return { question: `${question}${turn.trim().endsWith('?') ? '?' : ''}`, isRewritten: true };
  const pointing = POINTING.exec(said)?.[1];
  return pointing === undefined ? same : { ...same, pointing };
}

function withPart(last: string, part: string, isAbout: boolean): string | undefined {
  const year = /^(?:(?:in|for|only|just)\s+)?((?:19|20)\d{2})$/i.exec(part)?.[1];
  if (year !== undefined) return withYear(last, year, part);
  const instead = /^(by|per)\s+(.{1,60}?)\s+instead$/i.exec(part);
  if (instead !== null) return withGroup(last, `${instead[1]} ${instead[2]}`);
  if (PART.test(part)) return `${last} ${part}`;
  return isAbout && NAME.test(part) ? withName(last, part) : undefined;
}

function withYear(last: string, year: string, part: string): string {
  const years = last.match(YEAR) ?? [];
  if (years.length === 1 && !/^(?:only|just)/i.test(part)) return last.replace(YEAR, year);
  return /^\d/.test(part) ? `${last} in ${year}` : `${last} ${part}`;
}

function withGroup(last: string, phrase: string): string {
  const groups = [...last.matchAll(/\b(?:by|per)\s+[\p{L}\p{N}_]+/giu)];
  const [group] = groups;
  return groups.length === 1 && group !== undefined
    ? last.replace(group[0], () => phrase)
    : `${last} ${phrase}`;
}

function withName(last: string, name: string): string {
  const places = [...last.matchAll(PLACE)];
  const [place] = places;
  if (places.length !== 1 || place === undefined) return `${last} for ${name}`;
  return last.replace(place[0], () => `${place[1]} ${name}`);
}
