/** Which tokens of a question the names and values of a query say. */

import type { SemanticModel } from '../../knowledge/semantic/index.ts';
import { foldedWords, foldValue } from '../../knowledge/values/index.ts';
import { lemmaOf, oppositeOf, splitName, stemOf, synonymsOf } from '../../language/index.ts';
import { nearestWord, otherSpellings, type Token } from '../../reasoning/grounded/question/index.ts';
import {
  baseForms,
  isEnglish,
  type RelatedWord,
  rarityOf,
  relatedWords,
  relationBetween,
} from '../../reasoning/grounded/question/vocabulary/index.ts';
import type { Span } from '../../sql/dialects/index.ts';
import { ancestor } from '../../sql/tree/index.ts';

import type { LiteralPart, QueryParts } from './query/query-parts.ts';
import { isOfSubject } from './question/subjects.ts';

export interface ContentClaim {
  readonly spans: readonly Span[];
  readonly why: string;
  /** A stored value says it, rather than a name. */
  readonly isValue: boolean;
}

/** The claim of each token, by its place; what nothing says is absent. The first that finds a token keeps it: values, then names, then what is like them. */
export function claimContent(
  tokens: readonly Token[],
  parts: QueryParts,
  semantics: SemanticModel,
): ReadonlyMap<number, ContentClaim> {
  const claims = new Map<number, ContentClaim>();
  const take = (from: number, to: number, claim: ContentClaim): void => {
    for (let at = from; at < to; at += 1) if (!claims.has(at)) claims.set(at, claim);
  };
  claimValues(tokens, parts.literals, take);
  claimMapped(tokens, parts, semantics, take);
  claimNames(tokens, parts, take);
  claimDescribed(tokens, parts, take);
  claimOpposites(tokens, parts, take);
  return claims;
}

type Take = (from: number, to: number, claim: ContentClaim) => void;

/** Most words that one name or value is looked for in. */
const MOST_WORDS = 6;

/** "New York" for 'New York', "Rock" for 'Rock And Roll', "French" for 'France': the words of a literal, however they are written. */
function claimValues(tokens: readonly Token[], literals: readonly LiteralPart[], take: Take): void {
  claimQuoted(tokens, literals, take);
  for (const literal of literals) {
    if (!literal.isText) continue;
    const words = foldedWords(literal.text);
    const joined = words.join('');
    const stems = new Set(words.map(stemOf));
    const known = new Set(words);
    const claim: ContentClaim = { spans: [literal], why: `the value ‘${literal.text}’`, isValue: true };
    for (let from = 0; from < tokens.length; from += 1)
      for (let to = Math.min(tokens.length, from + MOST_WORDS); to > from; to -= 1) {
        const said = tokens.slice(from, to);
        if (said.some(({ kind }) => kind === 'stop' || kind === 'comma')) continue;
        const text = said.map(({ text: one }) => one).join(' ');
        const spelt = foldedWords(text);
        const isSame = spelt.join('') === joined && joined !== '';
        const isPart =
          said.length === 1 &&
          spelt.length > 0 &&
          spelt.every((word) => stems.has(stemOf(word)) || misspelt(word, known) !== undefined);
        const other = otherSpellings(text).find((one) => foldValue(one.text) === foldValue(literal.text));
        // “female” is looked for among sexes; “French” may be a country, a language, a style.
        const isOther = other !== undefined && (other.column !== undefined || !isFarFetched(literal));
        if (isSame || isPart || isOther) take(from, to, claim);
      }
  }
}

/** "employees who speak French" are not those with customers in France: only the word itself is looked for in other rows. */
function isFarFetched({ node }: LiteralPart): boolean {
  return (
    ancestor(node, ({ type, role }) => type === 'Exists' || (type === 'Subquery' && role === 'query')) !==
    undefined
  );
}

/** "Ana Silva" in quotes, whose names are stored in two columns. */
function claimQuoted(tokens: readonly Token[], literals: readonly LiteralPart[], take: Take): void {
  tokens.forEach(({ kind, text }, at) => {
    const words = kind === 'quoted' ? foldedWords(text) : [];
    const holders = words.map((word) =>
      literals.find((literal) => literal.isText && foldedWords(literal.text).includes(word)),
    );
    if (words.length < 2 || holders.some((one) => one === undefined)) return;
    const spans = holders.flatMap((one) => one ?? []);
    take(at, at + 1, { spans, why: 'values that are its words', isValue: true });
  });
}

