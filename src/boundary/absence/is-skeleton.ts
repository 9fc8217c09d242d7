/** `svc` of “service”: the same first letter, no vowel, and every letter of it in its order. */
export function isSkeleton(word: string, part: string): boolean {
  if (word[0] !== part[0] || /[aeiou]/.test(part)) return false;
  let at = -1;
  for (const letter of part) {
    at = word.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}
