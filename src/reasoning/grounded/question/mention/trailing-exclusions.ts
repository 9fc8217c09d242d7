import type { Mention } from './mention.ts';

/**
 * "PG-13 left out", "those from Canada excluded": what leaves something out stands behind it. It is put in front, where "excluding"
 * stands, so that everything that reads mentions in their order reads both alike.
 */
export function exclusionsInFront(mentions: readonly Mention[]): Mention[] {
  const settled: Mention[] = [];
  for (const mention of mentions) {
    const from = isLeftOut(mention) ? excludedFrom(settled) : undefined;
    if (from === undefined) settled.push(mention);
    else settled.splice(from, settled.length - from, inFront(mention), ...withoutBe(settled.slice(from)));
  }
  return settled.map((mention, index) => ({ ...mention, index }));
}

/** "films starring Tom Ray": before a name stands the verb, whatever has stars. */
export function withoutStars(mentions: readonly Mention[]): readonly Mention[] {
  return mentions.map((mention, at) => {
    const next = mentions.slice(at + 1).find(({ cue }) => cue?.kind !== 'both' && cue?.kind !== 'stop');
    const isVerb = /^star(?:s|red|ring)?$/i.test(mention.text) && isThing(next);
    return isVerb ? { ...mention, nouns: [], isUnknown: true, isVerbLike: true } : mention;
  });
}

function isLeftOut({ cue }: Mention): boolean {
  return cue?.kind === 'compare' && cue.operator === '<>' && cue.isPostfix === true;
}

function inFront(mention: Mention): Mention {
  return mention.cue?.kind === 'compare'
    ? { ...mention, cue: { ...mention.cue, isPostfix: false } }
    : mention;
}

/** Where that begins which is left out, at the end of the mentions; undefined where no value is there. */
function excludedFrom(mentions: readonly Mention[]): number | undefined {
  let from = mentions.length;
  let found: number | undefined;
  while (from > 0) {
    const mention = mentions[from - 1];
    if (mention === undefined || !mayBelong(mention, found !== undefined)) break;
    from -= 1;
    if (isThing(mention) || isThose(mention)) found = from;
    if (isThose(mention)) break;
  }
  return found;
}

/** "the R and NC-17 ones", "rows of those from Canada". */
function mayBelong(mention: Mention, isFound: boolean): boolean {
  if (isThing(mention)) return true;
  if (mention.isComma || mention.isSentenceEnd) return false;
  const kind = mention.cue?.kind;
  if (kind === 'stop' || kind === 'and' || kind === 'or') return true;
  return isFound ? kind === 'preposition' || kind === 'relative' : kind === 'be' || mention.nouns.length > 0;
}

function isThing(mention: Mention | undefined): boolean {
  if (mention === undefined || mention.cue !== undefined) return false;
  return mention.time !== undefined || (mention.values[0]?.score ?? 0) > (mention.nouns[0]?.score ?? 0);
}

function isThose({ text }: Mention): boolean {
  return /^(?:those|these)$/i.test(text);
}

function withoutBe(mentions: readonly Mention[]): readonly Mention[] {
  return mentions.filter(({ cue }, at) => cue?.kind !== 'be' || at < mentions.length - 1);
}
