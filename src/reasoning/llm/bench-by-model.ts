/** A language model that says questions of a benchmark in other words, and judges queries against refusals. */

import { z } from 'zod';
import { onOneLine } from '../../lib/index.ts';
import type { LanguageModel } from '../../model/index.ts';
import type { BenchReasoner } from '../roles/bench-reasoner.ts';
import { askForJson, MODEL_REASONER_DEFAULTS, type ModelReasonerSettings } from './ask-for-json.ts';
import { acceptPrompt } from './prompts/accept-prompt.ts';
import { cutText } from './prompts/blocks/data-block.ts';
import { rewordPrompt } from './prompts/reword-prompt.ts';

const WORDS_CHARACTERS = 600;
const TEXT_CHARACTERS = 600;

/** `model` behind the contract of benchmarks (BAR-SQL, sections 4, 5 and 12). */
export function benchByModel(
  model: LanguageModel,
  settings: Partial<ModelReasonerSettings> = {},
): BenchReasoner {
  const { rewording, accepting } = { ...MODEL_REASONER_DEFAULTS, ...settings };
  return {
    kind: 'model',
    reword: async (question) => {
      const task = {
        role: 'reword',
        messages: rewordPrompt(question),
        reply: REWORDED,
        sampling: rewording,
        check: (reply: z.infer<typeof REWORDED>) =>
          faultOfForm(reply.question) ?? question.fault(onOneLine(reply.question)),
      };
      return onOneLine((await askForJson(model, task, question)).question);
    },
    accept: async (question, sql, draw) => {
      const sampling = { ...accepting, seed: draw };
      const task = { role: 'accept', messages: acceptPrompt(question, sql), reply: VERDICT, sampling };
      const { answers, because } = await askForJson(model, task, question);
      return { isAccepted: answers, because: cutText(onOneLine(because ?? ''), TEXT_CHARACTERS) };
    },
  };
}

const REWORDED = z.object({ question: z.string() });
/** The reason comes first: a model held to the form thinks before it decides. */
const VERDICT = z.object({ because: z.string().nullish(), answers: z.boolean() });

/** Control and invisible characters, which hide text from people. */
const HIDDEN = /(?![\n\t\r\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/u;

function faultOfForm(words: string): string | undefined {
  if (onOneLine(words) === '') return 'question: it is empty';
  if (HIDDEN.test(words)) return 'question: it has characters that cannot be seen';
  return words.length > WORDS_CHARACTERS
    ? `question: it is longer than ${WORDS_CHARACTERS} characters`
    : undefined;
}
