import { isTableLike } from '../compose/nouns.ts';
import type { Mention } from '../mention/mention.ts';

/** "the ratio of A to B for each C", taken apart: mentions as they stand in the question. */
export interface RatioParts {
  readonly over: readonly Mention[];
  readonly under: readonly Mention[];
  /** "for each C", with its cue; empty when nothing splits. */
  readonly group: readonly Mention[];
  readonly cue: Mention;
  /** "the average ratio of": of each row, and then its mean. */
  readonly isAverage: boolean;
}

/** Takes a question for a ratio apart, or says that it asks for none. */
export function splitRatio(mentions: readonly Mention[]): RatioParts | undefined {
  const at = mentions.findIndex(({ cue, text }) => cue?.kind === 'share' && /ratio|proportion/i.test(text));
  const cue = mentions[at];
  if (cue === undefined) return undefined;
  const stop = mentions.findIndex((mention, index) => index > at && mention.isSentenceEnd);
  const end = stop === -1 ? mentions.length : stop;
  const to = mentions.findIndex((mention, index) => index > at + 1 && index < end && isAgainst(mention));
  if (to === -1) return undefined;
  const before = leadingGroup(mentions.slice(0, at));
  const found = mentions.findIndex(
    (mention, index) => index > to + 1 && index < end && opensGroup(mention, mentions),
  );
  const behind = found === -1 ? end : found;
  const over = mentions.slice(at + 1, to);
  const under = mentions.slice(to + 1, behind);
  if (!over.some(isNamed) || !under.some(isNamed)) return undefined;
  const group = before.length > 0 ? before : mentions.slice(behind, end);
  const isAverage = mentions.slice(Math.max(0, at - 2), at).some(isMean);
  return { over, under, group, cue, isAverage };
}

function isAgainst({ text, cue }: Mention): boolean {
  return cue !== undefined && /^(?:to|out of|versus|vs|against)(?: the| all)?$/i.test(text);
}

/** "for each country", "by country"; not "cited by 2 papers". */
function opensGroup({ cue, index }: Mention, mentions: readonly Mention[]): boolean {
  if (cue?.kind === 'group') return true;
  const [before, after] = [mentions[index - 1], mentions[index + 1]];
  return cue?.kind === 'by' && !/(?:ed|en)$/i.test(before?.text ?? '') && (after?.nouns.length ?? 0) > 0;
}

function isNamed({ nouns, values }: Mention): boolean {
  return nouns.length + values.length > 0;
}

function isMean({ cue }: Mention): boolean {
  return cue?.kind === 'aggregate' && cue.function === 'avg';
}

/** "For each country, what is the ratio …". */
function leadingGroup(lead: readonly Mention[]): readonly Mention[] {
  const comma = lead.findIndex((mention) => mention.isComma);
  return lead[0]?.cue?.kind === 'group' && comma !== -1 ? lead.slice(0, comma) : [];
}

/**
 * One side as a question of its own: rows are counted where neither a count nor a column is named. Indexes begin at
 * 0, as the rules expect; `original` gives those of the question.
 */
export function sideMentions(
  side: readonly Mention[],
  group: readonly Mention[],
): { readonly mentions: readonly Mention[]; readonly original: ReadonlyMap<number, number> } {
  const isFigure = side.find(({ cue }) => cue?.kind !== 'stop')?.cue;
  const head = side.find(({ nouns, cue }) => nouns.length > 0 && cue?.kind !== 'stop');
  const next = head === undefined ? undefined : side[side.indexOf(head) + 1];
  const isRows =
    head !== undefined && (isTableLike(head) || (next !== undefined && isTableLike(next) && !next.cue));
  const lead = isFigure?.kind !== 'count' && isFigure?.kind !== 'aggregate' && isRows ? [countCue(head)] : [];
  const all = [...lead, ...side, ...group];
  const original = new Map(all.map((mention, index) => [index, mention.index] as const));
  return { mentions: all.map((mention, index) => ({ ...mention, index })), original };
}

/** The words "number of" before a noun that is to be counted. */
function countCue(noun: Mention): Mention {
  return {
    ...noun,
    text: 'number of',
    cue: { kind: 'count' },
    nouns: [],
    values: [],
    isQuoted: false,
    isUnknown: false,
  };
}
