import { z } from 'zod';
import { CandorError, type ErrorCode } from '../../errors.ts';
import type { ChatMessage, ChatReply, LanguageModel, TokenLedger, ToolCall } from '../../model/index.ts';
import { extractJson, parseJson, THOUGHTS } from './extract-json.ts';
import { cutText } from './prompts/blocks/data-block.ts';

/** Of a reply that could not be read: what the model is shown again, and what an error keeps. */
const REPEATED_CHARACTERS = 2_000;
const EXCERPT_CHARACTERS = 120;
const SHOWN_ISSUES = 3;

export interface JsonTask<Reply> {
  /** As the ledger names it: `select tables`. */
  readonly role: string;
  readonly messages: readonly ChatMessage[];
  readonly reply: z.ZodType<Reply>;
  readonly sampling: Sampling;
  /** What is wrong with a reply of the right form, for the model to mend. */
  readonly check?: (reply: Reply) => string | undefined;
  /** What a text says that holds no JSON of the form: weak models write the answer and forget the form. */
  readonly readPlain?: (text: string) => Reply | undefined;
  /** The prompt asks for text, which `readPlain` reads; JSON of the form is taken as well. */
  readonly isText?: boolean;
}

export interface Asker {
  readonly ledger: TokenLedger;
  readonly signal?: AbortSignal | undefined;
}

type Outcome<Reply> = { readonly isRead: true; readonly reply: Reply } | ({ readonly isRead: false } & Cause);

/** Why nothing can be used: the words are for the model to mend, the code for whoever asked. */
interface Cause {
  readonly problem: string;
  readonly code: ErrorCode;
}

/**
 * Asks a model for JSON of one form; a reply that cannot be read is sent back once with what was wrong. Both calls go
 * into the ledger under the role. Throws after the second what makes it unusable (`model.declined`, `model.reply-cut`,
 * `model.only-thoughts`, else `model.invalid-reply`), `model.cancelled`, and what the model throws.
 */
export async function askForJson<Reply>(
  model: LanguageModel,
  task: JsonTask<Reply>,
  asker: Asker,
): Promise<Reply> {
  const first = await askOnce(model, task, asker, task.messages);
  const outcome = readReply(first, task);
  if (outcome.isRead) return outcome.reply;
  const second = await askOnce(model, task, asker, [
    ...task.messages,
    ...repair(first.text, outcome.problem, task.isText),
  ]);
  const again = readReply(second, task);
  if (again.isRead) return again.reply;
  throw new CandorError(
    again.code,
    `${model.id} was asked twice (${task.role}) and gave ${task.isText ? 'nothing usable' : 'no usable JSON'}: ${again.problem}`,
    { data: { model: model.id, role: task.role, excerpt: cutText(second.text, EXCERPT_CHARACTERS) } },
  );
}

async function askOnce<Reply>(
  model: LanguageModel,
  { role, reply: form, sampling, isText = false }: JsonTask<Reply>,
  { ledger, signal }: Asker,
  messages: readonly ChatMessage[],
): Promise<Said> {
  if (signal?.aborted) throw new CandorError('model.cancelled', `${role}: it was cancelled`);
  const reply = await model.chat({
    role,
    messages,
    ...(!isText && { replySchema: z.toJSONSchema(form) }),
    ...sampling,
    ...(signal && { signal }),
  });
  ledger.add(role, reply.usage);
  const { text, toolCalls, thoughts = '', finish } = reply;
  // Some services give what was asked for as the arguments of a call that nobody offered, or take all of it for thoughts.
  const all = [text, toolCalls[0]?.arguments ?? '', thoughts];
  return {
    text: all.find((one) => one.trim() !== '') ?? '',
    cause: causeOf(reply),
    isCut: finish === 'length',
  };
}

/** What a model said, and why there may be nothing in it. */
interface Said {
  readonly text: string;
  readonly cause: Cause | undefined;
  readonly isCut: boolean;
}

/** Why a reply is none, where something else is to blame than its form. */
function causeOf({ text, toolCalls, thoughts, finish }: ChatReply): Cause | undefined {
  if (finish === 'refused')
    return {
      code: 'model.declined',
      problem: 'the service or the model declined to reply (a refusal or a content filter)',
    };
  if (finish === 'length')
    return { code: 'model.reply-cut', problem: 'the reply was cut at its greatest length' };
  if (thoughts !== undefined || (text.trim() !== '' && text.replace(THOUGHTS, '').trim() === ''))
    return { code: 'model.only-thoughts', problem: 'the reply has thoughts and no answer' };
  return text.trim() === '' && toolCalls.length === 0
    ? { code: 'model.invalid-reply', problem: 'the reply is empty' }
    : undefined;
}

