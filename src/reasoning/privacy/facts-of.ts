import type { LanguageModel } from '../../model/index.ts';

/** Everything of a model but `chat`, for one that stands before it; a class keeps its methods. */
export function factsOf(model: LanguageModel): Omit<LanguageModel, 'chat'> {
  const { id, contextWindow, host, isPrivate } = model;
  return {
    id,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(host !== undefined && { host }),
    ...(isPrivate && { isPrivate }),
    ...(model.close && { close: async () => model.close?.() }),
  };
}
