import type { SemanticModel } from '../../../knowledge/index.ts';
import { literalsOf } from '../../../reasoning/index.ts';
import type { BenchItem } from '../bench-item.ts';

/** What new words for a question must and must not say. */
export interface WordingBounds {
  /** Texts of the question that stay. */
  readonly kept: readonly string[];
  /** Texts that must not come in. */
  readonly avoided: readonly string[];
  /** What is wrong with new words, without quoting any data; undefined: nothing. */
  readonly fault: (words: string) => string | undefined;
}

/**
 * What names something here stays letter by letter: numbers and quoted texts, stored values, the words of metrics and
 * dimensions, and what is vague or missing. The dimension that a follow-up must ask for stays out. BAR-SQL §5.
 */
export function wordingBounds(
  item: Pick<BenchItem, 'question' | 'due' | 'entities'>,
  semantics: SemanticModel,
): WordingBounds {
  const { question, due } = item;
  const kept = withoutParts(wanted(item, semantics).filter((text) => standsIn(text, question)));
  const dimension = due.kind === 'follow_up' ? namesOf(due.dimension, semantics) : [];
  const avoided = dimension.filter((text) => !standsIn(text, question));
  const numbers = new Set(numbersOf(question));
  return {
    ...{ kept, avoided },
    fault: (words) => {
      const lost = kept.findIndex((text) => !standsIn(text, words));
      if (lost >= 0) return `text ${lost + 1} of the texts that stay is not in it as it is`;
      if (avoided.some((text) => standsIn(text, words))) return 'it says one of the texts not to say';
      if (numbersOf(words).some((number) => !numbers.has(number)))
        return 'it has a number that the question does not have';
      return evened(words) === evened(question) ? 'it is the same question' : undefined;
    },
  };
}

function wanted(
  { question, due, entities }: Pick<BenchItem, 'question' | 'due' | 'entities'>,
  semantics: SemanticModel,
): readonly string[] {
  const { metrics, dimensions, valueMappings } = semantics;
  const values = entities.map((entity) => entity.slice(entity.indexOf('=') + 1));
  return [
    ...literalsOf(question),
    ...values,
    ...valueMappings.flatMap(({ surface }) => surface),
    ...[...metrics, ...dimensions].flatMap(({ name, synonyms }) => [name, ...synonyms]),
    ...(due.kind === 'clarify' ? [due.phrase] : []),
    ...(due.kind === 'reject' ? [due.missing] : []),
  ];
}

function namesOf(dimension: string, { dimensions }: SemanticModel): readonly string[] {
  const { synonyms = [] } = dimensions.find(({ name }) => name === dimension) ?? {};
  return [dimension, ...synonyms];
}

/** A text that is part of a longer one stays with it. */
function withoutParts(texts: readonly string[]): readonly string[] {
  const once = [...new Map(texts.map((text) => [text.toLowerCase(), text])).values()];
  return once.filter((text) => !once.some((other) => other !== text && standsIn(text, other)));
}

/** As whole words, whatever its case; blanks and underscores are one. */
function standsIn(text: string, sentence: string): boolean {
  return text.trim() !== '' && ` ${evened(sentence)} `.includes(` ${evened(text)} `);
}

function evened(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}

function numbersOf(text: string): readonly string[] {
  return text.match(/\p{N}+/gu) ?? [];
}
