/** Made where a text needs it: most are plain, and its tables take 10 ms to read. */
let segmenter: Intl.Segmenter | undefined;

// East Asian wide and full-width blocks (Unicode TR 11); emoji are found by their property.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const PLAIN = /^[\u0020-\u007e]*$/;

/** The columns a text takes on a terminal: 2 for East Asian wide characters and emoji. `東京 1` → 6. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes(text)) width += graphemeWidth(segment);
  return width;
}

/** Cuts a text to a width and ends it with `…` when something was cut. */
export function fitText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = '';
  let used = 1;
  for (const { segment } of graphemes(text)) {
    used += graphemeWidth(segment);
    if (used > width) break;
    kept += segment;
  }
  return `${kept}…`;
}

function graphemeWidth(grapheme: string): number {
  if (/^[\p{M}\u200b-\u200d\ufeff]+$/u.test(grapheme)) return 0;
  return WIDE.test(grapheme) || grapheme.includes('\ufe0f') ? 2 : 1;
}

function graphemes(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}
