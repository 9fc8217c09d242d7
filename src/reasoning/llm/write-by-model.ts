/** A language model that writes SQL, mends it, and helps to choose: nothing it says is run unparsed. */
import { z } from 'zod';
import {
  knownWords,
  redactEngineError,
  redactQuoted,
  redactSql,
  withoutLiterals,
} from '../../catalog/share/index.ts';
import { CandorError } from '../../errors.ts';
import type { LanguageModel, TokenLedger } from '../../model/index.ts';
import type {
  BrokenQuery,
  Draw,
  ExamplePair,
  JudgedCandidate,
  OddQuery,
  ResearchCall,
  ResearchView,
  WriteQuestion,
  WriteReasoner,
  WriteReply,
} from '../roles/write-reasoner.ts';
import {
  askForJson,
  MODEL_REASONER_DEFAULTS,
  type ModelReasonerSettings,
  readCalls,
  type Sampling,
} from './ask-for-json.ts';
import { cutText } from './prompts/blocks/data-block.ts';
import { RESEARCH_TOOLS } from './prompts/blocks/tools.ts';
import { fixPrompt, revisePrompt } from './prompts/writing/mend-prompts.ts';
import { reflectPrompt } from './prompts/writing/reflect-prompt.ts';
import { judgeTestsPrompt, writeTestsPrompt } from './prompts/writing/test-prompts.ts';
import { researchPrompt, writePrompt } from './prompts/writing/write-prompt.ts';
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

export interface WriterModels {
  /** A stronger model for reflection; without it the writer reflects for itself. */
  readonly reflector?: LanguageModel;
}

const TEXT_CHARACTERS = 2_000;
const TEST_CHARACTERS = 400;
const MOST_TESTS = 14;
/** Stands before a test that comes from what is given with the question (ThothAI, section 12). */
const HINT_MARK = '[hint] ';

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

// The roles of writing in private mode: what quotes cells is cut before a prompt is made of it.

/**
 * Verified pairs without their literals; messages of engines and checks without what is neither in the question, the
 * schema nor the model's own SQL; no near values, no results. Rules of ours may have put a stored spelling into a query:
 * a literal that the model did not write and nobody told it is cut there, too.
 */
function writePrivately(writer: WriteReasoner): WriteReasoner {
  /** What the model itself has said, by question. */
  const said = new WeakMap<TokenLedger, string[]>();
  const remember = <Reply extends WriteReply>({ ledger }: WriteQuestion, reply: Reply): Reply => {
    const texts = said.get(ledger) ?? [];
    said.set(ledger, [...texts, 'sql' in reply ? reply.sql : 'ask' in reply ? reply.ask : reply.missing]);
    return reply;
  };
  const cutter = (question: WriteQuestion): Cutter => cutterOf(question, said.get(question.ledger) ?? []);
  return {
    kind: writer.kind,
    sharing: 'private',
    write: async (question, draw) => remember(question, await writer.write(shown(question), draw)),
    fix: async (question, broken) =>
      remember(question, await writer.fix(shown(question), cutBroken(broken, cutter(question)))),
    revise: async (question, odd) =>
      remember(question, await writer.revise(shown(question), cutOdd(odd, cutter(question)))),
    research: (question, view) => writer.research(shown(question), cutView(view, cutter(question))),
    reflect: (question, view) => writer.reflect(shown(question), cutView(view, cutter(question))),
    writeTests: (question) => writer.writeTests(shown(question)),
    judgeTests: (question, candidates, tests) => {
      const { sql } = cutter(question);
      // Results are rows.
      const cut = candidates.map((candidate): JudgedCandidate => ({ sql: sql(candidate.sql) }));
      return writer.judgeTests(shown(question), cut, tests);
    },
  };
}

const PRIVATE_OBJECTION =
  'Something speaks against it: what you say is missing may be there, your options cannot be told apart, or the pair has other values. Answer, or say once more why not.';

/** A reading of the built-in engine may hold spellings that only the database has. */
function shown({ values: _, reading, objection, failed, ...question }: WriteQuestion): WriteQuestion {
  return {
    ...question,
    ...(failed !== undefined && { failed: cutBroken(failed, cutterOf(question, [])) }),
    examples: question.examples.map((pair) => cutPair(pair, question.dialect)),
    ...(reading !== undefined && { reading: { unread: reading.unread } }),
    // Which stored value was found is not told, only that something was.
    ...(objection !== undefined && { objection: PRIVATE_OBJECTION }),
  };
}

/** A pair keeps its shape: `WHERE city = :text`. */
function cutPair({ question, sql }: ExamplePair, dialect: WriteQuestion['dialect']): ExamplePair {
  const cut = redactSql(sql, dialect);
  return { question: withoutLiterals(question, cut.literals), sql: cut.sql };
}

interface Cutter {
  readonly known: ReadonlySet<string>;
  readonly sql: (sql: string) => string;
}

function cutterOf(
  { text, hint = '', given = '', definitions = [], knowledge, schema, dialect }: WriteQuestion,
  said: readonly string[],
): Cutter {
  const known = knownWords([text, hint, given, ...definitions, ...knowledge, schema, ...said]);
  const keeps = (literal: string): boolean => [...knownWords([literal])].every((word) => known.has(word));
  return { known, sql: (sql) => redactSql(sql, dialect, { keeps }).sql };
}

function cutBroken(
  { sql, problems, engineError, possibilities, advice }: BrokenQuery,
  { known, sql: cutSql }: Cutter,
): BrokenQuery {
  return {
    sql: cutSql(sql),
    problems: problems.map((problem) => redactQuoted(problem, known)),
    ...(engineError !== undefined && { engineError: redactEngineError(engineError, known) }),
    ...(possibilities !== undefined && {
      possibilities: possibilities.map((one) => redactQuoted(one, known)),
    }),
    ...(advice !== undefined && { advice }),
  };
}

function cutOdd({ sql, outcome }: OddQuery, { known, sql: cutSql }: Cutter): OddQuery {
  return { sql: cutSql(sql), outcome: redactEngineError(outcome, known), nearValues: [] };
}

function cutView(view: ResearchView, cutter: Cutter): ResearchView {
  return { ...view, broken: cutBroken(view.broken, cutter) };
}
