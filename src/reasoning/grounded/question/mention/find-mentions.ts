import { timeGrain } from '../read/calendar.ts';
import type { TimeWindow } from '../read/find-times.ts';
import type { Token } from '../read/tokenise.ts';
import { unitNamed } from '../read/units.ts';
import { partsOf } from './full-names.ts';
import { type Cue, cuesAt } from './lexicon.ts';
import type { Mention, ValueMatch } from './mention.ts';
import { type NounMatch, WHOLE_NAME } from './mention.ts';
import type { NameIndex } from './name-index.ts';
import { isAcross, isSentence, isVerbLike } from './sentence-words.ts';
import { exclusionsInFront, withoutStars } from './trailing-exclusions.ts';
import {
  isFunctionWord,
  isLoose,
  outcomeValues,
  weighValues,
  withoutFunctionWords,
} from './value-mentions.ts';

/** What the mention finder looks words up in. */
export interface MentionSources {
  readonly names: NameIndex;
  readonly lookupValue: (text: string) => readonly ValueMatch[];
}

interface Candidate
  extends Pick<
    Mention,
    | 'from'
    | 'to'
    | 'score'
    | 'cue'
    | 'nouns'
    | 'values'
    | 'parts'
    | 'number'
    | 'time'
    | 'meaning'
    | 'isDefined'
    | 'relatedWeight'
  > {
  /** The word borrows the head of the next noun ("first and last name"): it is a name, whatever cue it may be. */
  readonly isShared?: boolean;
}

const MAX_NAME_WORDS = 5;
const MAX_VALUE_WORDS = 7;
/** Longer spans win over the sum of their parts. */
const LENGTH_POWER = 1.25;

/** Covers the question with the best non-overlapping mentions; words that mean nothing to us stay as unknown. */
export function findMentions(
  question: string,
  tokens: readonly Token[],
  times: readonly TimeWindow[],
  sources: MentionSources,
  given: readonly Candidate[] = [],
): Mention[] {
  const found = tokens.flatMap((_token, index) => candidatesAt(question, tokens, times, index, sources));
  const candidates = [...found, ...given];
  const chosen = bestCover(tokens.length, candidates);
  const mentions: Mention[] = [];
  for (let at = 0; at < tokens.length; ) {
    const candidate = chosen.get(at) ?? { from: at, to: at + 1, score: 0, nouns: [], values: [] };
    mentions.push(toMention(question, tokens, candidate, mentions.length));
    at = candidate.to;
  }
  return exclusionsInFront(withoutStars(mentions));
}

function candidatesAt(
  question: string,
  tokens: readonly Token[],
  times: readonly TimeWindow[],
  index: number,
  sources: MentionSources,
): Candidate[] {
  const first = tokens[index];
  if (first === undefined || first.kind === 'comma' || first.kind === 'stop') return [];
  const merged = new Map<number, Candidate>();
  const add = (length: number, part: Partial<Candidate>, score: number): void => {
    const old = merged.get(length);
    const base = old ?? { from: index, to: index + length, score: 0, nouns: [], values: [] };
    merged.set(length, { ...base, ...part, score: Math.max(base.score, score) });
  };
  const isNumberOfName = endsName(tokens, index, sources);
  for (const { length, cue } of cuesAt(tokens, index))
    if ((cue.kind !== 'count' || !isNumberOfName) && !holdsMeasure(tokens, index, length, cue, sources))
      add(length, { cue }, cue.kind === 'stop' ? 0.55 : 0.9);
  if (first.number !== undefined) add(1, { number: first.number }, 0.8);
  const time = times.find((window) => window.start === first.start);
  if (time !== undefined) {
    const length = tokens.slice(index).filter((token) => token.end <= time.end).length;
    add(Math.max(1, length), { time }, 1.2);
  }
  addNames(tokens, index, sources, add);
  addValues(question, tokens, index, sources, add);
  return [...merged.values()];
}

/** "total amount of closed orders", where orders have an amount: its total, while elsewhere the words only ask for a sum. */
function holdsMeasure(
  tokens: readonly Token[],
  index: number,
  length: number,
  { kind }: Cue,
  { names }: MentionSources,
): boolean {
  if (kind !== 'aggregate' || length < 3) return false;
  const measures = names.match([tokens[index + 1]?.lower ?? '']).filter(isWholeColumn);
  const behind = tokens.slice(index + length, index + length + NEAR_WORDS);
  return behind.some(({ lower }) =>
    names
      .match([lower])
      .some(
        ({ kind: what, score, id }) =>
          what === 'table' && score >= FULL_TABLE && measures.some(({ tableId }) => tableId === id),
      ),
  );
}

