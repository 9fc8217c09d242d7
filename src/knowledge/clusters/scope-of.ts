/** Algorithm 4: the tables a session starts from. Source: LinkedIn, section 4.4. */
import { CandorError } from '../../errors.ts';
import { nearestNames } from '../../sql/index.ts';
import type { Authored, ProductArea } from '../authored/authored.ts';
import type { Usage } from '../usage/usage.ts';
import { FEWEST_TABLES } from './cluster-tables.ts';
import type { Clustering, Scope } from './clusters.ts';
import { areaClusters } from './user-clusters.ts';

export interface ScopeSources {
  readonly authored: Pick<Authored, 'areas' | 'statuses'>;
  /** Of the catalog. */
  readonly tableIds: readonly string[];
  readonly clustering?: Clustering | undefined;
  readonly usage?: Pick<Usage, 'tables'> | undefined;
}

/** Certified tables that somebody starts from of whom nothing is known. */
const POPULAR_TABLES = 500;

/**
 * The tables of the clusters of a user and of product areas, with those that the areas include, without those that
 * they exclude and those that are deprecated. Without `areas` they are the ones the user is a member of. Where nothing
 * leads to a table, the scope is wider, and `because` says why. Throws `catalog.unknown-name` for an unknown area.
 */
export function scopeOf(user: string | undefined, areas: readonly string[], sources: ScopeSources): Scope {
  const chosen = chooseAreas(user, areas, sources.authored);
  const left = new LeftOut(chosen, sources);
  const { clustering, tableIds } = sources;
  if (tableIds.length < FEWEST_TABLES)
    return left.allBut(`the database has fewer than ${FEWEST_TABLES} tables`);
  if (clustering === undefined) return left.allBut('no clusters were made yet');
  if (clustering.skipped !== undefined) return left.allBut(`there are no clusters: ${clustering.skipped}`);

  const { ids, said } = collect(user, chosen, clustering);
  const tables = left.from(ids);
  if (tables.size > 0) return { tables, because: `${said.join(', ')}${left.said()}` };
  return popularTables(said.length === 0 ? whyNothing(user) : 'none of their tables is left', left, sources);
}

/** The areas that are named or, where none is, those the user is a member of. Throws `catalog.unknown-name`. */
export function chooseAreas(
  user: string | undefined,
  ids: readonly string[],
  { areas }: Pick<Authored, 'areas'>,
): readonly ProductArea[] {
  if (ids.length === 0) return areas.filter(({ members }) => user !== undefined && members.includes(user));
  return ids.map((id) => {
    const area = areas.find((other) => other.id === id);
    if (area !== undefined) return area;
    const known = areas.map((other) => other.id);
    const [nearest] = nearestNames(id, known, 1);
    const hint = nearest === undefined ? `areas: ${known.join(', ') || 'none'}` : `did you mean ${nearest}?`;
    throw new CandorError('catalog.unknown-name', `there is no product area ${id}; ${hint}`);
  });
}

function collect(
  user: string | undefined,
  areas: readonly ProductArea[],
  clustering: Clustering,
): { readonly ids: ReadonlySet<string>; readonly said: readonly string[] } {
  const tablesOf = new Map(clustering.clusters.map(({ id, tables }) => [id, tables]));
  const ids = new Set<string>();
  const said: string[] = [];
  const add = (whose: string, clusters: readonly { readonly id: number }[]): void => {
    if (clusters.length === 0) return;
    for (const { id } of clusters) for (const { tableId } of tablesOf.get(id) ?? []) ids.add(tableId);
    said.push(`${counted(clusters.length, 'cluster')} of ${whose}`);
  };
  const own = clustering.users.find((other) => other.user === user);
  add(`the user ${user}`, own?.clusters ?? []);
  for (const area of areas) {
    add(`the area ${area.id}`, areaClusters(area, clustering.users));
    for (const id of area.includeTables) ids.add(id);
    if (area.includeTables.length > 0)
      said.push(`${counted(area.includeTables.length, 'table')} that ${area.id} includes`);
  }
  return { ids, said };
}

/** What no scope has: tables that areas exclude, deprecated ones, those that the catalog does not know. */
class LeftOut {
  readonly #known: ReadonlySet<string>;
  readonly #excluded: ReadonlySet<string>;
  readonly #deprecated: ReadonlySet<string>;

  constructor(areas: readonly ProductArea[], { authored, tableIds }: ScopeSources) {
    this.#known = new Set(tableIds);
    this.#excluded = new Set(areas.flatMap(({ excludeTables }) => excludeTables));
    this.#deprecated = new Set(
      authored.statuses.flatMap(({ status, table }) => (status === 'deprecated' ? [table] : [])),
    );
  }

  from(ids: Iterable<string>): Set<string> {
    return new Set(
      [...ids].filter((id) => this.#known.has(id) && !this.#excluded.has(id) && !this.#deprecated.has(id)),
    );
  }

  /** Every table; only where an area excludes some they have to be named. */
  allBut(because: string): Scope {
    const all = `all tables: ${because}${this.said()}`;
    return this.#excluded.size === 0 ? { because: all } : { tables: this.from(this.#known), because: all };
  }

  said(): string {
    const parts = [
      ...(this.#excluded.size === 0 ? [] : [`${this.#excluded.size} excluded`]),
      ...(this.#deprecated.size === 0 ? [] : [`${this.#deprecated.size} deprecated`]),
    ];
    return parts.length === 0 ? '' : `; without ${parts.join(' and ')}`;
  }
}

function whyNothing(user: string | undefined): string {
  return user === undefined
    ? 'no user and no area is given'
    : `nothing is known of ${user} and no area is given`;
}

/** For newcomers: certified tables, most popular first; where nobody certified any, the popular ones. */
function popularTables(because: string, left: LeftOut, { authored, usage }: ScopeSources): Scope {
  const popularity = new Map(usage?.tables.map((table) => [table.tableId, table.popularity]));
  const byPopularity = (ids: Iterable<string>): string[] =>
    [...left.from(ids)].sort(
      (a, b) => (popularity.get(b) ?? 0) - (popularity.get(a) ?? 0) || (a < b ? -1 : 1),
    );
  const certified = byPopularity(
    authored.statuses.flatMap(({ status, table }) => (status === 'certified' ? [table] : [])),
  );
  const tables = certified.length > 0 ? certified : byPopularity(popularity.keys());
  if (tables.length === 0) return left.allBut(`${because}, and none is certified or in use`);
  const kind = certified.length > 0 ? 'certified tables' : 'tables in use, none is certified';
  const shown = tables.slice(0, POPULAR_TABLES);
  return {
    tables: new Set(shown),
    because: `the ${shown.length} most popular ${kind}: ${because}${left.said()}`,
  };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
