/** A parsed foreign file that knows where its values stand, so that a complaint names the line and the column. */
import type { z } from 'zod';
import { CandorError } from '../../errors.ts';
import { nearestNames } from '../../sql/index.ts';
import type { ForeignFile } from './conversion.ts';
import { openJson } from './open-json.ts';
import { openYaml } from './open-yaml.ts';
import { type ForeignPath, ForeignSyntaxError, type ParsedText } from './parsed-text.ts';

export type { ForeignPath } from './parsed-text.ts';

export interface ForeignDocument {
  readonly path: string;
  readonly value: unknown;
  /** `models/orders.yml:12:5`, for losses. */
  place(at: ForeignPath): string;
  /** The `interchange.invalid` error for a fault at a place. */
  fault(at: ForeignPath, message: string): CandorError;
  /** Checks a value that stands at `at`; throws the place of the first fault and what is expected there. */
  check<T>(schema: z.ZodType<T>, value: unknown, at: ForeignPath): T;
  /** Keys of a mapping that a format does not have. One that is nearly a known key throws: it is a misspelling. */
  unknownKeys(value: object, known: Iterable<string>, at: ForeignPath): readonly string[];
}

/**
 * Parses a YAML or JSON file (by its ending) as one document. Bounded in depth and in what aliases may multiply to;
 * keys that stand twice, several documents and broken syntax throw `interchange.invalid` with file, line and column.
 */
export function openForeign({ path, text }: ForeignFile): ForeignDocument {
  const parsed = parseText(path, text);
  const placeOf = linePlaces(text);
  const faultAt = (at: ForeignPath, message: string) => faultIn(path, text, parsed.offsetOf(at), message);
  return {
    path,
    value: parsed.value,
    place: (at) => `${path}:${placeOf(parsed.offsetOf(at)).join(':')}`,
    fault: faultAt,
    check: (schema, value, at) => {
      const result = schema.safeParse(value);
      if (result.success) return result.data;
      const { place, message } = explain(result.error.issues);
      const names = place.filter((step) => typeof step === 'string');
      throw faultAt([...at, ...place], names.length === 0 ? message : `${names.at(-1)}: ${message}`);
    },
    unknownKeys: (value, known, at) => {
      const all = [...known];
      const unknown = Object.keys(value).filter((key) => !all.includes(key));
      for (const key of unknown) {
        const [near] = nearestNames(
          key,
          all.filter((name) => isMisspelling(key, name)),
          1,
        );
        if (near !== undefined)
          throw faultAt([...at, key], `unknown key \`${key}\`; did you mean \`${near}\`?`);
      }
      return unknown;
    },
  };
}

/** The `interchange.invalid` error for an offset of a text; formats with a parser of their own use it too. */
export function faultIn(path: string, text: string, offset: number, message: string): CandorError {
  const [line, column] = lineAndColumn(text, offset);
  return new CandorError('interchange.invalid', `${path}:${line}:${column}: ${message}`, {
    data: { file: path, line, column },
  });
}

/** 1-based line and column, in UTF-16 units. */
export function lineAndColumn(text: string, offset: number): readonly [line: number, column: number] {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
    start = at + 1;
  }
  return [line, offset - start + 1];
}

/** The same for many offsets of one text: its lines are counted once, when the first place is asked for. */
function linePlaces(text: string): (offset: number) => readonly [line: number, column: number] {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return [low + 1, offset - (starts[low] ?? 0) + 1];
  };
}

function parseText(path: string, text: string): ParsedText {
  try {
    return path.toLowerCase().endsWith('.json') ? openJson(text) : openYaml(text);
  } catch (error) {
    if (error instanceof ForeignSyntaxError) throw faultIn(path, text, error.offset, error.message);
    throw error;
  }
}

type Issue = z.core.$ZodIssue;

/** Of a value that may be one of several shapes, the shape that came furthest is the one that was meant. */
function explain(issues: readonly Issue[]): { place: (string | number)[]; message: string } {
  const issue = issues[0];
  if (issue === undefined) return { place: [], message: 'not understood' };
  const place = issue.path.filter((step) => typeof step !== 'symbol');
  if (issue.code !== 'invalid_union') return { place, message: issue.message };
  const inner = issue.errors.map(explain).sort((a, b) => b.place.length - a.place.length)[0];
  if (inner === undefined || inner.place.length === 0)
    return { place, message: 'expected another kind of value' };
  return { place: [...place, ...inner.place], message: inner.message };
}

/** One letter more, less, other or swapped; short words differ by one letter and mean different things. */
function isMisspelling(key: string, name: string): boolean {
  if (key.length < 4 || Math.abs(key.length - name.length) > 1) return false;
  let start = 0;
  while (start < key.length && key[start] === name[start]) start += 1;
  let end = 0;
  while (end < Math.min(key.length, name.length) - start && key.at(-1 - end) === name.at(-1 - end)) end += 1;
  const [left, right] = [key.slice(start, key.length - end), name.slice(start, name.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}