function isWholeColumn({ kind, score }: NounMatch): boolean {
  return kind === 'column' && score >= WHOLE_NAME;
}

/** How far behind "total amount of" its table may stand: "the many closed orders". */
const NEAR_WORDS = 5;

/** "the phone number of": the number is no count, it belongs to the name of a column. */
function endsName(tokens: readonly Token[], index: number, { names }: MentionSources): boolean {
  const [before, word] = [tokens[index - 1], tokens[index]];
  if (before?.kind !== 'word' || !/^numbers?$/.test(word?.lower ?? '')) return false;
  // "the weekly number of" is a count.
  const isGrain = timeGrain(before.lower) !== undefined;
  if (isGrain || isLoose(before) || cuesAt(tokens, index - 1).length > 0) return false;
  return names
    .match([before.lower, 'number'])
    .some((noun) => noun.kind === 'column' && noun.score >= SHARED_HEAD);
}

type Add = (length: number, part: Partial<Candidate>, score: number) => void;

function addNames(tokens: readonly Token[], index: number, sources: MentionSources, add: Add): void {
  for (let length = 1; length <= MAX_NAME_WORDS; length++) {
    const span = tokens.slice(index, index + length);
    if (span.length < length || span.some((token) => token.kind !== 'word' && token.kind !== 'number')) break;
    const isLooseHead = isLoose(span[0]) && !beginsName(tokens, index, span, sources);
    if (span[0]?.kind === 'number' || (length > 1 && (isLooseHead || isLoose(span.at(-1))))) continue;
    if (length === 1 && (isLoose(span[0]) || isVerbPlace(tokens[index - 1]))) continue;
    // "average list price" is no average price.
    if (span.some((_word, at) => at > 0 && beginsName(tokens, index + at, span.slice(at, at + 2), sources)))
      continue;
    if (length > 1 && isAcross(span, tokens[index + length])) continue;
    // "the name of singer 3": the number belongs to the singer, so the words are read apart.
    const isRow = tokens[index + length]?.kind === 'number' && span.some((token) => token.lower === 'of');
    if (isRow || cutsTable(tokens, index, length, sources) || isSentence(span, sources.names)) continue;
    if (isOfTables(span, sources) || isDoneTo(tokens, index, length, sources)) continue;
    const nouns = sources.names.match(span.map((token) => token.lower));
    const best = nouns[0]?.score ?? 0;
    if (isOfValue(span, tokens[index + length], nouns, sources)) continue;
    if (isDescribed(span, tokens[index + length], nouns, sources)) continue;
    if (length === 1) addShared(tokens, index, sources, add);
    if (best < 1 && namesValue(span, sources)) continue;
    if (best > 0) add(length, { nouns: nouns.filter((noun) => noun.score >= best - 0.45) }, best);
  }
}

/** "average list price": a word that gives an order elsewhere begins the name of a column where it cannot be one. */
function beginsName(
  tokens: readonly Token[],
  index: number,
  span: readonly Token[],
  { names }: MentionSources,
): boolean {
  const [first, second, third] = span;
  const before = tokens[index - 1];
  if (before?.kind !== 'word' || second === undefined || third !== undefined) return false;
  if (!/^(?:list|state|report|record|entry|answer|output)$/.test(first?.lower ?? '') || isLoose(second))
    return false;
  const isOrder = /^(?:and|please|then|or|you|to|me|also|could|can|just)$/.test(before.lower);
  return (
    !isOrder &&
    names
      .match(span.map(({ lower }) => lower))
      .some(({ kind, score }) => kind === 'column' && score >= WHOLE_NAME)
  );
}

/** "actors of the film", "order details of orders": what is asked for and whose, both with a table, and no third name. */
function isOfTables(span: readonly Token[], { names }: MentionSources): boolean {
  const of = span.findIndex(({ lower }) => lower === 'of');
  if (of <= 0) return false;
  const halves = [span.slice(0, of), span.slice(of + 1).filter((token) => !isLoose(token))];
  return halves.every((half) => {
    const [best] = names.match(half.map(({ lower }) => lower));
    const isKey = /^(?:ids?|keys?|codes?|names?|numbers?)$/.test(half.at(-1)?.lower ?? '');
    return best?.kind === 'table' && best.score >= FULL_TABLE && !isKey;
  });
}