/** "satellite dealers" for `dealer_type = 'C'`, where the semantic model says that C is a satellite. */
function claimMapped(
  tokens: readonly Token[],
  { literals }: QueryParts,
  { valueMappings }: SemanticModel,
  take: Take,
): void {
  for (const { column, value, surface } of valueMappings) {
    const used = literals.filter(
      ({ text, columnIds }) => columnIds.includes(column) && foldValue(text) === foldValue(String(value)),
    );
    if (used.length === 0) continue;
    const claim: ContentClaim = { spans: used, why: `stands for ‘${value}’`, isValue: true };
    for (const phrase of surface) claimPhrase(tokens, foldedWords(phrase), claim, take);
  }
}

function claimPhrase(
  tokens: readonly Token[],
  words: readonly string[],
  claim: ContentClaim,
  take: Take,
): void {
  if (words.length === 0) return;
  const stems = words.map(stemOf);
  // "full-service" is one token of two words.
  const said = tokens.flatMap(({ text }, at) =>
    foldedWords(text).map((word) => ({ stem: stemOf(word), at })),
  );
  for (let from = 0; from + stems.length <= said.length; from += 1) {
    if (!stems.every((stem, at) => said[from + at]?.stem === stem)) continue;
    take(said[from]?.at ?? 0, (said[from + stems.length - 1]?.at ?? 0) + 1, claim);
  }
}

function claimNames(
  tokens: readonly Token[],
  { names, owners, spellings, tableNames }: QueryParts,
  take: Take,
): void {
  for (let from = 0; from < tokens.length; from += 1) {
    const token = tokens[from];
    if (token === undefined || !/^(?:word|quoted|number)$/.test(token.kind)) continue;
    const stems = splitName(token.lower).map(stemOf);
    const whole = stemOf(token.lower);
    const own = names.has(whole) ? [whole] : stems;
    if (own.every((stem) => names.has(stem))) {
      const spans = own.flatMap((stem) => names.get(stem) ?? NONE);
      take(from, from + 1, { spans, why: 'a name in the query', isValue: false });
      continue;
    }
    claimTogether(tokens, from, names, take);
    claimSynonym(tokens, from, names, take);
    const isBeforeNoun = isNamedBy(tokens[from + 1], names);
    const related = relatedWords(token.lower).find(
      (one) =>
        isSame(one, token.lower, tableNames) &&
        names.has(stemOf(one.word)) &&
        // "rich entrepreneurs", "ghost writers": what stands before another name is no other name for it.
        !(isBeforeNoun && isOneStep(one)),
    );
    if (related !== undefined) {
      const spans = names.get(stemOf(related.word)) ?? NONE;
      take(from, from + 1, { spans, why: `means “${related.word}” (${related.why})`, isValue: false });
      continue;
    }
    const spelt = new Set([...spellings].flatMap((name) => [name, `${name}s`]));
    const like = [...spelt].find((name) => isLike(name, whole, token.lower)) ?? misspelt(token.lower, spelt);
    if (like !== undefined)
      take(from, from + 1, {
        spans: names.get(like) ?? names.get(stemOf(like)) ?? NONE,
        why: `like “${like}”`,
        isValue: false,
      });
    else if (owners.has(whole) && !isOfSubject(from, tokens))
      take(from, from + 1, { spans: NONE, why: 'each row belongs to one', isValue: false });
  }
}

/**
 * A word of many senses is not surely this one. Broader and narrower words are other things, but of what the rows are: makers are
 * companies.
 */
function isSame({ word, weight, why }: RelatedWord, said: string, tableNames: ReadonlySet<string>): boolean {
  const isOther = isOneStep({ why });
  // A haunt is an area; what is haunted is none.
  if (isOther && /(?:ed|ing)$/.test(said)) return false;
  return weight >= (isOther ? LIKELY : SURE) && (!isOther || tableNames.has(stemOf(word)));
}

function isOneStep({ why }: Pick<RelatedWord, 'why'>): boolean {
  return why === 'english broader' || why === 'english narrower';
}

function isNamedBy(token: Token | undefined, names: QueryParts['names']): boolean {
  return token?.kind === 'word' && names.has(stemOf(token.lower));
}

const SURE = 0.6;
const LIKELY = 0.5;

/** A word that is no mistake in spelling itself: "storm" is not "store", while "costumer" may well be "customer". */
function misspelt(word: string, known: ReadonlySet<string>): string | undefined {
  const meant = nearestWord(word, known);
  const rarity = rarityOf(lemmaOf(word));
  if (meant === undefined || rarity === undefined || word.length >= LONG) return meant;
  return rarity > (rarityOf(lemmaOf(meant)) ?? RARE) + RARER ? meant : undefined;
}

/** Two words of so many letters that differ in one are hardly ever two. */
const LONG = 9;
/** Logarithms of how many words are used more often. */
const RARE = 9.5;
const RARER = 2.5;

