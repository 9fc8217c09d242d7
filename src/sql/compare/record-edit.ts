import type { Span } from '../span.ts';
import type { SqlNode } from '../tree/node.ts';
import type { Comparing } from './comparing.ts';
import { describeEdit } from './describe-edit.ts';
import type { EditPlace } from './difference.ts';

/** Adds an edit with its spans and its words. */
export function recordEdit({ edits, before, after }: Comparing, place: EditPlace): void {
  const message = describeEdit(place, before, after);
  const { clause } = place;
  switch (place.kind) {
    case 'removed':
      edits.push({
        kind: 'removed',
        clause,
        message,
        before: place.before,
        beforeSpan: spanOf(place.before),
      });
      break;
    case 'added':
      edits.push({ kind: 'added', clause, message, after: place.after, afterSpan: spanOf(place.after) });
      break;
    default: {
      const spans = { beforeSpan: spanOf(place.before), afterSpan: spanOf(place.after) };
      edits.push({ kind: place.kind, clause, message, before: place.before, after: place.after, ...spans });
    }
  }
}

function spanOf({ start, end }: SqlNode): Span {
  return { start, end };
}