/** "which physicians prescribed medication": what they did and what they did it to, whatever column is called like both. */
function isDoneTo(
  tokens: readonly Token[],
  index: number,
  length: number,
  { names }: MentionSources,
): boolean {
  const [asks, subject, done] = [tokens[index - 2], tokens[index - 1], tokens[index]];
  if (length < 2 || !/^\w+ed$/.test(done?.lower ?? '') || !/^(?:which|what)$/.test(asks?.lower ?? ''))
    return false;
  return names
    .match([subject?.lower ?? ''])
    .some(({ kind, score }) => kind === 'table' && score >= FULL_TABLE);
}

const FULL_TABLE = 0.93;

/** "channel Showroom", where the channel called so is stored: two mentions, not the name of something else. */
function namesValue(span: readonly Token[], { names, lookupValue }: MentionSources): boolean {
  return span.slice(1).some((_token, split) => {
    const [name, value] = [span.slice(0, split + 1), span.slice(split + 1)];
    const holders = names.match(name.map((token) => token.lower)).filter(isDimension);
    if (holders.length === 0) return false;
    const stored = lookupValue(value.map((token) => token.text).join(' '));
    return stored.some(
      (hit) => hit.score >= STORED && holders.some(({ tableId }) => tableId === hit.tableId),
    );
  });
}

/** "accounts of tier gold": the column belongs to the value behind it, and is not what the accounts are. */
function isOfValue(
  span: readonly Token[],
  next: Token | undefined,
  [noun]: readonly NounMatch[],
  { lookupValue }: MentionSources,
): boolean {
  if (next === undefined || noun?.kind !== 'column' || !span.some(({ lower }) => lower === 'of'))
    return false;
  return lookupValue(next.text).some(({ columnId, score }) => columnId === noun.id && score >= STORED);
}

/** "films rated G": the value says which of the films are meant, the participle which of their columns holds it. */
function isDescribed(
  span: readonly Token[],
  next: Token | undefined,
  nouns: readonly NounMatch[],
  { names, lookupValue }: MentionSources,
): boolean {
  const head = span.slice(0, -1);
  if (next === undefined || head.length === 0 || nouns[0]?.kind !== 'column') return false;
  if (!/(?:ed|en|wn)$/.test(span.at(-1)?.lower ?? '')) return false;
  const [table] = names.match(head.map(({ lower }) => lower));
  const ids = new Set(nouns.map(({ id }) => id));
  return (
    table?.kind === 'table' &&
    table.score >= FULL_TABLE &&
    lookupValue(next.text).some(({ columnId, score }) => score >= STORED && ids.has(columnId))
  );
}

/** The same letters, whatever their case. */
const STORED = 0.96;

function isDimension({ kind, score }: NounMatch): boolean {
  return kind === 'dimension' && score >= SHARED_HEAD;
}

/** "options of the TV channels": a name that ends inside the name of a table is none. */
function cutsTable(
  tokens: readonly Token[],
  index: number,
  length: number,
  sources: MentionSources,
): boolean {
  const [last, next] = tokens.slice(index + length - 1, index + length + 1);
  const isOf = tokens.slice(index, index + length).some((token) => token.lower === 'of');
  if (isOf && /^(?:first|last)$/.test(last?.lower ?? '')) return true;
  if (!isOf || last === undefined) return false;
  if (begunBefore(tokens, index, sources)) return true;
  if (next?.kind !== 'word') return false;
  const [noun] = sources.names.match([last.lower, next.lower]);
  return noun?.kind === 'table' && noun.score >= SHARED_HEAD;
}

/** "order details of orders": the first word ends the name of a table that begins before it. */
function begunBefore(tokens: readonly Token[], index: number, { names }: MentionSources): boolean {
  const [before, first] = index === 0 ? [] : tokens.slice(index - 1, index + 1);
  if (before?.kind !== 'word' || first === undefined || isLoose(before) || isLoose(first)) return false;
  const [noun] = names.match([before.lower, first.lower]);
  return noun?.kind === 'table' && noun.score >= 1;
}

/** "first, middle and last name": the words before share the head of the last. */
function addShared(tokens: readonly Token[], index: number, sources: MentionSources, add: Add): void {
  const word = tokens[index];
  const rest = tokens.slice(index + 1, index + 8);
  const isJoint = (token: Token | undefined): boolean => token?.kind === 'comma' || token?.lower === 'and';
  let at = 0;
  while (isJoint(rest[at])) {
    while (isJoint(rest[at])) at++;
    at++;
  }
  const [other, head] = [rest[at - 1], rest[at]];
  if (word === undefined || at < 2 || other === undefined || head?.kind !== 'word') return;
  const isPair = (sources.names.match([other.lower, head.lower])[0]?.score ?? 0) >= SHARED_HEAD;
  const nouns = isPair
    ? sources.names.match([word.lower, head.lower]).filter((noun) => noun.score >= SHARED_HEAD)
    : [];
  if (nouns.length > 0) add(1, { nouns, isShared: true }, 1.2);
}

