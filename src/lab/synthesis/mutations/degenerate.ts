/** A dimension that stands in the table of the facts itself, so that no join is due; BAR-SQL §5. */
import { guarded } from '../../../database/index.ts';
import { DIALECTS } from '../../../sql/dialects/index.ts';
import { printQuery, type SelectQuery } from '../../../sql/print/index.ts';
import { editContext, editInventory } from '../context/edit-context.ts';
import { withTables } from '../context/edit-session.ts';
import { tableOf } from '../inventory/find-route.ts';
import { findColumn, type Inventory } from '../inventory/inventory.ts';
import { isSameRows, type Seed } from '../seeds/make-seed.ts';
import { column, endsOf, fromTable, NOTHING, stored } from '../steps/block.ts';
import { compileStructure } from '../steps/compile-structure.ts';
import type { Mutated, Mutation, MutationSource } from './mutation.ts';

export const DEGENERATE: Mutation = {
  category: 'degenerate',
  kind: 'moved-dimension',
  mutate: moveDimension,
};

const LIMITS = { rows: 2_000, bytes: 1_000_000, timeoutMs: 10_000 };

/** Moves one dimension that the question uses; kept where the query without the join gives the rows of the seed. */
async function moveDimension(seed: Seed, source: MutationSource): Promise<Mutated | undefined> {
  const { structure, scope, worded } = seed;
  const { inventory, dice } = source;
  const [part, other] = scope.parts;
  if (part?.table === undefined || other !== undefined || structure.step !== undefined) return undefined;
  const names = [...structure.groups, ...structure.filters.map(({ dimension }) => dimension)];
  const movable = names.filter((name) => {
    const reach = scope.reach.get(name);
    return reach !== undefined && !reach.dimension.isTime && (reach.routes[0]?.length ?? 0) > 0;
  });
  if (movable.length === 0) return undefined;
  const edit = editOf(dice.pick(movable), part.table, seed, inventory);
  if (edit === undefined) return undefined;
  const edited = editInventory(inventory, [edit], scope.metric.name);
  const scopeThere = edited.metrics.find(({ metric }) => metric.name === scope.metric.name);
  const moved = {
    ...structure,
    filters: structure.filters.map((entity) =>
      entity.dimension === edit.dimension
        ? { ...entity, column: `${edit.table}.${edit.column.toLowerCase()}` }
        : entity,
    ),
  };
  const query = scopeThere === undefined ? null : compileStructure(moved, scopeThere, edited);
  if (query === null || query.kind !== 'select') return undefined;
  const dialect = DIALECTS[inventory.catalog.dialect];
  const whole = printQuery(query, dialect).sql;
  const { whole: shown, queries } = editContext(inventory, [edit]);
  const database = guarded(withTables(source.engine, queries, shown), { kind: 'own-queries' });
  const { rows } = await database.query(whole, LIMITS, source.signal);
  if (!isSameRows(rows, seed.rows)) return undefined;
  const bare = printQuery({ ...query, select: query.select.slice(0, -1) }, dialect).sql;
  return {
    kind: '',
    question: worded.question,
    due: { kind: 'answered' },
    goldKind: 'sql',
    ...(worded.hidesFigure ? { gold: bare, otherGolds: [whole] } : { gold: whole }),
    edits: [edit],
  };
}

type MoveEdit = Extract<Mutated['edits'][number], { readonly kind: 'move-dimension' }>;

function editOf(
  dimension: string,
  table: string,
  { scope }: Seed,
  inventory: Inventory,
): MoveEdit | undefined {
  const reach = scope.reach.get(dimension);
  const [route] = reach?.routes ?? [];
  const found = reach === undefined ? undefined : findColumn(reach.dimension.column, inventory.catalog);
  const facts = inventory.catalog.tables.find(({ id }) => id === table);
  if (route === undefined || found === undefined || facts === undefined) return undefined;
  const name = found.column.name;
  if (facts.columns.some((each) => each.name.toLowerCase() === name.toLowerCase())) return undefined;
  const query: SelectQuery = {
    ...NOTHING,
    select: [
      ...facts.columns.map((each) => ({ expression: column(facts.name, each.name), alias: each.name })),
      { expression: stored(found.column.id, inventory), alias: name },
    ],
    from: fromTable(table, inventory),
    joins: route.map((link) => {
      const { from, to } = endsOf(link, inventory);
      return {
        kind: 'left' as const,
        table: fromTable(tableOf(link.to, inventory.semantics), inventory),
        on: from.map((left, at) => ({ left, right: to[at] ?? left })),
      };
    }),
  };
  const { sql } = printQuery(query, DIALECTS[inventory.catalog.dialect]);
  return { kind: 'move-dimension', dimension, table, column: name, sql };
}
