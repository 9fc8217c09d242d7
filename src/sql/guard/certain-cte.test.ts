/** The look-up of declarations against the plain walk it stands for, on random statements. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DialectName } from '../dialects/dialect.ts';
import { parse } from '../parser/parse.ts';
import { child, type SqlNode } from '../tree/node.ts';
import { isCertainCte, isSameCteName } from './check-visible.ts';

const name = fc.constantFrom('a', 'b', 'A', '"a"', '"A"', 'c');

/** Queries in queries, each with declarations of its own that hide those around it. */
function queryOf(depth: number): fc.Arbitrary<string> {
  if (depth === 0) return name.map((table) => `SELECT 1 FROM ${table}`);
  const inner = queryOf(depth - 1);
  const cte = fc.tuple(name, inner).map(([called, body]) => `${called} AS (${body})`);
  const source = fc.oneof(
    name,
    inner.map((query) => `(${query}) AS d`),
  );
  return fc
    .tuple(
      fc.array(cte, { maxLength: 3 }),
      fc.array(source, { minLength: 1, maxLength: 2 }),
      fc.boolean(),
      fc.option(inner),
    )
    .map(([ctes, sources, isRecursive, second]) => {
      const clause = ctes.length === 0 ? '' : `WITH ${isRecursive ? 'RECURSIVE ' : ''}${ctes.join(', ')} `;
      const union = second === null ? '' : ` UNION (${second})`;
      return `${clause}SELECT 1 FROM ${sources.join(', ')}${union}`;
    });
}

it('says of every name what a walk through all declarations says', () => {
  let names = 0;
  fc.assert(
    fc.property(
      queryOf(3),
      fc.constantFrom<DialectName>('postgres', 'sqlite', 'bigquery', 'snowflake'),
      (sql, dialect) => {
        const parsed = parse(sql, dialect);
        if (!parsed.ok) return;
        for (const node of parsed.tree.nodes) {
          if (node.type !== 'Table') continue;
          names += 1;
          const walked = walk(node);
          const identifier = child(node, 'this') ?? node;
          const isCertain =
            walked !== undefined &&
            isSameCteName(identifier, walked.identifier, dialect) &&
            (!isBelow(node, walked.cte) || isRecursive(node, walked.cte, dialect));
          expect(isCertainCte(parsed.tree, node), sql).toBe(isCertain);
        }
      },
    ),
    { numRuns: 300, seed: 29 },
  );
  expect(names).toBeGreaterThan(2_000);
});

/** The last declaration of that name that begins before the place, in the nearest query around it that has one. */
function walk(place: SqlNode): { readonly cte: SqlNode; readonly identifier: SqlNode } | undefined {
  const key = child(place, 'this')?.value?.toLowerCase();
  for (let around = place.parent; around !== undefined; around = around.parent) {
    const declared = (child(around, 'with')?.children ?? []).flatMap((cte) => {
      const alias = child(cte, 'alias');
      const identifier = alias && (child(alias, 'this') ?? alias);
      const isMeant = identifier?.value?.toLowerCase() === key && cte.start <= place.start;
      return identifier !== undefined && isMeant ? [{ cte, identifier }] : [];
    });
    if (declared.length > 0) return declared.at(-1);
  }
  return undefined;
}

function isBelow(node: SqlNode, above: SqlNode): boolean {
  for (let at: SqlNode | undefined = node; at !== undefined; at = at.parent) if (at === above) return true;
  return false;
}

/** SQLite answers a name in any branch but the first with an error, or with the CTE; others with the CTE in the last. */
function isRecursive(node: SqlNode, cte: SqlNode, dialect: DialectName): boolean {
  let body = child(cte, 'this');
  while (body?.type === 'Subquery') body = child(body, 'this');
  if (body?.type !== 'Union') return false;
  if (dialect === 'sqlite') {
    let first: SqlNode = body;
    while (first.type === 'Union') first = child(first, 'this') ?? first;
    return isBelow(node, body) && !isBelow(node, first);
  }
  const last = child(body, 'expression');
  return last !== undefined && isBelow(node, last);
}
