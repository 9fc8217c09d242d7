/** What a service says of a request that it did not answer, read for what can be acted on; its words are never passed on. */
import { z } from 'zod';

/** More is not searched: an error that quotes the whole request says nothing new behind it. */
const MOST_CHARACTERS = 4_000;
const IDENTIFIER = /^[a-z][a-z0-9_.-]{0,59}$/i;

export interface ServiceFault {
  /** `context_length_exceeded`, `429`: the service's code, where it is a plain identifier or a number. */
  readonly code?: string;
  /** The setting that the service names, where it is a plain identifier: `max_tokens`. */
  readonly param?: string;
  /** Free words, in which only known phrases are looked for: they may repeat the key or a text of the request. */
  readonly words: string;
}

const ISSUES = z.array(z.object({ loc: z.array(z.unknown()), msg: z.string() }));
const FAULT = z.looseObject({ message: z.unknown(), code: z.unknown(), param: z.unknown() }).partial();
const DETAILED = z.object({ detail: z.unknown() });

/** Undefined for a body that tells of no fault. */
export function readServiceFault(body: string): ServiceFault | undefined {
  const json = parseJson(body);
  // Google's older endpoints send a list of one.
  const whole = Array.isArray(json) ? (json[0] as unknown) : json;
  const read = FAULT.safeParse(whole);
  if (!read.success) return undefined;
  const { error, object, detail, message } = read.data;
  if (typeof error === 'string') return { words: cut(error) };
  // vLLM of old and Mistral say it without an envelope, FastAPI in `detail`.
  const said = error ?? (object === 'error' || detail !== undefined || message !== undefined ? whole : null);
  const fault = FAULT.safeParse(said);
  return fault.success ? faultOf(fault.data) : undefined;
}

function faultOf(fault: z.infer<typeof FAULT>): ServiceFault {
  const { message, detail, code, type, status, param } = fault;
  const issues = issuesOf(message) ?? issuesOf(detail);
  const name = [code, type, status].find(isIdentifier);
  const number = [code, status].find((one) => typeof one === 'number');
  const numbers = Object.entries(fault).flatMap(([key, value]) =>
    typeof value === 'number' ? [`${key}: ${value}`] : [],
  );
  const texts = [message, detail].filter((one) => typeof one === 'string');
  const named = isIdentifier(param) ? param : issues?.[0]?.loc.findLast(isIdentifier);
  return {
    code: name ?? (number === undefined ? undefined : String(number)),
    param: named,
    words: cut([...texts, ...(issues ?? []).map(({ msg }) => msg), ...numbers].join('\n')),
  };
}

/** Of a request that does not validate, as FastAPI lists it: where, and what is wrong; also as JSON in a text. */
function issuesOf(said: unknown): z.infer<typeof ISSUES> | undefined {
  const value = typeof said === 'string' ? parseJson(said) : said;
  const list = DETAILED.safeParse(value).data?.detail ?? value;
  return ISSUES.safeParse(list).data;
}

function isIdentifier(word: unknown): word is string {
  return typeof word === 'string' && IDENTIFIER.test(word);
}

function cut(text: string): string {
  return text.slice(0, MOST_CHARACTERS);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
