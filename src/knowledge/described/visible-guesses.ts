import type { Authored } from '../authored/authored.ts';
import { type Sight, withoutHidden } from '../authored/without-hidden.ts';

/**
 * What somebody may be told of what a model guessed: of tables in view, in texts that name no hidden one, and in private
 * mode only what was said by a model that was shown no cell.
 */
export function visibleGuesses(
  { described }: Pick<Authored, 'described'>,
  sight: Sight,
  { isPrivate }: { readonly isPrivate: boolean },
): Authored['described'] {
  const inView = new Set(sight.catalog.tables.map(({ id }) => id));
  const isTold = (text: string): boolean => withoutHidden([text], sight).length > 0;
  return described
    ?.filter((entry) => inView.has(entry.table) && (!isPrivate || entry.isPrivate === true))
    .map((entry) => ({ ...entry, guesses: entry.guesses.filter(({ text }) => isTold(text)) }));
}
