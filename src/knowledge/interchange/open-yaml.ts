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
import { type ForeignPath, ForeignSyntaxError, MAX_FOREIGN_DEPTH, type ParsedText } from './parsed-text.ts';

/**
 * Parses one YAML 1.2 document, merge keys included. The parser of tokens does not recurse, so depth is checked on its
 * tokens, before the tree is built; keys that stand twice, and `__proto__`, are refused in one pass. A whole number too large for a
 * float stays the text it was.
 */
export function openYaml(text: string): ParsedText {
  const tokens = [...new Parser().parse(text)];
  for (const token of tokens) refuseDepth(token);
  const [document, second] = [...new Composer({ uniqueKeys: false, merge: true }).compose(tokens, true)];
  if (document === undefined) return { value: undefined, offsetOf: () => 0 };
  const error = document.errors[0];
  if (error !== undefined) throw new ForeignSyntaxError(error.pos[0], error.message);
  if (second !== undefined)
    throw new ForeignSyntaxError(second.range[0], 'a second document; expected one document a file');
  settleNodes(document);
  return { value: plainValue(document), offsetOf: (path) => offsetOf(document, path) };
}

function refuseDepth(root: CST.Token): void {
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

function settleNodes(document: Document): void {
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
