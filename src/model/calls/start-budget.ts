import { CandorError } from '../../errors.ts';
import type { ChatReply, ChatRequest, LanguageModel } from '../language-model/language-model.ts';
import { modelFacts } from '../language-model/model-facts.ts';

/** What one question may use. */
export interface Budget {
  readonly calls: number;
  /** Of prompts and replies. */
  readonly tokens: number;
}

/** Before a service has counted anything: text in European languages and SQL. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * A budget for one question, which all models put under it share. Before each call the tokens of its prompt are
 * estimated, by the characters per token that the replies so far have shown; what would go beyond the budget is not
 * sent. Replies from a cache or recording cost nothing. Calls throw `model.budget-spent`, which says what was spent.
 */
export function startBudget(budget: Budget): (model: LanguageModel) => LanguageModel {
  const spent: Spent = { calls: 0, tokens: 0, promptCharacters: 0, promptTokens: 0 };
  return (model) => ({ ...modelFacts(model), chat: (request) => chatWithin(model, request, budget, spent) });
}

interface Spent {
  calls: number;
  tokens: number;
  promptCharacters: number;
  promptTokens: number;
}

async function chatWithin(
  model: LanguageModel,
  request: ChatRequest,
  budget: Budget,
  spent: Spent,
): Promise<ChatReply> {
  const characters = charactersOf(request);
  const ratio = spent.promptTokens > 0 ? spent.promptCharacters / spent.promptTokens : CHARACTERS_PER_TOKEN;
  const estimate = Math.ceil(characters / ratio);
  let isSent = false;
  const onSend = (): void => {
    throwIfBeyond(budget, spent, estimate);
    // Counted before the reply comes, so that calls side by side cannot all pass.
    spent.calls += 1;
    spent.tokens += estimate;
    isSent = true;
  };
  try {
    const reply = await model.chat({ ...request, onSend });
    const { promptTokens, completionTokens } = reply.usage;
    if (isSent) {
      spent.tokens += promptTokens + completionTokens;
      spent.promptCharacters += characters;
      spent.promptTokens += promptTokens;
    }
    return reply;
  } finally {
    if (isSent) spent.tokens -= estimate;
  }
}

function throwIfBeyond(budget: Budget, { calls, tokens }: Spent, estimate: number): void {
  const shown = (count: number): string => count.toLocaleString('en');
  const isBeyond = calls >= budget.calls || tokens + estimate > budget.tokens;
  if (!isBeyond) return;
  const limit = calls >= budget.calls ? `${budget.calls} calls` : `${shown(budget.tokens)} tokens`;
  throw new CandorError(
    'model.budget-spent',
    `a question may use ${limit}; this one has used ${calls} calls and ${shown(tokens)} tokens, and its next prompt has some ${shown(estimate)}`,
    { data: { calls, tokens, estimate } },
  );
}

function charactersOf({ messages, tools = [], replySchema = {} }: ChatRequest): number {
  const texts = messages.reduce((sum, { content }) => sum + content.length, 0);
  return texts + JSON.stringify(tools).length + JSON.stringify(replySchema).length;
}
