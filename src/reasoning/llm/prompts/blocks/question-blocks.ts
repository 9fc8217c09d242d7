import type { TalkState } from '../../../roles/assist-reasoner.ts';
import { cellText, dataBlock, longText } from './data-block.ts';

/** A document of a warehouse can be long; a question is bounded where it is asked. */
const QUESTION_CHARACTERS = 4_000;
const HINT_CHARACTERS = 24_000;
const ENTRY_CHARACTERS = 1_000;
const MOST_ENTRIES = 40;
/** Older turns than these have little to say to the last one. */
const SHOWN_TURNS = 4;
const TURN_CHARACTERS = 400;

export interface AskedText {
  readonly text: string;
  readonly hint?: string | undefined;
  readonly knowledge: readonly string[];
}

/** The question with what was given or found beside it; what is not there has no block. `asked` goes on after its name. */
export function questionBlocks({ text, hint = '', knowledge }: AskedText, asked = ''): readonly string[] {
  return [
    dataBlock(`question${asked}`, longText(text, QUESTION_CHARACTERS)),
    ...(hint === '' ? [] : [dataBlock('given with the question', longText(hint, HINT_CHARACTERS))]),
    ...(knowledge.length === 0 ? [] : [dataBlock('notes and definitions', entryLines(knowledge))]),
  ];
}

/** A line for each entry, `- ` before it. */
export function entryLines(entries: readonly string[]): string {
  const lines = entries.slice(0, MOST_ENTRIES).map((entry) => `- ${cellText(entry, ENTRY_CHARACTERS)}`);
  const rest = entries.length - lines.length;
  return [...lines, ...(rest > 0 ? [`(${rest} more not shown)`] : [])].join('\n');
}

/** What was said and what it came to; where that is not told, the question alone. */
export function turnLines(turns: TalkState['turns']): readonly string[] {
  return turns.slice(-SHOWN_TURNS).map(({ question, answer }) => {
    const asked = cellText(question, TURN_CHARACTERS);
    return answer === '' ? asked : `${asked} → ${cellText(answer, TURN_CHARACTERS)}`;
  });
}
