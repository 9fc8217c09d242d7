import { type ForeignPath, ForeignSyntaxError, MAX_FOREIGN_DEPTH, type ParsedText } from './parsed-text.ts';

/** Places are kept of what stands this deep; a complaint about something deeper names what is around it. */
const PLACED_DEPTH = 8;

interface PlaceTree {
  readonly offset: number;
  readonly inside?: Map<string, PlaceTree>;
}

/** Parses a JSON text. Places are worked out when the first one is asked for: most files never need one. */
export function openJson(text: string): ParsedText {
  refuseDepth(text);
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
function refuseDepth(text: string): void {
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
