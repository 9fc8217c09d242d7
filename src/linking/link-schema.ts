import type { Catalog } from '../catalog/index.ts';
import type { MentionNote } from '../reasoning/index.ts';

/** The tables and columns the writer may use, with a reason for each that the question names. */
export interface LinkedSchema {
  readonly mode: 'full';
  readonly catalog: Catalog;
  readonly tables: number;
  readonly columns: number;
}

/** The FULL path: every table and column stays in view. */
export function linkSchema(catalog: Catalog): LinkedSchema {
  const columns = catalog.tables.reduce((sum, table) => sum + table.columns.length, 0);
  return { mode: 'full', catalog, tables: catalog.tables.length, columns };
}

/** Why words of the question are linked to the schema, for the record. */
export function linkReasons(mentions: readonly MentionNote[]): readonly string[] {
  return mentions
    .filter((mention) => /\./.test(mention.meaning) || /table/.test(mention.meaning))
    .map((mention) => `“${mention.text}”: ${mention.meaning}`);
}
