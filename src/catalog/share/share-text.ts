import { type Annotations, renderAnnotated } from '../prompt-schema/render-annotated.ts';
import { renderSchema, type SchemaPart, type SchemaTextOptions } from '../prompt-schema/render-schema.ts';
import { shareColumn, shareTable } from './share-catalog.ts';
import { branded, type SharedText, type SharingPolicy } from './shared-catalog.ts';

/** What people wrote for models to read: names, descriptions, notes, the question. It goes out under every policy. */
export function authoredText(text: string): SharedText {
  return branded(text);
}

/** Texts that quote stored values: none of them in private mode. */
export function valueTexts(texts: readonly string[], policy: SharingPolicy): readonly SharedText[] {
  return policy === 'private' ? [] : texts.map((text) => branded(text));
}

/** The same in another form: cut, on one line, joined with words of ours. */
export function reshaped(text: SharedText, change: (text: string) => string): SharedText {
  return branded(change(text));
}

/** A text that `redact` makes fit for private mode. */
export function redactedText(
  text: string,
  policy: SharingPolicy,
  redact: (text: string) => string,
): SharedText {
  return branded(policy === 'private' ? redact(text) : text);
}

/** The schema as a writer of SQL may see it: what `renderSchema` gives, in private mode without values. */
export function sharedSchemaText(
  part: SchemaPart,
  policy: SharingPolicy,
  options: SchemaTextOptions = {},
): SharedText {
  if (policy === 'all') return branded(renderSchema(part, options));
  const { values: _, ...others } = options;
  const tables = part.tables.map((table) => ({
    ...table,
    columns: table.columns.map((column) => shareColumn(column, policy)),
  }));
  return branded(renderSchema({ ...part, tables }, others));
}

/**
 * The schema with all that is known of it. In private mode without values; people's words on tables and columns stay, since they wrote
 * them to be read.
 */
export function sharedAnnotatedText(
  part: SchemaPart,
  policy: SharingPolicy,
  annotations: Annotations = {},
): SharedText {
  if (policy === 'all') return branded(renderAnnotated(part, annotations));
  const tables = part.tables.map((table) => shareTable(table, policy));
  return branded(renderAnnotated({ ...part, tables }, annotations));
}
