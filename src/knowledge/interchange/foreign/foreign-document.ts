/** A parsed foreign file that knows where its values stand, so that a complaint names the line and the column. */

import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  Parser,
  visit,
} from 'yaml';
import type { z } from 'zod';
import { CandorError } from '../../../errors.ts';
import { nearestNames } from '../../../language/index.ts';
import type { ForeignFile } from './conversion.ts';
import { type ForeignPath, ForeignSyntaxError, MAX_FOREIGN_DEPTH, type ParsedText } from './parsed-text.ts';

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

/**
 * Parses one YAML 1.2 document, merge keys included. The parser of tokens does not recurse, so depth is checked on its
 * tokens, before the tree is built; keys that stand twice, and `__proto__`, are refused in one pass. A whole number too large for a
 * float stays the text it was.
 */
function openYaml(text: string): ParsedText {
  const tokens = [...new Parser().parse(text)];
  for (const token of tokens) refuseDeepTokens(token);
  const [document, second] = [...new Composer({ uniqueKeys: false, merge: true }).compose(tokens, true)];
  if (document === undefined) return { value: undefined, offsetOf: () => 0 };
  const error = document.errors[0];
  if (error !== undefined) throw new ForeignSyntaxError(error.pos[0], error.message);
  if (second !== undefined)
    throw new ForeignSyntaxError(second.range[0], 'a second document; expected one document a file');
  resolveNodes(document);
  return { value: plainValue(document), offsetOf: (path) => offsetOf(document, path) };
}

function refuseDeepTokens(root: CST.Token): void {
  const open: { readonly token: CST.Token; readonly depth: number }[] = [{ token: root, depth: 0 }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { token, depth } = at;
    if (depth > MAX_FOREIGN_DEPTH)
      throw new ForeignSyntaxError(token.offset, `nested deeper than ${MAX_FOREIGN_DEPTH} levels`);
    if (token.type === 'document' && token.value !== undefined) open.push({ token: token.value, depth });
    if (!('items' in token)) continue;
    for (const { key, value } of token.items)
      for (const part of [key, value]) if (part) open.push({ token: part, depth: depth + 1 });
  }
}

function resolveNodes(document: Document): void {
  visit(document, {
    Map: (_, map) => {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        if (key.value === '__proto__')
          throw new ForeignSyntaxError(key.range?.[0] ?? 0, 'key `__proto__` is refused');
        if (seen.has(key.value) && key.value !== '<<')
          throw new ForeignSyntaxError(key.range?.[0] ?? 0, `key \`${String(key.value)}\` stands twice`);
        seen.add(key.value);
      }
    },
    Scalar: (_, scalar) => {
      const { value, source } = scalar;
      if (typeof value !== 'number' || source === undefined) return;
      if (
        /^[-+]?\d+$/.test(source) &&
        String(value) !== source.replace(/^\+/, '') &&
        !Number.isSafeInteger(value)
      )
        scalar.value = source;
    },
  });
}

/**
 * Anchors that multiply ("billion laughs") and merges of what is no mapping are refused by the YAML library while
 * values are made; whatever it refuses there is a fault of the file.
 */
function plainValue(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 1_000 });
  } catch (error) {
    if (error instanceof Error) throw new ForeignSyntaxError(mergeIn(document), error.message);
    throw error;
  }
}

/** The first merge key; the start of the document where there is none. */
function mergeIn(document: Document): number {
  let offset = 0;
  visit(document, {
    Pair: (_, { key }) => {
      if (!isScalar(key) || key.source !== '<<') return undefined;
      offset = key.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
}

/** Where a path stands: its key where it has one, else the nearest thing around it. */
function offsetOf(document: Document, path: ForeignPath): number {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (!isCollection(node)) return offset;
    const pair = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
      : undefined;
    const next: unknown = pair === undefined ? node.get(step, true) : pair.value;
    const mark = isScalar(pair?.key) ? pair.key : next;
    if (!isNode(mark)) return offset;
    offset = mark.range?.[0] ?? offset;
    node = next;
  }
  return offset;
}

/** Places are kept of what stands this deep; a complaint about something deeper names what is around it. */
const PLACED_DEPTH = 8;

interface PlaceTree {
  readonly offset: number;
  readonly inside?: Map<string, PlaceTree>;
}

/** Parses a JSON text. Places are worked out when the first one is asked for: most files never need one. */
function openJson(text: string): ParsedText {
  refuseDeepText(text);
  let places: PlaceTree | undefined;
  return {
    value: parseJson(text),
    offsetOf: (path) => {
      places ??= readPlaces(text);
      return find(places, path);
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ForeignSyntaxError(offsetOfFault(text), 'broken JSON: not understood from here');
  }
}

const PROTO = '"__proto__"';

/** Before anything recurses over the values. */
function refuseDeepText(text: string): void {
  let depth = 0;
  for (const { at, end, kind } of jsonTokens(text)) {
    if (
      kind === '"' &&
      end - at === PROTO.length &&
      text.startsWith(PROTO, at) &&
      /^\s*:/.test(text.slice(end, end + 100))
    )
      throw new ForeignSyntaxError(at, 'key `__proto__` is refused');
    if (kind === '{' || kind === '[') depth += 1;
    if (kind === '}' || kind === ']') depth -= 1;
    if (depth > MAX_FOREIGN_DEPTH)
      throw new ForeignSyntaxError(at, `nested deeper than ${MAX_FOREIGN_DEPTH} levels`);
  }
}

interface JsonToken {
  readonly at: number;
  readonly end: number;
  /** A bracket, comma or colon, or `"` for a text, `0` for a number or word, `?` for what JSON does not have. */
  readonly kind: string;
}

const TOKEN =
  /[\s\uFEFF]*(?:([{}[\],:])|("[^"\\]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\]*)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null))/y;

