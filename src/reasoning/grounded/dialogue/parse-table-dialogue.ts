import { Cursor } from '../compose/cursor.ts';
import type { Frame } from '../compose/frame.ts';
import { completeFrame, fillFrame } from '../compose/parse-frame.ts';
import type { Mention } from '../mention/mention.ts';
import { editFrame } from './edit-frame.ts';
import type { Dialogue } from './turn.ts';

/** The frame of a question about tables after every turn that goes on from it. */
export function parseTableDialogue({ base, turns }: Dialogue, mentions: readonly Mention[]): Frame {
  const frame = turns.reduce(
    (before, turn) => {
      const cursor = new Cursor(mentions.slice(0, turn.until));
      cursor.position = turn.lead;
      cursor.mode = turn.isProjecting ? 'project' : 'modify';
      cursor.goesOnAt = turn.lead;
      // The rules ask what is shown already: "by region" splits what is counted.
      cursor.frame.projections.push(...before.projections);
      cursor.frame.contexts.push(...before.contexts);
      const own = fillFrame(cursor);
      own.projections.splice(0, before.projections.length);
      own.contexts.splice(0, before.contexts.length);
      return editFrame(before, own, turn);
    },
    fillFrame(new Cursor(base)),
  );
  return completeFrame(frame);
}
