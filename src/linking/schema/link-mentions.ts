import type { MentionNote } from '../../reasoning/roles/reading.ts';

/**
 * One sentence for each word that names a table, a column or a value of one. The grounded engine reads the whole schema
 * itself: for it linking leaves nothing out, and says what it went by.
 */
export function linkMentions(mentions: readonly MentionNote[]): readonly string[] {
  return mentions
    .filter(({ meaning }) => /\b(?:table|column|value|metric|dimension)\b/.test(meaning))
    .map(({ text, meaning }) => `“${text}”: ${meaning}`);
}