function* jsonTokens(text: string): Generator<JsonToken> {
  const pattern = new RegExp(TOKEN.source, 'y');
  while (pattern.lastIndex < text.length) {
    const from = pattern.lastIndex;
    const found = pattern.exec(text);
    if (found === null) {
      if (text.slice(from).trim() !== '') {
        const at = from + (text.slice(from).length - text.slice(from).trimStart().length);
        yield { at, end: text.length, kind: '?' };
      }
      return;
    }
    const [whole, mark, words, plain = ''] = found;
    const length = (mark ?? words ?? plain).length;
    const at = from + whole.length - length;
    yield { at, end: at + length, kind: mark ?? (words === undefined ? '0' : '"') };
  }
}

/** The first place at which the text stops being JSON; its end where it is cut off. */
function offsetOfFault(text: string): number {
  const open: string[] = [];
  let expectsValue = true;
  for (const { at, end, kind } of jsonTokens(text)) {
    if (kind === '?') return at;
    // A line break or another control character inside a text.
    const control = kind === '"' ? [...text.slice(at, end)].findIndex((character) => character < ' ') : -1;
    if (control >= 0) return at + control;
    if (kind === '}' || kind === ']') {
      if (open.pop() !== (kind === '}' ? '{' : '[')) return at;
      expectsValue = false;
    } else if (kind === ',' || kind === ':') {
      if (expectsValue || open.length === 0) return at;
      expectsValue = true;
    } else {
      if (!expectsValue) return at;
      expectsValue = kind === '{' || kind === '[';
      if (expectsValue) open.push(kind);
    }
  }
  return text.length;
}

/** One pass over the tokens; the text is known to be JSON. */
function readPlaces(text: string): PlaceTree {
  const root: PlaceTree = { offset: 0, inside: new Map() };
  const open: { readonly tree: PlaceTree | undefined; readonly isList: boolean }[] = [];
  let key: string | undefined;
  let keyAt = 0;
  let index: number[] = [];
  const add = (at: number, canHold: boolean): PlaceTree | undefined => {
    const around = open.at(-1);
    if (around === undefined) return root;
    const name = around.isList ? String(index.at(-1)) : (key ?? '');
    const tree: PlaceTree = {
      offset: around.isList ? at : keyAt,
      ...(canHold && open.length < PLACED_DEPTH ? { inside: new Map<string, PlaceTree>() } : {}),
    };
    key = undefined;
    around.tree?.inside?.set(name, tree);
    return around.tree?.inside === undefined ? undefined : tree;
  };
  for (const { at, end, kind } of jsonTokens(text)) {
    if (kind === '{' || kind === '[') {
      open.push({ tree: add(at, true), isList: kind === '[' });
      index.push(0);
    } else if (kind === '}' || kind === ']') {
      open.pop();
      index = index.slice(0, -1);
    } else if (kind === ',') {
      index.push((index.pop() ?? 0) + 1);
    } else if (kind === '"' && open.at(-1)?.isList === false && key === undefined) {
      key = String(JSON.parse(text.slice(at, end)));
      keyAt = at;
    } else if (kind !== ':') {
      add(at, false);
    }
  }
  return root;
}

function find(tree: PlaceTree, path: ForeignPath): number {
  let at = tree;
  for (const step of path) {
    const next = at.inside?.get(String(step));
    if (next === undefined) return at.offset;
    at = next;
  }
  return at.offset;
}
