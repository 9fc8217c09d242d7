/**
 * Phrases: what every dialect says in its own words, as SQL templates. A word that begins with an underscore stands
 * for a part: `_rest` for all further arguments, `_time…` for a value of time, `'_format'` and `'_path'` inside of
 * texts for format codes and JSON paths, all others for any expression.
 */
import type { DialectName } from '../../dialects/dialect.ts';
import { DIALECT_NAMES } from '../../dialects/dialects.ts';
import { parse } from '../../parser/parse.ts';
import { childrenIn, type SqlNode, type SqlTree } from '../../tree/node.ts';

/**
 * Templates by dialects: `all` for those not named, several names with spaces between, '' for a dialect that cannot
 * say it. Of several templates the first is written and all are understood; `>` marks one that is only written, as
 * it could have been meant otherwise, and `<` one that is only understood.
 */
export interface PhraseData {
  readonly [dialects: string]: string | readonly string[];
}

export interface Phrase {
  readonly forms: Readonly<Partial<Record<DialectName, readonly string[]>>>;
  /** DISTINCT, ORDER BY and FILTER may stand with it. */
  readonly isAggregate: boolean;
  /** Dialects of different groups agree on plain values and differ in the given way on others. */
  readonly nuance: Nuance | undefined;
}

export interface Nuance {
  readonly groups: readonly string[];
  readonly how: string;
}

export interface Template {
  readonly phrase: Phrase;
  readonly root: SqlNode;
}

export function phrase(data: PhraseData, more: { aggregate?: boolean; nuance?: Nuance } = {}): Phrase {
  const forms: Partial<Record<DialectName, readonly string[]>> = {};
  for (const name of DIALECT_NAMES) {
    const key = Object.keys(data).find((dialects) => dialects.split(' ').includes(name)) ?? 'all';
    const templates = [data[key] ?? []].flat().filter((template) => template !== '');
    if (templates.length > 0) forms[name] = templates;
  }
  return { forms, isAggregate: more.aggregate ?? false, nuance: more.nuance };
}

/** A function of the same name and meaning in all dialects but those left out: `same('ABS(_x)')`. */
export function same(templates: string, without = ''): readonly Phrase[] {
  const excluded = without === '' ? {} : { [without]: '' };
  return templates.split('; ').map((template) => phrase({ all: template, ...excluded }));
}

/** The template a dialect writes. */
export function writtenForm({ forms }: Phrase, dialect: DialectName): string | undefined {
  const [first] = forms[dialect] ?? [];
  return first?.startsWith('<') ? undefined : first?.replace(/^>/, '');
}

/** The tree of a template in its dialect, and the node in it that is the template. */
export function templateTree(
  template: string,
  dialect: DialectName,
): { readonly tree: SqlTree; readonly root: SqlNode } {
  const parsed = parse(`SELECT ${template}`, dialect);
  const root = parsed.ok ? childrenIn(parsed.tree.root, 'expressions')[0] : undefined;
  if (!parsed.ok || root === undefined)
    throw new Error(`the phrase ${template} does not parse in ${dialect}`);
  return { tree: parsed.tree, root };
}

/** Where a template is looked up: calls by name, everything else by type. */
export function templateKey(node: SqlNode): string {
  return isCall(node) ? `${(node.value ?? '').toUpperCase()}()` : node.type;
}

/** A call of a function by name; `CAST(x AS t)` is one cast among other forms of it. */
export function isCall(node: SqlNode): boolean {
  return node.flags.call !== undefined && node.children.every((below) => below.role !== 'to');
}

/** All templates of a dialect by key, in the order of the phrases. */
export function indexTemplates(
  phrases: readonly Phrase[],
  dialect: DialectName,
): ReadonlyMap<string, readonly Template[]> {
  const index = new Map<string, Template[]>();
  for (const one of phrases) {
    for (const template of one.forms[dialect] ?? []) {
      if (template.startsWith('>')) continue;
      const { root } = templateTree(template.replace(/^</, ''), dialect);
      const key = templateKey(root);
      index.set(key, [...(index.get(key) ?? []), { phrase: one, root }]);
    }
  }
  return index;
}
