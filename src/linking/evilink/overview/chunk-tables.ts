/** Tables in parts that fit one call each (evilink.md §5). */
import { type EvidenceLevel, renderEvidence } from '../../../catalog/index.ts';
import type { SharedColumn } from '../../../catalog/share/index.ts';
import type { ViewedTable } from '../../../reasoning/roles/link-reasoner.ts';
import { schemaOf } from '../items/schema-scope.ts';

/** Around a column and a table in any rendering: line breaks, brackets, labels. */
const COLUMN_FRAME = 4;
const TABLE_FRAME = 20;
/** Prompts cut what is longer: the type of a nested column may list hundreds of fields. */
const TYPE_CHARACTERS = 200;
const NAME_CHARACTERS = 300;

/**
 * Characters that a table takes in a prompt, roughly: its path and the names of its columns at L0, types and classes
 * too at L1, the text of its evidence above. The true number is the reasoner's, which does the writing.
 */
export function estimateCharacters({ table, columns, family }: ViewedTable, level: EvidenceLevel): number {
  const names = [table.id, ...(family === undefined ? [] : [family.pattern, family.first, family.last])];
  const own = names.reduce((sum, name) => sum + nameCharacters(name), TABLE_FRAME);
  return columns.reduce((sum, column) => sum + estimateColumn(column, level), own);
}

export function estimateColumn(column: SharedColumn, level: EvidenceLevel): number {
  const { type, profile } = column;
  const name = nameCharacters(column.name);
  if (level === 'L0') return name + COLUMN_FRAME;
  if (level === 'L1') {
    const facts = Math.min(type.length, TYPE_CHARACTERS) + (profile?.semanticClass ?? '').length;
    return name + facts + 2 * COLUMN_FRAME;
  }
  return renderEvidence(column, level).reduce(
    (sum, fact) => sum + fact.name.length + fact.value.length + COLUMN_FRAME,
    COLUMN_FRAME,
  );
}

const PLAIN_NAME = /^[\p{L}\p{M}\p{N}_$#@.\- ]*$/u;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]/gu;

/** Prompts write a name of unusual signs as a JSON string, and what is invisible in it as `\u000a`. */
function nameCharacters(name: string): number {
  const shown = name.slice(0, NAME_CHARACTERS);
  return PLAIN_NAME.test(shown) ? shown.length : JSON.stringify(shown.replace(INVISIBLE, '\0')).length;
}

/**
 * Parts of at most so many characters, in order. No table is split, so a larger one is a part of its own; a schema
 * that would fit a part is not split either.
 */
export function chunkTables(
  tables: readonly ViewedTable[],
  level: EvidenceLevel,
  most: number,
): readonly (readonly ViewedTable[])[] {
  const chunks: { readonly tables: ViewedTable[]; size: number }[] = [];
  const add = (group: readonly ViewedTable[], size: number): void => {
    const last = chunks.at(-1);
    if (last !== undefined && last.size + size <= most) {
      last.tables.push(...group);
      last.size += size;
    } else chunks.push({ tables: [...group], size });
  };
  for (const group of schemasOf(tables)) {
    const sizes = group.map((table) => estimateCharacters(table, level));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    if (total <= most) add(group, total);
    else for (const [index, table] of group.entries()) add([table], sizes[index] ?? 0);
  }
  return chunks.map((chunk) => chunk.tables);
}

function schemasOf(tables: readonly ViewedTable[]): readonly (readonly ViewedTable[])[] {
  const groups: ViewedTable[][] = [];
  for (const viewed of tables) {
    const last = groups.at(-1);
    const [before] = last ?? [];
    if (last !== undefined && before !== undefined && schemaOf(before.table) === schemaOf(viewed.table))
      last.push(viewed);
    else groups.push([viewed]);
  }
  return groups;
}
