import type { ChatMessage } from '../../model/index.ts';
import { BLOCK_END, BLOCK_START } from '../llm/prompts/blocks/data-block.ts';

/** A named block of data of a prompt, or what stands outside of them. */
export interface PromptBlock {
  /** Absent: our own words between the blocks. */
  readonly name?: string;
  readonly text: string;
}

const BLOCK = new RegExp(`^${BLOCK_START} ([^\\n]*)\\n([\\s\\S]*?)\\n${BLOCK_END}$`, 'gm');

/** The blocks of one message in order, and the text around them; nothing of it is lost. */
export function promptBlocks({ content }: Pick<ChatMessage, 'content'>): readonly PromptBlock[] {
  const blocks: PromptBlock[] = [];
  let from = 0;
  const outside = (to: number): void => {
    const text = content.slice(from, to).trim();
    if (text !== '') blocks.push({ text });
  };
  for (const match of content.matchAll(BLOCK)) {
    const [whole, name = '', text = ''] = match;
    outside(match.index);
    blocks.push({ name, text });
    from = match.index + whole.length;
  }
  outside(content.length);
  return blocks;
}

/** Blocks that people have written, for this question or for the project: they go out as they are in private mode, too. */
const BY_PEOPLE = new Set([
  'question',
  'given with the question',
  'definitions',
  'notes and definitions',
  'earlier questions, oldest first',
  'wishes for the writing',
  'today',
  'the database',
]);

/** Blocks of names and of what models said: no cell stands in them. */
const WITHOUT_VALUES = new Set(['required', 'still undecided', 'reading', 'tests', 'what is not shown']);

/** The name of the question goes on with the day it is asked on. */
export function isByPeople(name: string): boolean {
  return BY_PEOPLE.has(name) || name.startsWith('question, ');
}

/** Whether cells could stand in a block of this name where nothing keeps them out. */
export function mayHoldValues(name: string): boolean {
  return !isByPeople(name) && !WITHOUT_VALUES.has(name) && !name.startsWith('reading ');
}
