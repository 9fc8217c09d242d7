import { type Annotations, renderAnnotated } from '../prompt-schema/render-annotated.ts';
import { renderSchema, type SchemaPart, type SchemaTextOptions } from '../prompt-schema/render-schema.ts';
import type { Catalog, Column, KeyOverlap, Table } from '../schema/catalog.ts';
import { LEAST_GROUP, roundedCount, shareProfile } from './share-profile.ts';
import {
  allOfCatalog,
  allOfTable,
  branded,
  type SharedCatalog,
  type SharedColumn,
  type SharedTable,
  type SharedText,
  type SharingPolicy,
} from './shared-catalog.ts';

/**
 * The catalog as models may know it. `all`: as it is. `private`: names, types, keys and descriptions; of values their
 * class, their form and rounded counts, and nothing where fewer than 20 rows stand behind a figure.
 */
export function shareCatalog(catalog: Catalog, policy: SharingPolicy): SharedCatalog {
  if (policy === 'all') return allOfCatalog(catalog);
  const { keyOverlaps } = catalog;
  return {
    ...catalog,
    tables: catalog.tables.map((table) => shareTable(table, policy)),
    ...(keyOverlaps !== undefined && { keyOverlaps: keyOverlaps.flatMap(shareOverlap) }),
  };
}

export function shareTable(table: Table, policy: SharingPolicy): SharedTable {
  if (policy === 'all') return allOfTable(table);
  const columns = table.columns.map((column) => shareColumn(column, policy));
  const { estimatedRows, ...rest } = table;
  return {
    ...rest,
    columns,
    rowCount: roundedCount(table.rowCount),
    ...(estimatedRows !== undefined && { estimatedRows: roundedCount(estimatedRows) }),
  };
}

function shareColumn(column: Column, policy: SharingPolicy): SharedColumn {
  const { profile, ...rest } = column;
  return profile === undefined ? rest : { ...rest, profile: shareProfile(profile, policy) };
}

function shareOverlap({ share, comparedValues, ...ends }: KeyOverlap): KeyOverlap[] {
  if (comparedValues < LEAST_GROUP) return [];
  return [{ ...ends, share: Math.round(share * 100) / 100, comparedValues: roundedCount(comparedValues) }];
}

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
