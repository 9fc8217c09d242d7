/** JSON in the reply of a model, which may stand in a code fence, after thoughts, or before an afterword. */
import { parse as parseYaml } from 'yaml';
import type { z } from 'zod';

/** 16,384 tokens are about 65,000 characters; thoughts may stand before the answer. */
const MOST_CHARACTERS = 400_000;
const MOST_DEPTH = 32;
/** Brackets in the words around the answer that are tried as its start. */
const MOST_STARTS = 64;

export interface FoundJson {
  /** In the order of the text, outermost only. */
  readonly values: readonly unknown[];
  /** Why there is none, or why a part was passed over; empty where nothing was. */
  readonly problem: string;
}

/** Thoughts of reasoning models, also where they never end. */
export const THOUGHTS = /<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/gi;

/** Every whole JSON object or list of a text, thoughts left aside. Bounded in size, depth and tries; never throws. */
export function extractJson(reply: string): FoundJson {
  if (reply.length > MOST_CHARACTERS)
    return { values: [], problem: `the reply is longer than ${MOST_CHARACTERS} characters` };
  const text = reply.replace(THOUGHTS, ' ');
  const values: unknown[] = [];
  let problem = 'there is no JSON object in the reply';
  let at = nextStart(text, 0);
  for (let starts = 0; at >= 0 && starts < MOST_STARTS; starts++) {
    const span = spanFrom(text, at);
    if (span.end === undefined) {
      if (values.length === 0) problem = 'a JSON object was begun and not ended';
      at = nextStart(text, at + 1);
      continue;
    }
    const read = span.depth > MOST_DEPTH ? TOO_DEEP : parse(text.slice(at, span.end));
    if ('value' in read) values.push(read.value);
    else problem = read.problem;
    at = nextStart(text, span.end);
  }
  return { values, problem: values.length > 0 ? '' : problem };
}

type Read = { readonly value: unknown } | { readonly problem: string };

const TOO_DEEP: Read = { problem: `the JSON is nested deeper than ${MOST_DEPTH} levels` };

/** One JSON value that is the whole text, as arguments of tools are; the same bounds. */
export function parseJson(text: string): Read {
  if (text.length > MOST_CHARACTERS) return { problem: `it is longer than ${MOST_CHARACTERS} characters` };
  const start = nextStart(text, 0);
  return start >= 0 && spanFrom(text, start).depth > MOST_DEPTH ? TOO_DEEP : parse(text);
}

function parse(text: string): Read {
  try {
    return { value: JSON.parse(text) };
  } catch {
    const plain = withoutStrayEscapes(withEscapedBreaks(text));
    if (plain !== text) return parse(plain);
    const value = parseLoosely(text);
    // The engine's message quotes the text.
    return value === undefined ? { problem: 'what stands in brackets is not JSON' } : { value };
  }
}

/** Queries over several lines stand in strings as they are; YAML would join the lines, and a comment would swallow the rest. */
function withEscapedBreaks(text: string): string {
  return text.replace(/"(?:[^"\\]|\\[\s\S])*"/g, (written) =>
    written.replace(/[\n\r\t]/g, (sign) => BREAKS[sign] ?? sign),
  );
}

const BREAKS: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Markdown's backslashes, as in `customer\\_id`, are no escapes of JSON. */
function withoutStrayEscapes(text: string): string {
  return text.replace(/\\(["\\/bfnrt]|u[0-9a-f]{4})|\\/gi, (written, known?: string) =>
    known === undefined ? '' : written,
  );
}

/**
 * What weak models write for JSON and YAML reads: single quotes, bare keys, a comma before the closing bracket, `True`.
 * Only between brackets that are closed, so that half an object stays none.
 */
function parseLoosely(text: string): unknown {
  if (!/^[{[]/.test(text)) return undefined;
  try {
    const value: unknown = parseYaml(text, {
      schema: 'core',
      merge: false,
      // One value that stands for another is nothing a reply needs, and a way to fill the memory.
      maxAliasCount: 0,
      logLevel: 'error',
    });
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function nextStart(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === '{' || text[at] === '[') return at;
  return -1;
}

/** Where the bracket at `start` is closed, brackets in strings left aside, and how deep it goes. */
function spanFrom(text: string, start: number): { readonly end?: number; readonly depth: number } {
  let open = 0;
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (isInString) {
      if (character === '\\') at += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{' || character === '[') depth = Math.max(depth, ++open);
    else if ((character === '}' || character === ']') && --open === 0) return { end: at + 1, depth };
  }
  return { depth };
}

/** The last JSON of a model's reply that has the form; undefined where none has. */
export function readJsonText<Reply>(text: string, form: z.ZodType<Reply>): Reply | undefined {
  for (const value of extractJson(text).values.toReversed()) {
    const read = form.safeParse(value);
    if (read.success) return read.data;
  }
  return undefined;
}
