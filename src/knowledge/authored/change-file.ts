import { CandorError } from '../../errors.ts';
import { writeWhole } from '../../store/index.ts';
import { readBoundedText } from './read-bounded-text.ts';

const TRIES = 5;

/**
 * Replaces a text by what `change` makes of it, all or nothing; a file that is not there is an empty text. When
 * somebody else writes the file meanwhile, their text is changed instead of overwritten.
 */
export async function changeFile(
  path: string,
  shown: string,
  change: (text: string) => string,
  mostBytes?: number,
): Promise<void> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const before = await readBoundedText(path, shown, mostBytes);
    const after = change(before ?? '');
    if ((await readBoundedText(path, shown, mostBytes)) !== before) continue;
    await writeWhole(path, after);
    return;
  }
  throw new CandorError('knowledge.refused', `${shown} is being written by another program.`);
}
