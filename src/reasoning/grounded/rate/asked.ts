import { predictSoftmax, type SoftmaxModel } from '../../../softmax/index.ts';
import type { Mention } from '../question/mention/mention.ts';
import type { ReadQuestion } from './candidate.ts';
import { SHAPE_PARTS, type ShapePart } from './query-traits.ts';
import { mentionContext, type QuestionSymbol, questionGrams, questionSymbols } from './question-features.ts';

/** What is learned of questions alone: which outline a question asks for, what its words are for. */
export interface AskedModels {
  readonly shapes: Readonly<Record<ShapePart, SoftmaxModel>>;
  readonly roles: SoftmaxModel;
}

/** Log-probabilities in nats. */
interface Opinions {
  readonly best: number;
  of(label: string): number;
}

/** What a question asks for, by its words. */
export interface Asked {
  readonly shapes: Readonly<Record<ShapePart, Opinions>>;
  readonly roles: readonly {
    readonly mention: Mention;
    readonly symbol: string;
    readonly opinions: Opinions;
  }[];
}

/** What the models say of a question; databases differ, its symbols do not. */
export function readAsked(question: ReadQuestion, models: AskedModels): Asked {
  const symbols = questionSymbols(question.tokens, question.mentions);
  const grams = questionGrams(symbols);
  const shapes = {} as Record<ShapePart, Opinions>;
  for (const part of SHAPE_PARTS) shapes[part] = opinionsOf(models.shapes[part], grams);
  return {
    shapes,
    roles: namedPlaces(symbols).map(({ mention, symbol, place }) => ({
      mention,
      symbol,
      opinions: opinionsOf(models.roles, mentionContext(symbols, place)),
    })),
  };
}

/** The places of a question that name something of the database. */
export function namedPlaces(
  symbols: readonly QuestionSymbol[],
): { readonly mention: Mention; readonly symbol: string; readonly place: number }[] {
  return symbols.flatMap(({ mention, symbol }, place) =>
    mention !== undefined &&
    (mention.nouns.length > 0 ||
      mention.values.length > 0 ||
      mention.number !== undefined ||
      mention.isQuoted)
      ? [{ mention, symbol, place }]
      : [],
  );
}

/** A label that was never seen is this unlikely. */
const UNSEEN = Math.log(1e-4);

function opinionsOf(model: SoftmaxModel, features: readonly string[]): Opinions {
  const probabilities = predictSoftmax(model, features);
  const places = new Map(model.classes.map((label, place) => [label, place]));
  const logOf = (place: number): number => Math.max(UNSEEN, Math.log(probabilities[place] ?? 0));
  return {
    best: Math.max(...model.classes.map((_, place) => logOf(place))),
    of(label) {
      const place = places.get(label);
      return place === undefined ? UNSEEN : logOf(place);
    },
  };
}
