/** Reasoners that count the prompts a model would have been sent, and let rules answer. */
import { countTokens } from 'gpt-tokenizer';
import type { ChatMessage } from '../../src/model/index.ts';
import { REFINE_TOOLS } from '../../src/reasoning/llm/prompts/blocks/tools.ts';
import { hypothesisePrompt } from '../../src/reasoning/llm/prompts/linking/hypothesise-prompt.ts';
import { rankColumnsPrompt, rankTablesPrompt } from '../../src/reasoning/llm/prompts/linking/rank-prompts.ts';
import { readTogetherPrompt } from '../../src/reasoning/llm/prompts/linking/read-together-prompt.ts';
import { refinePrompt } from '../../src/reasoning/llm/prompts/linking/refine-prompt.ts';
import {
  selectFieldsPrompt,
  selectTablesPrompt,
} from '../../src/reasoning/llm/prompts/linking/select-prompts.ts';
import type { LinkReasoner } from '../../src/reasoning/roles/link-reasoner.ts';
import type { RankReasoner } from '../../src/reasoning/roles/rank-reasoner.ts';

/** Tools go along with every turn of refinement. */
const TOOL_TOKENS = countTokens(JSON.stringify(REFINE_TOOLS));

/** Texts and arguments of calls, without what a service puts around messages. */
function tokensOf(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, message) => {
    const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
    return sum + countTokens(message.content + calls.map((call) => call.arguments).join(''));
  }, 0);
}

/** `add` gets the tokens of each prompt. */
export function countingRanker(ranker: RankReasoner, add: (tokens: number) => void): RankReasoner {
  return {
    kind: ranker.kind,
    rankTables: (question, cards) => {
      add(tokensOf(rankTablesPrompt(question, cards)));
      return ranker.rankTables(question, cards);
    },
    rankColumns: (question, parts) => {
      add(tokensOf(rankColumnsPrompt(question, parts)));
      return ranker.rankColumns(question, parts);
    },
  };
}

/** `add` gets the tokens of each prompt. */
export function countingLinker(linker: LinkReasoner, add: (tokens: number) => void): LinkReasoner {
  return {
    kind: linker.kind,
    hypothesise: (question, view, most) => {
      add(tokensOf(hypothesisePrompt(question, view, most)));
      return linker.hypothesise(question, view, most);
    },
    selectTables: (question, hypothesis, view) => {
      add(tokensOf(selectTablesPrompt(question, hypothesis, view)));
      return linker.selectTables(question, hypothesis, view);
    },
    selectFields: (question, hypothesis, view) => {
      add(tokensOf(selectFieldsPrompt(question, hypothesis, view)));
      return linker.selectFields(question, hypothesis, view);
    },
    readTogether: async (question, overview, most) => {
      add(tokensOf(readTogetherPrompt(question, overview, most)));
      const view = { level: 'L1', tables: overview.tables } as const;
      const hypotheses = await linker.hypothesise(question, view, most);
      return Promise.all(
        hypotheses.map(async (hypothesis) => ({
          hypothesis,
          tables: await linker.selectTables(question, hypothesis, view),
          fields: await linker.selectFields(question, hypothesis, view),
          unseen: [],
        })),
      );
    },
    refine: (question, view) => {
      add(tokensOf(refinePrompt(question, view)) + TOOL_TOKENS);
      return linker.refine(question, view);
    },
  };
}
