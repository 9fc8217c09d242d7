/** Bytes 80 to 9F of windows-1252; `undefined` where it has no character. */
const WINDOWS_1252 = [...'€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'];

export interface Repaired {
  readonly text: string;
  /** Control characters that were punctuation of windows-1252. */
  readonly repairedCount: number;
  /** Characters that an earlier program had already replaced by `�`. */
  readonly lostCount: number;
}

/**
 * Text of a spreadsheet as it was meant: line ends and spaces of one kind, and characters that were read with the
 * wrong table put right. U+0080 to U+009F are control characters nobody types; in files that were windows-1252 once
 * they are its quotes, dashes and bullets.
 */
export function repairText(text: string): Repaired {
  let repairedCount = 0;
  const repaired = text.replace(/\p{Cc}/gu, (character) => {
    const meant = WINDOWS_1252[character.charCodeAt(0) - 0x80];
    if (meant === undefined) return character;
    repairedCount += 1;
    return meant;
  });
  const clean = repaired
    .replace(/\r\n?/g, '\n')
    .replaceAll('\u00a0', ' ')
    .replace(/[ \t]+$/gm, '')
    .trim();
  return { text: clean, repairedCount, lostCount: text.split('\ufffd').length - 1 };
}
