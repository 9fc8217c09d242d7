import type { MentionNote } from '../../reading.ts';
import type { Mention } from './mention.ts';

/** A mention for the record: its words and what they were taken for. */
export function mentionNote(mention: Mention): MentionNote {
  const meaning =
    mention.values[0]?.why ??
    mention.nouns[0]?.why ??
    mention.cue?.kind ??
    (mention.isUnknown ? 'not understood' : 'number');
  return { span: mention.span, text: mention.text, meaning };
}
