import type { Mention } from '../mention/mention.ts';
import { Cursor } from './cursor.ts';
import type { Frame } from './frame.ts';
import { RULES } from './rules/index.ts';

/** Reads the mentions of a question from left to right and fills a frame; what no rule uses stays unexplained. */
export function parseFrame(mentions: readonly Mention[]): Frame {
  const cursor = new Cursor(mentions);
  while (cursor.position < mentions.length) {
    let used = 0;
    for (const rule of RULES) {
      used = rule.apply(cursor);
      if (used === 0) continue;
      cursor.use(used);
      cursor.frame.rules.push(rule.name);
      break;
    }
    cursor.position += Math.max(1, used);
  }
  return complete(cursor.frame);
}

/** Settles what only the whole question tells. */
function complete(frame: Frame): Frame {
  const counts = frame.projections.some((item) => item.aggregate !== undefined) || frame.orders.some((item) => item.isCount || item.aggregate !== undefined) || frame.havings.length > 0;
  if (frame.projections.length === 0) {
    const shown = frame.groups[0] ?? frame.contexts[0];
    if (shown !== undefined) frame.projections.push({ isDistinct: frame.isDistinct, noun: shown });
  }
  // "the name of each singer" groups nothing: without an aggregate it only names whose columns are shown.
  if (!counts && frame.groups.length > 0) {
    frame.contexts.push(...frame.groups);
    frame.groups = [];
  }
  return frame;
}
