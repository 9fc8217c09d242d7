import type { ChatMessage } from '../../../model/index.ts';
import type { NormaliseQuestion } from '../../normalise-reasoner.ts';
import { dataBlock } from './data-block.ts';
import { systemText } from './framing.ts';
import { entryLines } from './question-blocks.ts';
import { normaliseBlocks } from './validate-prompt.ts';
import { sqlBlock } from './write-blocks.ts';

export const STAND_ALONE_PROMPT_VERSION = 3;

/** Older questions than these have little to say to the last one. */
const SHOWN_HISTORY = 6;

/** A query that was mended or pasted was never asked for in words. */
const LAST_QUERY_RULE =
  'The last query is the one that stands. What "it", "those" or "the same" points at is in it where no later turn says it: then say in words what it shows, of which tables, under which conditions, and the change.';

/** A follow-up written so that nothing before it is needed. */
export function standAlonePrompt(
  { text, about }: NormaliseQuestion,
  history: readonly string[],
  lastQuery?: string,
): readonly ChatMessage[] {
  const system = systemText(
    'write the last question of a talk so that it is understood without the questions before it.',
    [
      'Take from the earlier turns only what the last one leaves open: what it is about, conditions that go on, what "it", "each" or "those" means; the nearest turn that fits comes first, whatever it was about. Where it changes something, the change counts.',
      'Why a figure is high or low becomes the question for what it is made of: its single rows with what tells most of them, or its parts, under the same conditions.',
      ...(lastQuery === undefined ? [] : [LAST_QUERY_RULE]),
      'A question that needs nothing from before is given back as it is.',
      'Keep its language, its names, numbers and quoted texts. Answer nothing.',
    ],
    '{"question": "the question on its own"}',
  );
  const earlier = [
    ...(history.length === 0
      ? []
      : [dataBlock('earlier turns, oldest first', entryLines(history.slice(-SHOWN_HISTORY)))]),
    ...(lastQuery === undefined ? [] : [sqlBlock('last query', lastQuery)]),
  ];
  return [
    { role: 'system', content: system },
    { role: 'user', content: [...earlier, normaliseBlocks(text, about)].join('\n') },
  ];
}