const SHARED_HEAD = 0.85;

/** "what revenue did we make": after a pronoun stands a verb, whatever noun it may look like. */
function isVerbPlace(before: Token | undefined): boolean {
  return before !== undefined && /^(?:we|they|i|you|he|she)$/.test(before.lower);
}

function addValues(
  question: string,
  tokens: readonly Token[],
  index: number,
  sources: MentionSources,
  add: Add,
): void {
  // "7 days" is a measure, whoever is called Day.
  if (tokens[index - 1]?.kind === 'number' && unitNamed(tokens[index]?.lower ?? '') !== undefined) return;
  for (let length = 1; length <= MAX_VALUE_WORDS; length++) {
    const span = tokens.slice(index, index + length);
    const [first, last] = [span[0], span.at(-1)];
    if (span.length < length || first === undefined || last === undefined || last.kind === 'stop') break;
    if (
      length > 1 &&
      (span.some((token) => token.kind === 'quoted') ||
        last.kind === 'comma' ||
        (isLoose(last) && last.text === last.lower))
    )
      continue;
    const text =
      first.kind === 'quoted'
        ? first.text
        : question.slice(first.start, last.isPossessive ? last.start + last.text.length : last.end);
    if (text.length < 2 && first.kind !== 'quoted' && !/[A-Z0-9]/.test(text)) continue;
    const stored = withoutFunctionWords(sources.lookupValue(text), tokens, index, length, sources.names);
    const values = weighValues(stored, span, index);
    const best = values[0]?.score ?? 0;
    // A code spelt like a function word is one or the other: what marks it as a value says that it is no word of structure.
    if (best === 0 && length === 1) {
      const ended = outcomeValues(first, sources.lookupValue);
      if (ended.length > 0) add(1, { values: ended }, ended[0]?.score ?? 0);
    }
    if (best > 0)
      add(length, isFunctionWord(tokens, index, length) ? { values, cue: undefined } : { values }, best);
    else if (first.kind === 'quoted') add(1, { parts: partsOf(text, sources.lookupValue) }, 0.9);
  }
}

function bestCover(length: number, candidates: readonly Candidate[]): Map<number, Candidate> {
  const endingAt = new Map<number, Candidate[]>();
  for (const candidate of candidates) {
    const list = endingAt.get(candidate.to);
    if (list === undefined) endingAt.set(candidate.to, [candidate]);
    else list.push(candidate);
  }
  const best: { total: number; last?: Candidate }[] = [{ total: 0 }];
  for (let end = 1; end <= length; end++) {
    let choice: { total: number; last?: Candidate } = { total: (best[end - 1]?.total ?? 0) - 0.2 };
    for (const candidate of endingAt.get(end) ?? []) {
      const total =
        (best[candidate.from]?.total ?? 0) +
        candidate.score * (candidate.to - candidate.from) ** LENGTH_POWER;
      if (total > choice.total + 1e-9) choice = { total, last: candidate };
    }
    best.push(choice);
  }
  const chosen = new Map<number, Candidate>();
  for (let end = length; end > 0; ) {
    const last = best[end]?.last;
    if (last !== undefined) chosen.set(last.from, last);
    end = last?.from ?? end - 1;
  }
  return chosen;
}

function toMention(question: string, tokens: readonly Token[], candidate: Candidate, index: number): Mention {
  const span = tokens.slice(candidate.from, candidate.to);
  const start = span[0]?.start ?? 0;
  const end = span.at(-1)?.end ?? start;
  const first = span[0];
  const before = tokens[candidate.from - 1];
  const isWeakName =
    candidate.cue === undefined && candidate.values.length === 0 && (candidate.nouns[0]?.score ?? 1) < 0.8;
  const explained =
    candidate.cue !== undefined ||
    candidate.nouns.length > 0 ||
    candidate.values.length > 0 ||
    candidate.number !== undefined ||
    candidate.time !== undefined ||
    candidate.meaning !== undefined;
  return {
    ...candidate,
    cue: candidate.isShared ? undefined : candidate.cue,
    index,
    span: { start, end },
    text: question.slice(start, end),
    isQuoted: first?.kind === 'quoted',
    isUnknown: !explained && first?.kind === 'word',
    isVerbLike: (!explained || isWeakName) && isVerbLike(first, before),
    isPossessed: before !== undefined && /^(their|its|his|her)$/.test(before.lower),
    isSentenceEnd: first?.kind === 'stop',
    isComma: first?.kind === 'comma',
  };
}
