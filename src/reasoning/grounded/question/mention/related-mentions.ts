import type { Assumption } from '../../../../answer.ts';
import type { Catalog } from '../../../../catalog/index.ts';
import { nameWords } from '../../../../language/index.ts';
import type { Token } from '../read/tokenise.ts';
import { abbreviates, isEnglish, type RelatedWord, relatedWords, shortForms } from '../vocabulary/index.ts';
import type { Mention, NounMatch } from './mention.ts';
import type { NameIndex } from './name-index.ts';

/** A word that names nothing by itself, with what a word that means the same names. */
export interface RelatedMention {
  readonly from: number;
  readonly to: number;
  readonly score: number;
  readonly nouns: readonly NounMatch[];
  readonly values: readonly [];
  /** How likely it is meant so, in (0, 1). */
  readonly relatedWeight: number;
  /** Absent where it is the same word in another form. */
  readonly assumed?: Assumption;
}

/** Less than this, and a word is rather said to name nothing. */
const LEAST_WEIGHT = 0.45;
/** How well the other word must name something. */
const LEAST_MATCH = 0.55;
/** Just below a synonym that we wrote down. */
const RELATED_SCORE = 0.855;
/** Other words that are nearly as likely are readings too. */
const NEARLY = 0.06;

/** A name that has the word as one of several is named by halves. */
const HALF_NAMED = 0.75;

/** Words that name a part of a longer name only, where a table is called by a short form of them: `shp` before `ShipmentEvents` for "shipments". */
export function halfNamed(mentions: readonly Mention[], catalog: Catalog): readonly Mention[] {
  const tables = new Set(catalog.tables.map(({ name }) => name.toLowerCase()));
  return mentions.filter(
    ({ isUnknown, from, to, cue, nouns, values, text }) =>
      !isUnknown &&
      to === from + 1 &&
      cue === undefined &&
      nouns.length > 0 &&
      nouns.every(({ score }) => score < HALF_NAMED) &&
      values.length === 0 &&
      shortForms(text.toLowerCase()).some((short) => tables.has(short)),
  );
}

/** What words that nothing explains may name by a synonym of general English or as what a short form stands for. */
export function relatedMentions(
  tokens: readonly Token[],
  unknown: readonly Mention[],
  names: NameIndex,
  catalog: Catalog,
): RelatedMention[] {
  return unknown.flatMap(({ from, to, isVerbLike }) => {
    const token = tokens[from];
    // Keys tell what a verb between two things says: "songs called …" has no name in it.
    if (token === undefined || isVerbLike || to !== from + 1 || token.kind !== 'word') return [];
    const beside = namedBeside(tokens, from, names, catalog);
    if (beside !== undefined) return [beside];
    const found = namedByOthers(token.lower, names, catalog);
    const [best] = found;
    if (best === undefined) return [];
    const nouns = found
      .filter(({ weight }) => weight >= best.weight - NEARLY)
      .flatMap(({ matches, weight, word }) =>
        matches.map((match) => ({
          ...match,
          score: match.score * (RELATED_SCORE - (best.weight - weight)),
          why: `“${token.lower}” as “${word}”: ${match.why}`,
        })),
      );
    const assumed: Assumption = { kind: 'value', text: `“${token.text}” was read as “${best.word}”.` };
    const mention = { from, to, score: RELATED_SCORE, nouns: distinct(nouns), values: [] as const };
    return [
      { ...mention, relatedWeight: best.weight, assumed: best.why === 'inflection' ? undefined : assumed },
    ];
  });
}

/** "delivery date" for `deliv_date`, "ship channel" for `ship_chnl`: short for the word, and the word beside it as it is. */
function namedBeside(
  tokens: readonly Token[],
  at: number,
  names: NameIndex,
  catalog: Catalog,
): RelatedMention | undefined {
  const [before, word, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (word === undefined) return undefined;
  for (const { word: short, weight } of shortParts(word.lower, catalog))
    for (const [from, said] of [
      [at, [short, after?.kind === 'word' ? after.lower : '']],
      [at - 1, [before?.kind === 'word' ? before.lower : '', short]],
    ] as const) {
      if (said.includes('')) continue;
      const nouns = names.match(said).filter(({ kind, score }) => kind === 'column' && score >= WHOLE_BESIDE);
      if (nouns.length === 0) continue;
      const text = tokens.slice(from, from + 2).map((token) => token.text);
      return {
        ...{ from, to: from + 2, score: RELATED_SCORE, values: [] as const },
        nouns: nouns.map((noun) => ({ ...noun, score: noun.score * RELATED_SCORE })),
        // With the word beside it, the short form is hardly that of another word.
        relatedWeight: (1 + weight) / 2,
        assumed: { kind: 'value', text: `“${text.join(' ')}” was read as “${said.join(' ')}”.` },
      };
    }
  return undefined;
}

/** Both words say all of the name, but for what its table says. */
const WHOLE_BESIDE = 0.93;

interface Named extends RelatedWord {
  readonly matches: readonly NounMatch[];
}

/** The other words that name something, best first; what names it whole before what names a part of it. */
function namedByOthers(lower: string, names: NameIndex, catalog: Catalog): Named[] {
  const words = [...shortParts(lower, catalog), ...relatedWords(lower)];
  return words
    .filter(({ weight, why }) => weight >= LEAST_WEIGHT && !isOtherKind(why))
    .map((other) => {
      // One step away, not two: "wealthy" is moneyed, but no total.
      const isFar = ({ why }: NounMatch): boolean => why.startsWith('synonym of');
      const matches = names
        .match(other.word.split(' '))
        .filter((match) => match.score >= LEAST_MATCH && !isFar(match));
      const best = matches[0]?.score ?? 0;
      return { ...other, weight: other.weight * (0.5 + 0.5 * best), matches };
    })
    .filter(({ matches, weight }) => matches.length > 0 && weight >= LEAST_WEIGHT)
    .sort((a, b) => b.weight - a.weight);
}

/** A broader or a narrower word is another thing: an interior is a region, and nobody means the sales region. */
function isOtherKind(why: string): boolean {
  return why === 'english broader' || why === 'english narrower';
}

const partsOfCatalog = new WeakMap<Catalog, readonly string[]>();

/** Parts of names that are short for the word: `shp` for shipments. */
function shortParts(lower: string, catalog: Catalog): RelatedWord[] {
  let parts = partsOfCatalog.get(catalog);
  if (parts === undefined) {
    const names = catalog.tables.flatMap((table) => [table.name, ...table.columns.map(({ name }) => name)]);
    parts = [...new Set(names.flatMap(nameWords))].filter((part) => part.length >= 2 && part.length <= 7);
    partsOfCatalog.set(catalog, parts);
  }
  return parts.flatMap((part) => {
    const weight = part === lower ? 0 : abbreviates(part, lower);
    return weight === 0 || (weight < LISTED && isEnglish(part))
      ? []
      : [{ word: part, weight, why: 'abbreviation' as const }];
  });
}

/** A short form that is a word itself (`rep`) is taken where our list has it. */
const LISTED = 0.65;

function distinct(nouns: readonly NounMatch[]): NounMatch[] {
  const best = new Map<string, NounMatch>();
  for (const noun of nouns) {
    const key = `${noun.kind}:${noun.id}`;
    if ((best.get(key)?.score ?? 0) < noun.score) best.set(key, noun);
  }
  return [...best.values()].sort((a, b) => b.score - a.score || a.id.localeCompare(b.id));
}
