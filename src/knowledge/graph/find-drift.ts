/** What people have written that the database no longer bears out. */

import type { Catalog } from '../../catalog/index.ts';
import { nearestNames } from '../../language/index.ts';
import { findNames, parse } from '../../sql/index.ts';
import type { Authored, Note } from '../authored/authored.ts';
import { type CatalogNames, catalogNames } from '../authored/catalog-names.ts';
import type { VerifiedPair } from '../authored/examples.ts';
import { codeNames } from '../authored/read-notes.ts';
import { checkSemanticModel } from '../semantic/check-semantic-model.ts';
import { checkSemanticSql } from '../semantic/check-semantic-sql.ts';
import { checkSemanticValues } from '../semantic/check-semantic-values.ts';
import type { SemanticModel } from '../semantic/semantic-model.ts';
import type { WindowUsage } from '../usage/read-usage.ts';
import { lazily } from './graph-stats.ts';

export interface Drift {
  readonly kind: 'note' | 'status' | 'area' | 'semantic model' | 'example' | 'usage';
  /** File and line, or what it is of. */
  readonly place: string;
  /** One sentence, with the nearest names there are. */
  readonly what: string;
}

export interface DriftSources {
  /** With the links of the semantic model. */
  readonly catalog: Catalog;
  readonly semantics: SemanticModel;
  readonly authored: Authored;
  readonly examples: readonly VerifiedPair[];
  readonly usage?: Pick<WindowUsage, 'tables' | 'unknownTables'> | undefined;
}

/** Every name in authored knowledge and logs that the catalog does not have, and pairs that no longer parse or bind. */
export function findDrift(sources: DriftSources): Drift[] {
  const { catalog, semantics, authored, usage } = sources;
  const names = new KnownNames(catalog);
  const areas = authored.areas.map(({ id }) => id);
  return [
    ...authored.notes.flatMap((note) => driftOfNote(note, names, areas)),
    ...authored.statuses.flatMap(({ table, replacedBy, place }) =>
      [table, ...(replacedBy === undefined ? [] : [replacedBy])].flatMap((id) =>
        names.missingTable(id).map((what): Drift => ({ kind: 'status', place, what })),
      ),
    ),
    ...authored.areas.flatMap(({ id, includeTables, excludeTables }) =>
      [...includeTables, ...excludeTables].flatMap((table) =>
        names.missingTable(table).map((what): Drift => ({ kind: 'area', place: `area ${id}`, what })),
      ),
    ),
    ...[
      ...checkSemanticModel(semantics, catalog),
      ...checkSemanticSql(semantics, catalog.dialect),
      ...checkSemanticValues(semantics, catalog),
    ].map((what): Drift => ({ kind: 'semantic model', place: 'semantics', what })),
    ...sources.examples.flatMap((pair) => driftOfExample(pair, catalog)),
    ...(usage === undefined ? [] : driftOfUsage(usage, names)),
  ];
}

/** The names of the catalog, looked up once. Lives for one search. */
class KnownNames {
  readonly names: CatalogNames;
  readonly #catalog: Catalog;
  readonly #columnNames = lazily(
    () =>
      new Set(this.#catalog.tables.flatMap(({ columns }) => columns.map(({ name }) => name.toLowerCase()))),
  );

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
    this.names = catalogNames(catalog);
  }

  hasColumnNamed(name: string): boolean {
    return this.#columnNames().has(name.toLowerCase());
  }

  /** The sentence about a table that is not there; none about one that is. */
  missingTable(written: string): string[] {
    if (this.names.tableOf(written) !== undefined) return [];
    return [
      `there is no table ${written}${nearest(
        written,
        this.#catalog.tables.map(({ id }) => id),
      )}`,
    ];
  }

  missingColumn(written: string): string[] {
    if (this.names.columnOf(written) !== undefined) return [];
    const tableId = this.names.tableOf(written.slice(0, written.lastIndexOf('.')));
    const table = this.#catalog.tables.find(({ id }) => id === tableId);
    if (table === undefined) return [`there is no column ${written}`];
    return [
      `there is no column ${written}${nearest(
        written,
        table.columns.map(({ id }) => id),
      )}`,
    ];
  }
}

function nearest(written: string, names: readonly string[]): string {
  const found = nearestNames(written.toLowerCase(), names, 3);
  return found.length === 0 ? '' : `; nearest: ${found.join(', ')}`;
}

function driftOfNote(
  { place, text, tables, columns, areas }: Note,
  names: KnownNames,
  known: readonly string[],
): Drift[] {
  const ofColumns = columns.flatMap((id) => names.missingColumn(id));
  // Of a column that is not there the table is told with it.
  const owners = new Set(columns.map((id) => id.slice(0, id.lastIndexOf('.'))));
  const ofTables = tables.filter((id) => !owners.has(id)).flatMap((id) => names.missingTable(id));
  const ofCode = codeNames(text).flatMap((name) => missingCode(name, names));
  const ofAreas = areas
    .filter((id) => !known.includes(id))
    .map((id) => `there is no product area ${id}${nearest(id, known)}`);
  return [...new Set([...ofColumns, ...ofTables, ...ofCode, ...ofAreas])].map((what) => ({
    kind: 'note',
    place,
    what,
  }));
}

/** `a.b` and `a_b` in code are meant as names; a plain word may be a value or a keyword. */
function missingCode(name: string, known: KnownNames): string[] {
  const { tableOf, columnOf } = known.names;
  if (tableOf(name) !== undefined || columnOf(name) !== undefined) return [];
  if (name.includes('.')) return known.missingColumn(name);
  return name.includes('_') && !known.hasColumnNamed(name) ? known.missingTable(name) : [];
}

function driftOfExample({ sql, file }: VerifiedPair, catalog: Catalog): Drift[] {
  const drift = (what: string): Drift => ({ kind: 'example', place: `examples/${file}`, what });
  const parsed = parse(sql, catalog.dialect);
  if (!parsed.ok) return [drift(`its SQL does not parse: ${parsed.error.message}`)];
  return findNames(parsed.tree, catalog).problems.map(({ kind, name, nearest: near }) => {
    const choice = near.length === 0 ? '' : `; nearest: ${near.join(', ')}`;
    if (kind === 'ambiguous-column') return drift(`${name} is the column of more than one table${choice}`);
    return drift(`there is no ${kind === 'unknown-table' ? 'table' : 'column'} ${name}${choice}`);
  });
}

function driftOfUsage(
  { tables, unknownTables }: Pick<WindowUsage, 'tables' | 'unknownTables'>,
  known: KnownNames,
): Drift[] {
  const used = [...tables.map(({ tableId, runs }) => ({ name: tableId, runs })), ...unknownTables];
  return used.flatMap(({ name, runs }) =>
    known
      .missingTable(name)
      .map((what): Drift => ({ kind: 'usage', place: 'query logs', what: `${what} (${runs} runs)` })),
  );
}
