/** Finds the words of the question that a definition explains. */
import type { Token } from '../read/tokenise.ts';
import type { Definition } from './definition.ts';
import { findLiteral } from './find-literal.ts';
import { findPhrase, type TokenRange } from './find-phrase.ts';

/** A definition beside the tokens it explains; without tokens it is said at the end, as it were. */
export interface PlacedDefinition {
  readonly definition: Definition;
  readonly range?: TokenRange;
}

/**
 * Places each definition: by its phrase, else by its literals, else, for a figure, by a word that asks for one. What only
 * explains words that the question does not have is left out; a condition without any phrase holds all the same.
 */
export function placeDefinitions(
  definitions: readonly Definition[],
  tokens: readonly Token[],
  isThing: (word: string) => boolean,
): PlacedDefinition[] {
  return definitions.flatMap((definition): PlacedDefinition[] => {
    const { phrase, meaning } = definition;
    const found = phrase === '' ? [] : findPhrase(phrase, tokens, isThing);
    // A figure is asked for once; what names or narrows may be said again.
    const isOnce = meaning.figure !== undefined || meaning.ranking !== undefined;
    if (found.length > 0)
      return (isOnce ? found.slice(0, 1) : found).map((place) => {
        const range = withoutThings(place, definition, tokens, isThing);
        return { definition, range: withOf(range, definition, tokens) };
      });
    const literal = findLiteral(meaning.conditions, tokens);
    if (literal !== undefined) return [{ definition, range: literal }];
    const word =
      meaning.figure?.kind === 'expression' || meaning.ranking !== undefined
        ? figureWord(definition, tokens)
        : undefined;
    if (word !== undefined) return [{ definition, range: withOf(word, definition, tokens) }];
    return phrase === '' && meaning.conditions.length > 0 ? [{ definition }] : [];
  });
}

/** The thing that a condition describes keeps its own place: of "double bonds" only "double" is explained. */
function withoutThings(
  { from, to }: TokenRange,
  { meaning }: Definition,
  tokens: readonly Token[],
  isThing: (word: string) => boolean,
): TokenRange {
  const isDescribed =
    meaning.columns.length === 0 && meaning.figure === undefined && meaning.heldBy === undefined;
  if (!isDescribed) return { from, to };
  let [start, end] = [from, to];
  const isOuter = (at: number): boolean => {
    const { kind = 'stop', lower = '' } = tokens[at] ?? {};
    return kind === 'word' && (isThing(lower) || LINKS.has(lower));
  };
  while (end - start > 1 && isOuter(end - 1)) end -= 1;
  while (end - start > 1 && isOuter(start)) start += 1;
  return { from: start, to: end };
}

/** "the percentage of": the word that leads on belongs to the figure. */
function withOf({ from, to }: TokenRange, { meaning }: Definition, tokens: readonly Token[]): TokenRange {
  return { from, to: meaning.figure !== undefined && tokens[to]?.lower === 'of' ? to + 1 : to };
}

/** Words between a thing and what describes it. */
const LINKS = new Set('that which who are is was were be the'.split(' '));

const RATIO = /^(?:percent|percents|percentage|percentages|proportion|ratio|rate|share|difference|times|%)$/;
const AVERAGE = /^(?:average|mean|averagely)$/;
const RANKING = /^(?:most|least|highest|lowest|largest|smallest|biggest|maximum|minimum|top|best|fewest)$/;

/** A word of the question that asks for a figure of this kind. */
function figureWord({ meaning }: Definition, tokens: readonly Token[]): TokenRange | undefined {
  const patterns = meaning.ranking === undefined ? [RATIO, AVERAGE, /^much$/] : [RANKING];
  for (const pattern of patterns) {
    const at = tokens.findIndex(({ lower }) => pattern.test(lower));
    if (at >= 0) return { from: at, to: at + 1 };
  }
  return undefined;
}