/** The last JSON of the text that fits: thoughts and drafts come before it. */
function readReply<Reply>(
  { text, cause, isCut }: Said,
  { reply, check, readPlain }: JsonTask<Reply>,
): Outcome<Reply> {
  const { values, problem } = extractJson(text);
  const blamed = values.length === 0 ? cause : undefined;
  let wrong = blamed?.problem ?? problem;
  for (const value of values.flatMap(alone).toReversed()) {
    const read = reply.safeParse(value);
    const found = read.success ? check?.(read.data) : listIssues(read.error);
    if (read.success && found === undefined) return { isRead: true, reply: read.data };
    wrong ||= found ?? '';
  }
  // What is cut may be half a query that still parses.
  const plain = isCut ? undefined : readPlain?.(text);
  if (plain !== undefined && check?.(plain) === undefined) return { isRead: true, reply: plain };
  return { isRead: false, problem: wrong, code: blamed?.code ?? 'model.invalid-reply' };
}

/** An object in a list of its own is that object as well. */
function alone(value: unknown): readonly unknown[] {
  return Array.isArray(value) && value.length === 1 ? [value[0] as unknown, value] : [value];
}

function listIssues({ issues }: z.ZodError): string {
  const shown = issues.slice(0, SHOWN_ISSUES).map(({ path, message }) => {
    const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
    return `${place === '' ? 'the reply' : place.replace(/^\./, '')}: ${message}`;
  });
  const rest = issues.length - shown.length;
  return rest > 0 ? `${shown.join('; ')}; and ${rest} more` : shown.join('; ');
}

function repair(reply: string, problem: string, isText = false): readonly ChatMessage[] {
  const form = isText
    ? 'in the form asked for and nothing else.'
    : 'with the whole JSON object in the form asked for and nothing else.';
  return [
    // Services refuse an empty message.
    { role: 'assistant', content: cutText(reply, REPEATED_CHARACTERS) || '(nothing)' },
    {
      role: 'user',
      content: `That cannot be used: ${problem}. Reply once more, ${form}`,
    },
  ];
}

/** Of one turn; what is left out is not done, and the next turn says so. */
const MOST_CALLS = 64;
const ID_CHARACTERS = 100;
const ARGUMENT_CHARACTERS = 20_000;

export interface ReadCall {
  readonly id: string;
  readonly tool: string;
  readonly arguments: unknown;
}

/** The calls of one turn. Ids are made ours where they are missing, long or given twice: an answer has to find its call. */
export function readCalls(toolCalls: readonly ToolCall[], turn: number): readonly ReadCall[] {
  const seen = new Set<string>();
  return toolCalls.slice(0, MOST_CALLS).map((call, index) => {
    const isUsable = call.id !== '' && call.id.length <= ID_CHARACTERS && !seen.has(call.id);
    const id = isUsable ? call.id : `turn-${turn}-call-${index + 1}`;
    seen.add(id);
    return { id, tool: cutText(call.name, ID_CHARACTERS), arguments: readArguments(call.arguments) };
  });
}

/** JSON where it is JSON, else the text: what runs the tool tells the model what is wrong with it. */
function readArguments(text: string): unknown {
  if (text.length > ARGUMENT_CHARACTERS) return cutText(text, ARGUMENT_CHARACTERS);
  const read = parseJson(text);
  return 'value' in read ? read.value : text;
}

/** How replies of a language model are drawn, by what is asked of it. */
export interface Sampling {
  readonly temperature: number;
  readonly topP?: number;
  readonly topK?: number;
  /** Most tokens of a reply. */
  readonly maxTokens: number;
  /** Tells draws of one prompt apart. */
  readonly seed?: number;
}

export interface ModelReasonerSettings {
  /** Hypotheses, choice of tables and fields, refinement. */
  readonly linking: Sampling;
  /**
   * Validation, translation, stand-alone questions, both rankers, and the roles of assistance: what should come out the
   * same each time.
   */
  readonly judging: Sampling;
  readonly keywords: Sampling;
  /** Queries; temperature and seed are those of the draw. */
  readonly writing: Omit<Sampling, 'temperature' | 'seed'>;
  /** Fixing, revising, research, reflection, and the judge of tests. */
  readonly mending: Sampling;
  /** Tests that are written before the query. */
  readonly testing: Sampling;
  /** Questions of a benchmark in other words. */
  readonly rewording: Sampling;
  /** Verdicts on what refutes a refusal; the seed is that of the draw. */
  readonly accepting: Omit<Sampling, 'seed'>;
}

/**
 * Sources: EviLink, table 7 (section 10 of the specification), for linking; ThothAI, section 4, for keywords, section 12
 * for tests; one temperature per role where the sources disagree (overview, conflict 14).
 */
export const MODEL_REASONER_DEFAULTS: ModelReasonerSettings = {
  linking: { temperature: 1, topP: 0.95, topK: 40, maxTokens: 16_384 },
  judging: { temperature: 0, maxTokens: 8_192 },
  keywords: { temperature: 0.2, maxTokens: 2_048 },
  writing: { maxTokens: 8_192 },
  mending: { temperature: 0, maxTokens: 8_192 },
  testing: { temperature: 0.7, maxTokens: 4_096 },
  rewording: { temperature: 0.8, maxTokens: 2_048 },
  // Above 0: two verdicts that must agree are two, not one said twice.
  accepting: { temperature: 0.4, maxTokens: 4_096 },
};
