import type { LanguageModel } from './language-model.ts';

/** Everything of a model but `chat`, for one that stands before it; a class keeps its methods. */
export function modelFacts(model: LanguageModel): Omit<LanguageModel, 'chat'> {
  const { id, contextWindow, host, contract, price, isPrivate } = model;
  return {
    id,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(host !== undefined && { host }),
    ...(contract !== undefined && { contract }),
    ...(price !== undefined && { price }),
    ...(isPrivate && { isPrivate }),
    ...(model.close && { close: async () => model.close?.() }),
  };
}
