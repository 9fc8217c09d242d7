/** The texts that a gold query compares columns with, by our SQL core. */
import type { Catalog } from '../../src/catalog/index.ts';
import { parse, type Scopes, scopes } from '../../src/sql/index.ts';
import { child, childrenIn, type SqlNode } from '../../src/sql/tree/index.ts';

export interface GoldLiteral {
  readonly literal: string;
  /** Any of them is the right column: several where the query reads one through a union. */
  readonly columnIds: readonly string[];
}

export interface GoldLiterals {
  readonly literals: readonly GoldLiteral[];
  /** Texts that are no stored values: bounds of a range, patterns, parts of a date. */
  readonly others: number;
}

const EQUALITIES: ReadonlySet<string> = new Set(['EQ', 'NEQ', 'Is', 'In']);
/** Functions that leave a value the same but for case and edges. */
const SAME_VALUE: ReadonlySet<string> = new Set(['Lower', 'Upper', 'Trim']);

/** Throws when a gold query does not parse. */
export function goldLiterals(sql: string, catalog: Catalog): GoldLiterals {
  const parsed = parse(sql, catalog.dialect);
  if (!parsed.ok) throw new Error(`a gold query does not parse: ${parsed.error.message}: ${sql}`);
  const resolved = scopes(parsed.tree, catalog);
  const literals: GoldLiteral[] = [];
  let others = 0;
  for (const node of parsed.tree.nodes) {
    const literal = textOf(node, resolved);
    if (literal === undefined || literal === '') continue;
    const columnIds = columnsBeside(node, resolved);
    if (columnIds.length === 0) others += 1;
    else literals.push({ literal, columnIds });
  }
  return { literals, others };
}

/** A text literal; in SQLite also a name in double quotes that no column has. */
function textOf(node: SqlNode, { references }: Scopes): string | undefined {
  if (node.type === 'Literal') return node.flags.string === undefined ? undefined : node.value;
  if (node.type !== 'Column' || references[node.id]?.kind !== 'text') return undefined;
  return child(node, 'this')?.value;
}

function columnsBeside(node: SqlNode, { references }: Scopes): string[] {
  const { parent } = node;
  if (parent === undefined || !EQUALITIES.has(parent.type)) return [];
  const sides = [...childrenIn(parent, 'this'), ...childrenIn(parent, 'expression')].filter(
    (side) => side !== node,
  );
  return sides.flatMap((side) => {
    const inner = SAME_VALUE.has(side.type) ? child(side, 'this') : side;
    const reference = inner && references[inner.id];
    return reference === undefined || !('lineage' in reference)
      ? []
      : reference.lineage.physical.map(({ table, name }) => `${table.name}.${name}`.toLowerCase());
  });
}
