import type { Mention } from './mention.ts';

/**
 * "problems reported before 1975", "reported by Ana": `date_problem_reported` of the table that is named says when and by whom, though
 * 'Reported' is also stored somewhere else.
 */
export function doneNotStored(
  mentions: readonly Mention[],
  named: ReadonlyMap<string, number>,
): readonly Mention[] {
  return mentions.map((mention, at) => {
    const { text, values, nouns } = mention;
    if (values.length === 0 || !/^\w+(?:ed|en|wn)$/.test(text) || !saysDone(mentions, at)) return mention;
    const howNamed = (tables: readonly { readonly tableId: string }[]): number =>
      Math.max(0, ...tables.map(({ tableId }) => named.get(tableId) ?? 0));
    const own = howNamed(nouns.filter(({ kind }) => kind === 'column'));
    return own >= NAMED && own > howNamed(values) ? { ...mention, values: [] } : mention;
  });
}

const NAMED = 0.6;

/** Behind it stands when or by whom it was done, or before it who did it. */
function saysDone(mentions: readonly Mention[], at: number): boolean {
  const [before, next] = [mentions[at - 1], mentions[at + 1]];
  if (next?.time !== undefined || next?.cue?.kind === 'by') return true;
  if (next?.cue?.kind === 'preposition' && mentions[at + 2]?.time !== undefined) return true;
  const isLast = next === undefined || next.isSentenceEnd;
  if (isLast && before !== undefined && before.values.length > 0) return true;
  const isAsked = /^(?:which|what|who)$/i.test(mentions[at - 2]?.text ?? '');
  return isAsked && next?.cue?.kind === 'compare' && before?.nouns[0]?.kind === 'table';
}
