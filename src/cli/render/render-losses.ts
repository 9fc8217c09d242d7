import type { Loss } from '../../knowledge/interchange/index.ts';
import { escapeControl } from '../../lib/index.ts';
import type { Style } from './layout/text-layout.ts';

const HEADS: Readonly<Record<Loss['kind'], string>> = {
  dropped: 'Dropped: it is gone',
  approximated: 'Approximated: it means nearly the same',
  kept: 'Kept: carried along, without effect',
};

/** The loss report for people: by kind, the worst first, a line each with its place. */
export function renderLosses(losses: readonly Loss[], style: Style): string {
  const parts = (['dropped', 'approximated', 'kept'] as const).flatMap((kind) => {
    const lines = losses.filter((loss) => loss.kind === kind);
    if (lines.length === 0) return [];
    const shown = lines.map(
      ({ place, what }) => `  ${style.dim(escapeControl(place))}  ${escapeControl(what)}\n`,
    );
    return [`\n${HEADS[kind]} (${lines.length})\n${shown.join('')}`];
  });
  return parts.length === 0 ? '\nNothing is lost.\n' : parts.join('');
}
