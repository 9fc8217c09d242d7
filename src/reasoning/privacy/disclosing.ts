import type { DisclosedBlock, Disclosure } from '../../answer.ts';
import { CandorError, type ErrorCode } from '../../errors.ts';
import { type ChatRequest, type LanguageModel, modelFacts } from '../../model/index.ts';
import { PROMPT_VERSIONS } from '../llm/prompt-versions.ts';
import { mayHoldValues, promptBlocks } from './prompt-blocks.ts';

/** Codes of calls that ended before anything was sent. */
const NOT_SENT: ReadonlySet<ErrorCode> = new Set(['model.would-leak']);

/** `model`, with every call noted: what it was told, whether or not it replied. */
export function disclosing(model: LanguageModel, note: (disclosure: Disclosure) => void): LanguageModel {
  return {
    ...modelFacts(model),
    chat: async (request) => {
      const said = {
        ...disclosureOf(request, model.isPrivate === true),
        model: model.id,
        host: model.host ?? null,
      };
      try {
        const reply = await model.chat(request);
        const { promptTokens, completionTokens, cachedTokens } = reply.usage;
        const outcome = reply.isReplayed ? 'replayed' : 'replied';
        const cached = cachedTokens ? { cachedTokens } : {};
        note({ ...said, promptTokens, completionTokens, ...cached, outcome });
        return reply;
      } catch (error) {
        // What was held back was not sent.
        if (!isHeldBack(error)) note({ ...said, promptTokens: 0, completionTokens: 0, outcome: 'failed' });
        throw error;
      }
    },
  };
}

function isHeldBack(error: unknown): boolean {
  return error instanceof CandorError && NOT_SENT.has(error.code);
}

type Said = Pick<Disclosure, 'role' | 'promptVersion' | 'blocks' | 'tables'>;

const VERSIONS: Readonly<Record<string, number>> = PROMPT_VERSIONS;
/** The beginnings of tables in the forms that prompts write schemas in. */
const TABLE =
  /^(?:CREATE TABLE (.+) \($|CREATE TABLE (.+?) \( --|# Table: (.+?)(?:,|$)|table (.+?)(?:[ :[(]|$))/gm;
const MOST_TABLES = 500;

/**
 * The blocks of a request by name, with characters; equal names are one. What models wrote before (assistant turns and
 * calls of tools) is `said before`. `isPrivate`: values were kept out of it.
 */
export function disclosureOf(request: ChatRequest, isPrivate = false): Said {
  const sizes = new Map<string, number>();
  const add = (name: string, characters: number): void => {
    if (characters > 0) sizes.set(name, (sizes.get(name) ?? 0) + characters);
  };
  const tables = new Set<string>();
  for (const message of request.messages) {
    if (message.role === 'assistant') {
      const calls = (message.toolCalls ?? []).reduce((sum, call) => sum + call.arguments.length, 0);
      add('said before', message.content.length + calls);
      continue;
    }
    for (const { name, text } of promptBlocks(message)) {
      add(name ?? 'outside', text.length);
      if (name !== undefined && mayHoldValues(name)) for (const table of tablesIn(text)) tables.add(table);
    }
  }
  const { role = 'unnamed' } = request;
  const promptVersion = Object.hasOwn(VERSIONS, role) ? VERSIONS[role] : undefined;
  return {
    role,
    ...(promptVersion !== undefined && { promptVersion }),
    blocks: [...sizes].map(
      ([name, characters]): DisclosedBlock => ({
        name,
        characters,
        mayHoldValues: !isPrivate && name !== 'outside' && name !== 'said before' && mayHoldValues(name),
      }),
    ),
    tables: [...tables].slice(0, MOST_TABLES),
  };
}

function tablesIn(text: string): readonly string[] {
  return [...text.matchAll(TABLE)].map(([, ...names]) => names.find((name) => name !== undefined) ?? '');
}
