import type { MentionNote } from '../../reading.ts';
import type { Mention } from './mention.ts';

/** Cues that only hold a sentence together. */
const FILLERS: ReadonlySet<string> = new Set(['stop', 'be']);

/** A mention for the record: its words and what they were taken for. */
export function mentionNote(mention: Mention): MentionNote {
  return { span: mention.span, text: mention.text, meaning: meaningOf(mention) };
}

function meaningOf({ values, nouns, cue, number, meaning, isUnknown }: Mention): string {
  if (meaning !== undefined) return 'explained by the hint';
  const named = values[0]?.why ?? nouns[0]?.why;
  if (named !== undefined) return named;
  if (cue !== undefined) return FILLERS.has(cue.kind) ? 'a filler word' : cue.kind;
  if (isUnknown) return 'not understood';
  return number === undefined ? 'punctuation' : 'number';
}
