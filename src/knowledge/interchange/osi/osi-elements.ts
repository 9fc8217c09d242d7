/** What all elements of an OSI file share: keys beyond the specification, blocks of vendors, dialects. */
import type { z } from 'zod';
import type { CalledWords } from '../conversion/names.ts';
import { type AsideBox, type BlockData, blocks } from '../conversion/vendor-block.ts';
import type { Loss } from '../foreign/conversion.ts';
import type { ForeignDocument, ForeignPath } from '../foreign/foreign-document.ts';
import { dataOf, type LeanExtensions } from '../foreign/lean-model.ts';
import type { LogicalTable } from '../foreign/resolve-expression.ts';
import { type OsiField, sqlOf } from './osi-shape.ts';

/** Under which keys that are not of the specification, and what has no place with us, are kept. */
export const OSI_VENDOR = 'OSI';
/** What reading one model needs beside the model. */
export interface OsiContext {
  readonly document: ForeignDocument;
  readonly tables: readonly LogicalTable[];
  readonly losses: Loss[];
  readonly places: Map<string, string>;
  readonly aside: AsideBox;
  /** What fields and metrics are called in the model, where it is not what the file calls them. */
  readonly words: ReadonlyMap<unknown, CalledWords>;
}

/** What an element says beyond the specification; each such key is a loss. */
export function unknownKeys(
  element: Readonly<Record<string, unknown>>,
  known: readonly string[],
  path: ForeignPath,
  { document, losses }: OsiContext,
): BlockData {
  const keys = document.unknownKeys(element, known, path);
  for (const key of keys)
    losses.push({ kind: 'kept', place: document.place([...path, key]), what: `\`${key}\` is no key of OSI` });
  return Object.fromEntries(keys.map((key) => [key, element[key]]));
}

/** The blocks of all vendors as they are, ours checked, and one more for what OSI itself has no place for. */
export function extensionsOf(
  element: { readonly custom_extensions?: LeanExtensions | undefined },
  own: BlockData,
  path: ForeignPath,
  { context, schema }: { readonly context: OsiContext; readonly schema: z.ZodType },
): LeanExtensions | undefined {
  const given = (element.custom_extensions ?? []).map((block, index) => {
    const data = dataOf(block.data);
    const at = [...path, 'custom_extensions', index, 'data'];
    if (block.vendor_name.toUpperCase() === 'CANDOR') context.document.check(schema, data, at);
    return { ...block, data };
  });
  const all = [...given, ...(blocks({ [OSI_VENDOR]: own }) ?? [])];
  return all.length === 0 ? undefined : all;
}

/** The expression with an ANSI_SQL form: where another SQL dialect is the only one, its text serves as that. */
export function withStandard(expression: OsiField['expression']): {
  readonly sql: string | undefined;
  readonly added: { readonly expression: OsiField['expression']; readonly note: BlockData };
} {
  const found = sqlOf({ expression });
  if (found === undefined) return { sql: undefined, added: { expression, note: {} } };
  const sql = found.expression;
  if (found.dialect.toUpperCase() === 'ANSI_SQL') return { sql, added: { expression, note: {} } };
  const dialects = [...expression.dialects, { dialect: 'ANSI_SQL', expression: sql }];
  return { sql, added: { expression: { dialects }, note: { assumed_dialect: found.dialect } } };
}

/** Name and words of a field or metric as they are in the model, with a note of what they were. */
export function called(
  element: Pick<OsiField, 'name' | 'ai_context'>,
  path: ForeignPath,
  { document, losses, words }: OsiContext,
): Pick<OsiField, 'name' | 'ai_context'> & { readonly note: BlockData } {
  const { name, ai_context } = element;
  const given = words.get(element);
  if (given === undefined || given.note.called === undefined) return { name, ai_context, note: {} };
  const what = `${given.name}: others have its name or a synonym of it too`;
  losses.push({ kind: 'approximated', place: document.place(path), what });
  const others = typeof ai_context === 'string' ? { instructions: ai_context } : ai_context;
  const context = { ...others, synonyms: [...given.synonyms] };
  return { name: given.name, ai_context: context, note: { ...given.note, context: ai_context ?? null } };
}

export function foreignSynonyms(context: OsiField['ai_context']): readonly string[] {
  return typeof context === 'object' ? (context.synonyms ?? []) : [];
}
