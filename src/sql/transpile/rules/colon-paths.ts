/** Snowflake's `payload:items[0].price`: a path into JSON, and with a cast behind it a value out of it. */
import type { PrintableNode } from '../../print/printable.ts';
import { child, type SqlNode, textOf } from '../../tree/node.ts';
import { JSON_PART, JSON_TEXT } from '../phrases/all-phrases.ts';
import { writtenForm } from '../phrases/phrase.ts';
import { as, build, fillTemplate } from '../translation/built-node.ts';
import { readJsonPath, writeDottedPath, writeJsonPath, writePathArray } from '../translation/json-path.ts';
import { asJson } from '../translation/loose-values.ts';
import type { Rules, Translation } from '../translation/translation.ts';

export const PATH_RULES: Rules = {
  JSONExtract: (node, translation) => translatePath(node, 'json', translation),
};

export function isColonPath(node: SqlNode): boolean {
  return node.type === 'JSONExtract' && node.flags.operator === ':';
}

/** The part of the JSON, or the text of a scalar in it; `undefined` for paths the target cannot say. */
function translatePath(
  node: SqlNode,
  wanted: 'json' | 'text',
  translation: Translation,
): PrintableNode | undefined {
  const { to, tree } = translation;
  const value = child(node, 'this');
  const path = child(node, 'expression');
  const form = writtenForm(wanted === 'json' ? JSON_PART : JSON_TEXT, to);
  if (!isColonPath(node) || value === undefined || path === undefined || form === undefined) return undefined;
  const steps = readJsonPath(`$.${textOf(tree, path)}`);
  const keys = steps && writePathArray(steps);
  if (steps === undefined || keys === undefined) return undefined;
  const texts: Readonly<Record<string, string>> = {
    _path: writeJsonPath(steps),
    _keys: keys,
    _dots: writeDottedPath(steps),
  };
  return fillTemplate(form, to, {
    nodes: (part) => (part === '_json' ? [asJson(value, translation)] : []),
    text: (part) => texts[part],
    extras: [],
  });
}

/** `payload:a::INT`: the scalar's text cast to the type; to a text it needs no cast. */
export function castPath(
  node: SqlNode,
  isText: boolean,
  translation: Translation,
): PrintableNode | undefined {
  const value = child(node, 'this');
  const type = child(node, 'to');
  const text = value && translatePath(value, 'text', translation);
  if (text === undefined || type === undefined || isText) return text;
  return build('Cast', [as('this', text), as('to', translation.translate(type))]);
}
