/**
 * `isLike('user_id', '%ID')`: `%` is any text, `_` one character, in either case; no character takes that from them.
 * Goes back to the last `%` alone, so that no pattern is long to try.
 */
export function isLike(text: string, pattern: string): boolean {
  const [name, wanted] = [[...text.toLowerCase()], [...pattern.toLowerCase()]];
  let [at, place] = [0, 0];
  let [back, from] = [-1, 0];
  while (at < name.length) {
    if (wanted[place] === '%') {
      [back, from] = [place, at];
      place += 1;
    } else if (wanted[place] === '_' || (place < wanted.length && wanted[place] === name[at])) {
      at += 1;
      place += 1;
    } else if (back >= 0) {
      from += 1;
      [at, place] = [from, back + 1];
    } else return false;
  }
  return wanted.slice(place).every((character) => character === '%');
}