/** The same word in another form or spelling, or one of which the other is a part or a short form. */
function isLike(name: string, stem: string, word: string): boolean {
  return (
    isShortFor(name, word) ||
    isEndOf(name, stem) ||
    isEndOf(stemOf(name), stem) ||
    isSameFamily(name, stem, word)
  );
}

/** `campusfee` is a fee, of a campus. */
function isEndOf(name: string, stem: string): boolean {
  const isPart = stem.length >= 4 && name.length >= stem.length + 3;
  return isPart && (name.startsWith(stem) || name.endsWith(stem));
}

/** "allergic" and `allergy`, "nominated" and `nominee`. */
function isSameFamily(name: string, stem: string, word: string): boolean {
  let same = 0;
  while (same < name.length && same < stem.length && name[same] === stem[same]) same += 1;
  const longer = Math.max(name.length, stem.length);
  return same >= 5 && longer - same <= 3 && !isOtherWord(name, word);
}

/** Two words of English that the lexicon does not tie together: a county is no country. */
function isOtherWord(name: string, word: string): boolean {
  // "advised" by an advisor
  if (/(?:ed|ing)$/.test(word) && name.startsWith(stemOf(word))) return false;
  const isKnown = isEnglish(name) && baseForms(word).length > 0;
  return isKnown && relationBetween(word, name) === undefined;
}

const NONE: readonly Span[] = [];

/** "home town" for `hometown`. */
function claimTogether(tokens: readonly Token[], from: number, names: QueryParts['names'], take: Take): void {
  for (const length of [2, 3]) {
    const said = tokens.slice(from, from + length);
    if (said.length < length || said.some(({ kind }) => kind !== 'word')) return;
    const found = names.get(stemOf(said.map(({ lower }) => lower).join('')));
    if (found !== undefined)
      take(from, from + length, { spans: found, why: 'a name in the query', isValue: false });
  }
}

function claimSynonym(tokens: readonly Token[], from: number, names: QueryParts['names'], take: Take): void {
  for (const length of [3, 2, 1]) {
    const said = tokens.slice(from, from + length);
    if (said.length < length || said.some(({ kind }) => kind !== 'word')) continue;
    const others = synonymsOf(said.map(({ lower }) => stemOf(lower)));
    const found = others.find((stems) => stems.every((stem) => names.has(stem)));
    if (found === undefined) continue;
    const spans = found.flatMap((stem) => names.get(stem) ?? NONE);
    take(from, from + length, { spans, why: `another word for ${found.join(' ')}`, isValue: false });
  }
}

/** `dept` for department, `prereq` for prerequisite: the letters of the name in their order, few enough to be a short form. */
function isShortFor(name: string, word: string): boolean {
  if (word.includes('-') || isPlainWord(name, word)) return false;
  if (name.length < 2 || word.length < name.length + 2 || name[0] !== word[0]) return false;
  if (word.startsWith(name)) return name.length >= 3;
  if (name.length < 3 || name.length > 5 || /[aeiou]{2}/.test(name)) return false;
  let at = 0;
  for (const letter of word) if (letter === name[at]) at += 1;
  return at === name.length && !/[aeiou].*[aeiou]/.test(name);
}

/** A word of its own is short for none that is rarer: a city is no charity, `long` may be a longitude. */
function isPlainWord(name: string, word: string): boolean {
  const isBeginning = name.length >= 4 && word.startsWith(name) && word.length >= name.length + 4;
  const own = rarityOf(name);
  return own !== undefined && !isBeginning && own < (rarityOf(word) ?? RARE);
}

/** "inactive customers" by `active = 0`, unless the question denies it. */
function claimOpposites(tokens: readonly Token[], { deniedFlags }: QueryParts, take: Take): void {
  if (tokens.some(({ lower }) => /^(?:not|no|never|without)$|n't$/.test(lower))) return;
  tokens.forEach(({ kind, lower }, at) => {
    const flag = kind === 'word' ? oppositeOf(lower) : undefined;
    const spans = flag === undefined ? undefined : deniedFlags.get(stemOf(flag));
    if (spans !== undefined)
      take(at, at + 1, { spans, why: 'the query asks for those that are not', isValue: true });
  });
}

/** What is written about what is read says the word. */
function claimDescribed(tokens: readonly Token[], { described }: QueryParts, take: Take): void {
  tokens.forEach(({ kind, lower }, at) => {
    const spans = kind === 'word' ? described.get(stemOf(lower)) : undefined;
    // A table "closed on" some day, as its comment says, is not one of those that are closed.
    if (spans !== undefined && lower.length > 3 && !/ed$/.test(lower))
      take(at, at + 1, { spans, why: 'said in a description of what the query reads', isValue: false });
  });
}
