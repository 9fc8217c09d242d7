/** What one path chose, as it comes: names become items, families their members, and what does not exist is told. */

import type { NamedField, NamedTable } from '../../reasoning/roles/link-reasoner.ts';
import type { LinkItems } from './items/link-items.ts';
import { oneLine } from './items/one-line.ts';
import type { NameResolver } from './items/resolve-names.ts';
import type { SchemaScope } from './items/schema-scope.ts';
import type { PathResult } from './state/votes.ts';

const LONGEST_WHY = 200;
const LONGEST_SHOWN_NAME = 80;
const SHOWN_NAMES = 5;

/** The chosen and what of it is not in the catalog. */
export interface CollectedPath extends PathResult {
  readonly unknown: readonly string[];
}

export interface PathCollector {
  /** `near` decides between tables of one name: those that the reasoner was shown. */
  addTable(named: NamedTable, near: ReadonlySet<string>): void;
  addField(named: NamedField, near: ReadonlySet<string>): void;
  /** Chosen so far, each family by the table that stands for it. */
  tables(): Iterable<string>;
  /** Chosen so far, by the tables that stand for their families. */
  fields(): Iterable<string>;
  finish(): CollectedPath;
}

export function collectPath(
  hypothesis: string,
  context: { readonly items: LinkItems; readonly names: NameResolver; readonly scope: SchemaScope },
): PathCollector {
  const { names } = context;
  const unknown: string[] = [];
  const tables = new Map<string, string>();
  const fields = new Map<string, string>();
  return {
    addTable: ({ name, why }, near) => {
      const table = names.table(name, near);
      if (table === undefined) unknown.push(name);
      else choose(tables, table.id, why);
    },
    addField: ({ why, ...named }, near) => {
      const column = names.field(named, near);
      if (column === undefined) unknown.push(`${named.table}.${named.column}`);
      else choose(fields, column.id, why);
    },
    tables: () => tables.keys(),
    fields: () => fields.keys(),
    finish: () => ({ hypothesis, ...expand(tables, fields, context), unknown }),
  };
}

/** A table that stands for a family gives its vote to the chosen members, and so do its fields. */
function expand(
  tables: ReadonlyMap<string, string>,
  fields: ReadonlyMap<string, string>,
  { items, scope }: { readonly items: LinkItems; readonly scope: SchemaScope },
): Pick<PathResult, 'tables' | 'fields'> {
  const all = { tables: new Map<string, string>(), fields: new Map<string, string>() };
  for (const [id, why] of tables) for (const member of scope.membersOf(id)) choose(all.tables, member, why);
  for (const [id, why] of fields) {
    const column = items.column(id);
    for (const member of column === undefined ? [] : scope.membersOf(column.tableId)) {
      const table = items.table(member);
      const own = table && column && items.columnNamed(table, column.name);
      if (own === undefined) continue;
      choose(all.tables, member, `for its column ${own.name}`);
      choose(all.fields, own.id, why);
    }
  }
  return all;
}

/** The first reason stays. */
function choose(chosen: Map<string, string>, id: string, why = ''): void {
  if (!chosen.has(id)) chosen.set(id, oneLine(why, LONGEST_WHY));
}

/** A warning for each path that named what does not exist. */
export function saidUnknown(paths: readonly CollectedPath[]): readonly string[] {
  return paths.flatMap(({ hypothesis, unknown }) => {
    const names = [...new Set(unknown)];
    if (names.length === 0) return [];
    const shown = names.slice(0, SHOWN_NAMES).map((name) => oneLine(name, LONGEST_SHOWN_NAME));
    const more = names.length > SHOWN_NAMES ? ', …' : '';
    return [`${hypothesis} named ${names.length} that the catalog does not have: ${shown.join(', ')}${more}`];
  });
}
