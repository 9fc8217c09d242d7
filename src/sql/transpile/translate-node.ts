/** One node of the source as the target says it. */
import type { PrintableNode } from '../print/printable.ts';
import { child, type SqlNode } from '../tree/node.ts';
import { templatesOf } from './phrases/all-phrases.ts';
import { isCall, type Phrase, templateKey, writtenForm } from './phrases/phrase.ts';
import { CALL_RULES, ignoringNulls, translateCall } from './rules/calls.ts';
import { CAST_RULES } from './rules/casts.ts';
import { PATH_RULES } from './rules/colon-paths.ts';
import { CONDITION_RULES } from './rules/conditions.ts';
import { LITERAL_RULES } from './rules/literals.ts';
import { NAME_RULES } from './rules/names.ts';
import { NUMBER_RULES } from './rules/numbers.ts';
import { PATTERN_RULES } from './rules/patterns.ts';
import { ORDER_RULES, QUERY_RULES } from './rules/queries.ts';
import { RELATION_RULES } from './rules/relations.ts';
import { TEXT_RULES } from './rules/texts.ts';
import { as, copy, fillTemplate } from './translation/built-node.ts';
import {
  readJsonPath,
  readPathArray,
  writeDottedPath,
  writeJsonPath,
  writePathArray,
} from './translation/json-path.ts';
import { asJson, asNumber, asText, asTime, asValue } from './translation/loose-values.ts';
import { type Bindings, matchPhrase } from './translation/match-phrase.ts';
import { reportSyntax } from './translation/syntax-limits.ts';
import { convertFormat } from './translation/time-format.ts';
import type { Rules, Translation } from './translation/translation.ts';

/** Long chains are translated from their first operand on, so that the stack does not grow with their length. */
export function translateNode(node: SqlNode, translation: Translation): PrintableNode {
  const { chained } = translation;
  const known = chained.get(node);
  if (known !== undefined) return known;
  const spine = spineOf(node);
  if (spine.length < LONG_CHAIN) return writeWhole(node, translation);
  for (const inner of spine.reverse()) chained.set(inner, writeWhole(inner, translation));
  return chained.get(node) ?? writeWhole(node, translation);
}

const LONG_CHAIN = 50;
const CHAINED: ReadonlySet<string> = new Set(['Add', 'Sub', 'Mul', 'Div', 'And', 'Or', 'Union', 'Except']);

/** The node, its left operand, that one's left operand, as far as they are operators of a chain. */
function spineOf(node: SqlNode): SqlNode[] {
  const spine: SqlNode[] = [];
  for (let at: SqlNode | undefined = node; at !== undefined && CHAINED.has(at.type); at = child(at, 'this')) {
    if (at.flags.call !== undefined) break;
    spine.push(at);
  }
  return spine;
}

/** The node in its own role, with the words inside of it that no node stands for. */
function writeWhole(node: SqlNode, translation: Translation): PrintableNode {
  const ignoresNulls = translation.unrecorded.get(node)?.join(' ') === 'IGNORE NULLS';
  if (!ignoresNulls) reportUnread(node, translation);
  const written = writeNode(node, translation);
  return as(node.role, ignoresNulls ? ignoringNulls(written, node, translation) : written);
}

/** Phrases first, then the rule of its type, then the same node with its children translated. */
function writeNode(node: SqlNode, translation: Translation): PrintableNode {
  const said = translatePhrase(node, translation) ?? RULES[node.type]?.(node, translation);
  if (said !== undefined) return said;
  if (isCall(node)) return translateCall(node, translation);
  reportSyntax(node, translation);
  return copy(node, translation);
}

/** Words that no rule reads: what they mean cannot come over. */
function reportUnread(node: SqlNode, { unrecorded, unsupported }: Translation): void {
  const words = unrecorded.get(node);
  if (words === undefined) return;
  unsupported('unread', node, `"${words.join(' ')}" of ${node.type} is not translated`);
}

/** Every rule by the type of node it translates. */
const RULES: Rules = {
  ...NAME_RULES,
  ...LITERAL_RULES,
  ...NUMBER_RULES,
  ...TEXT_RULES,
  ...CAST_RULES,
  ...CONDITION_RULES,
  ...PATTERN_RULES,
  ...CALL_RULES,
  ...ORDER_RULES,
  ...QUERY_RULES,
  ...RELATION_RULES,
  ...PATH_RULES,
};

// A node that says a phrase of its dialect, as the target says it.

/** `undefined` when it is no phrase, or none that the target can say. */
function translatePhrase(node: SqlNode, translation: Translation): PrintableNode | undefined {
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
