import type { Catalog } from '../catalog/index.ts';
import type { MentionNote } from '../reasoning/index.ts';

/** The part of the schema that SQL may use, and why words of the question are linked to it. */
export interface LinkedSchema {
  /** `full`: every table and column stays in view. */
  readonly mode: 'full';
  readonly catalog: Catalog;
  /** One sentence for each word that names a table, a column or a value of one. */
  readonly reasons: readonly string[];
}

/** Links on the FULL path: nothing is left out, every link gets its reason. */
export function linkSchema(catalog: Catalog, mentions: readonly MentionNote[]): LinkedSchema {
  const linked = mentions.filter((mention) =>
    /\b(?:table|column|value|metric|dimension)\b/.test(mention.meaning),
  );
  return { mode: 'full', catalog, reasons: linked.map((mention) => `“${mention.text}”: ${mention.meaning}`) };
}
