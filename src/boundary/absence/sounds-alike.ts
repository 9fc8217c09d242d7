/** Letters that sound alike in the languages that names are from, each as one of them; vowels, “h” and “y” are left out. */
const SOUNDS: readonly (readonly [letters: RegExp, sound: string])[] = [
  [/ph|[vw]/g, 'f'],
  [/[cqx]/g, 'k'],
  [/g/g, 'j'],
  [/z/g, 's'],
  [/d/g, 't'],
  [/[aeiouhy]/g, ''],
  [/(.)\1+/g, '$1'],
];

/** “Wien” and “Vienna”, “Steven” and “Stephen” have one. */
export function soundOf(lower: string): string {
  return SOUNDS.reduce((sound, [letters, as]) => sound.replace(letters, as), lower);
}
