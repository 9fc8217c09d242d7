import type { Mention } from '../mention/mention.ts';
import { readTurn } from './read-turn.ts';
import type { Dialogue, Turn } from './turn.ts';

/**
 * Reads `revenue by month; only 2024` as a question and the turns that go on from it. Undefined where a part stands
 * alone: then the text is one question, whatever marks it has.
 */
export function readDialogue(question: string, mentions: readonly Mention[]): Dialogue | undefined {
  const marks = mentions
    .filter((mention) => mention.isComma && mention.text === ';')
    .map(({ index }) => index);
  const [first] = marks;
  if (first === undefined) return undefined;
  const turns: Turn[] = [];
  for (const [place, mark] of marks.entries()) {
    const turn = readTurn(question, mentions, { from: mark + 1, until: marks[place + 1] ?? mentions.length });
    if (turn === undefined) return undefined;
    turns.push(turn);
  }
  return { base: mentions.slice(0, first), turns };
}
