/** A node that says a phrase of its dialect, as the target says it. */
import type { PrintableNode } from '../print/printable.ts';
import type { SqlNode } from '../tree/node.ts';
import { templatesOf } from './phrases/all-phrases.ts';
import { type Phrase, templateKey, writtenForm } from './phrases/phrase.ts';
import { as } from './translation/built-node.ts';
import {
  readJsonPath,
  readPathArray,
  writeDottedPath,
  writeJsonPath,
  writePathArray,
} from './translation/json-path.ts';
import { asJson, asNumber, asText, asTime, asValue } from './translation/loose-values.ts';
import { type Bindings, matchPhrase } from './translation/match-phrase.ts';
import { fillTemplate } from './translation/say-phrase.ts';
import { convertFormat } from './translation/time-format.ts';
import type { Translation } from './translation/translation.ts';

/** `undefined` when it is no phrase, or none that the target can say. */
export function translatePhrase(node: SqlNode, translation: Translation): PrintableNode | undefined {
  const { from, to } = translation;
  for (const { phrase, root } of templatesOf(from).get(templateKey(node)) ?? []) {
    const form = writtenForm(phrase, to);
    if (form === undefined) continue;
    const bindings = matchPhrase(root, node, phrase.isAggregate);
    const texts = bindings && translateTexts(bindings, node, translation);
    if (bindings === undefined || texts === undefined) continue;
    reportNuance(phrase, node, translation);
    const result = fillTemplate(form, to, {
      nodes: (name, isCast) =>
        (bindings.nodes.get(name) ?? []).map((bound) => translatePart({ name, isCast }, bound, translation)),
      text: (part) => texts.get(part),
      extras: bindings.extras.map(translation.translate),
    });
    return as(node.role, result);
  }
  return undefined;
}

interface Part {
  readonly name: string;
  /** The template itself turns the part into a type. */
  readonly isCast: boolean;
}

/** Names of parts tell what the target expects there. */
function translatePart({ name, isCast }: Part, bound: SqlNode, translation: Translation): PrintableNode {
  if (name.startsWith('_time')) return asTime(bound, translation, isCast);
  switch (name) {
    case '_json':
      return asJson(bound, translation);
    case '_number':
      return asNumber(bound, translation);
    case '_value':
      return asValue(bound, translation);
    case '_text':
      return asText(bound, translation);
    default:
      return translation.translate(bound);
  }
}

/** Formats and paths in the target's spelling; `undefined` when a text is no path after all. */
function translateTexts(
  bindings: Bindings,
  node: SqlNode,
  translation: Translation,
): ReadonlyMap<string, string> | undefined {
  const texts = new Map<string, string>();
  for (const [part, text] of bindings.texts) {
    if (part === '_format') texts.set(part, translateFormat(text, node, translation));
    else {
      const steps =
        part === '_path' ? readJsonPath(text) : part === '_keys' ? readPathArray(text) : undefined;
      const keys = steps && writePathArray(steps);
      if (steps === undefined || keys === undefined) return undefined;
      texts.set('_path', writeJsonPath(steps)).set('_keys', keys).set('_dots', writeDottedPath(steps));
    }
  }
  return texts;
}

function translateFormat(format: string, node: SqlNode, { from, to, unsupported }: Translation): string {
  const converted = convertFormat(format, from, to);
  if ('format' in converted) return converted.format;
  unsupported('format', node, `the format "${format}" shows ${converted.problem}, which ${to} cannot`);
  return format;
}

function reportNuance({ nuance }: Phrase, node: SqlNode, { from, to, changed }: Translation): void {
  if (nuance === undefined) return;
  const groupOf = (dialect: string): string | undefined =>
    nuance.groups.find((group) => group.split(' ').includes(dialect));
  if (groupOf(from) !== groupOf(to)) changed('function', node, `${nuance.how} (${from}, ${to})`);
}
