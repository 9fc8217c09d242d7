/** A language model that writes SQL, mends it, and helps to choose: nothing it says is run unparsed. */
import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import type { LanguageModel } from '../../model/index.ts';
import type { Draw, ResearchCall, ResearchView, WriteQuestion, WriteReasoner } from '../write-reasoner.ts';
import { askForJson } from './ask-for-json.ts';
import { cutText } from './prompts/data-block.ts';
import { fixPrompt } from './prompts/fix-prompt.ts';
import { judgeTestsPrompt } from './prompts/judge-tests-prompt.ts';
import { reflectPrompt } from './prompts/reflect-prompt.ts';
import { researchPrompt } from './prompts/research-prompt.ts';
import { RESEARCH_TOOLS } from './prompts/research-tools.ts';
import { revisePrompt } from './prompts/revise-prompt.ts';
import { writePrompt } from './prompts/write-prompt.ts';
import { writeTestsPrompt } from './prompts/write-tests-prompt.ts';
import { readCalls } from './read-calls.ts';
import {
  MENDED,
  readPlainQuery,
  readPlainReply,
  toQuery,
  toWritten,
  WRITTEN,
  wrongWithQuery,
  wrongWithReply,
} from './read-written.ts';
import { MODEL_REASONER_DEFAULTS, type ModelReasonerSettings, type Sampling } from './sampling.ts';
import { writePrivately } from './write-privately.ts';

export interface WriterModels {
  /** A stronger model for reflection; without it the writer reflects for itself. */
  readonly reflector?: LanguageModel;
}

const TEXT_CHARACTERS = 2_000;
const TEST_CHARACTERS = 400;
const MOST_TESTS = 14;
/** Stands before a test that comes from what is given with the question (ThothAI, section 12). */
export const HINT_MARK = '[hint] ';

/** `model` behind the contract of writing (LinkedIn, sections 5.3 and 5.4; ThothAI, section 12; EviLink, section 11). */
export function writeByModel(
  model: LanguageModel,
  settings: Partial<ModelReasonerSettings> = {},
  { reflector = model }: WriterModels = {},
): WriteReasoner {
  const { writing, mending, testing } = { ...MODEL_REASONER_DEFAULTS, ...settings };
  const writer: WriteReasoner = {
    kind: 'model',
    write: async (question, draw) => {
      const sampling = { ...writing, temperature: draw.temperature, seed: draw.index };
      return write(model, question, draw, sampling);
    },
    fix: async (question, broken) => mend(model, question, 'fix', fixPrompt(question, broken), mending),
    revise: async (question, odd) => mend(model, question, 'revise', revisePrompt(question, odd), mending),
    research: async (question, view) => research(model, question, view, mending),
    reflect: async (question, view) => {
      const messages = reflectPrompt(question, view);
      const task = { role: 'reflect', messages, reply: REFLECTION, sampling: mending };
      const { isEnough, advice } = await askForJson(reflector, task, question);
      return { isEnough, advice: cutText(advice?.trim() ?? '', TEXT_CHARACTERS) };
    },
    writeTests: async (question) => {
      const messages = writeTestsPrompt(question);
      const task = { role: 'write tests', messages, reply: TESTS, sampling: testing };
      return toTests(await askForJson(model, task, question));
    },
    judgeTests: async (question, candidates, tests) => {
      if (candidates.length === 0 || tests.length === 0) return candidates.map(() => []);
      const task = {
        role: 'judge tests',
        messages: judgeTestsPrompt(question, candidates, tests),
        reply: VERDICTS,
        sampling: mending,
        check: (reply: Verdicts) => lackingVerdict(reply, candidates.length),
      };
      const verdicts = await askForJson(model, task, question);
      return candidates.map((_, at) => {
        const passed = passedBy(verdicts, at + 1)?.passed ?? [];
        return tests.map((__, test) => passed.includes(test + 1));
      });
    },
  };
  return model.isPrivate || reflector.isPrivate ? writePrivately(writer) : writer;
}

async function write(model: LanguageModel, question: WriteQuestion, draw: Draw, sampling: Sampling) {
  const task = {
    role: 'write',
    messages: writePrompt(question, draw, model.contract),
    reply: WRITTEN,
    isText: model.contract === 'short',
    sampling,
    check: (reply: z.infer<typeof WRITTEN>) => wrongWithReply(reply, question.examples.length),
    readPlain: (text: string) => readPlainReply(text, question.dialect),
  };
  return toWritten(await askForJson(model, task, question));
}

async function mend(
  model: LanguageModel,
  question: WriteQuestion,
  role: 'fix' | 'revise',
  messages: ReturnType<typeof fixPrompt>,
  sampling: Sampling,
) {
  const task = {
    role,
    messages,
    reply: MENDED,
    sampling,
    check: wrongWithQuery,
    readPlain: (text: string) => readPlainQuery(text, question.dialect),
  };
  return toQuery(await askForJson(model, task, question));
}

async function research(
  model: LanguageModel,
  question: WriteQuestion,
  view: ResearchView,
  sampling: Sampling,
): Promise<readonly ResearchCall[]> {
  const { ledger, signal } = question;
  if (signal?.aborted) throw new CandorError('model.cancelled', 'research: it was cancelled');
  const { toolCalls, usage } = await model.chat({
    role: 'research',
    messages: researchPrompt(question, view),
    tools: RESEARCH_TOOLS,
    ...sampling,
    ...(signal && { signal }),
  });
  ledger.add('research', usage);
  return readCalls(toolCalls, view.turn);
}

const REFLECTION = z.object({ isEnough: z.boolean(), advice: z.string().nullish() });

const TESTS = z.object({
  tests: z.array(z.object({ test: z.string(), fromHint: z.boolean().nullish() })).min(1),
});

/** Once each, at most 14, those of the hint marked. Fewer than asked for are taken: a weak model has fewer ideas. */
function toTests({ tests }: z.infer<typeof TESTS>): readonly string[] {
  const texts = tests.flatMap(({ test, fromHint }) => {
    const text = cutText(test.trim(), TEST_CHARACTERS);
    return text === '' ? [] : [`${fromHint === true ? HINT_MARK : ''}${text}`];
  });
  return [...new Set(texts)].slice(0, MOST_TESTS);
}

const VERDICTS = z.object({
  candidates: z.array(z.object({ candidate: z.number(), passed: z.array(z.number()) })),
});
type Verdicts = z.infer<typeof VERDICTS>;

function passedBy({ candidates }: Verdicts, number: number): Verdicts['candidates'][number] | undefined {
  return candidates.find(({ candidate }) => candidate === number);
}

/** A candidate without a verdict has not failed: the judge has to say. */
function lackingVerdict(verdicts: Verdicts, candidates: number): string | undefined {
  for (let number = 1; number <= candidates; number++)
    if (passedBy(verdicts, number) === undefined) return `candidates: candidate ${number} has no verdict`;
  return undefined;
}
