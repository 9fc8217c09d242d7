/** Algorithm 4: the tables a session starts from. Source: LinkedIn, section 4.4. */

import { CandorError } from '../../errors.ts';
import { nearestNames } from '../../language/index.ts';
import type { Authored, ProductArea } from '../authored/authored.ts';
import type { Usage } from '../usage/usage.ts';
import type { Scope } from './accesses/access-matrix.ts';
import { FEWEST_TABLES } from './cluster-tables.ts';
import type { StoredClusters } from './stored-clusters.ts';

export interface ScopeSources {
  readonly authored: Pick<Authored, 'areas' | 'statuses'>;
  /** Of the catalog; a `Set` is one. */
  readonly tableIds: KnownTables;
  readonly clustering?:
    | Pick<StoredClusters, 'about' | 'tablesOf' | 'clustersOfUser' | 'clustersOfMembers'>
    | undefined;
  /** Most popular first. */
  readonly usage?: Pick<Usage, 'tables'> | undefined;
}

/** Tables that can be looked up by id. */
type KnownTables = Pick<ReadonlySet<string>, 'size' | 'has'> & Iterable<string>;

/** Certified tables that somebody starts from of whom nothing is known. */
const POPULAR_TABLES = 500;

/**
 * The tables of the clusters of a user and of product areas, with those that the areas include, without those that
 * they exclude and those that are deprecated. Without `areas` they are the ones the user is a member of. Where nothing
 * leads to a table, the scope is wider, and `because` says why. Only what this person needs is looked up. Throws `catalog.unknown-name` for an unknown area.
 */
export function scopeOf(user: string | undefined, areas: readonly string[], sources: ScopeSources): Scope {
  const chosen = chooseAreas(user, areas, sources.authored);
  const left = new LeftOut(chosen, sources);
  const { clustering, tableIds } = sources;
  if (tableIds.size < FEWEST_TABLES)
    return left.allBut(`the database has fewer than ${FEWEST_TABLES} tables`);
  if (clustering === undefined) return left.allBut('no clusters were made yet');
  const { skipped } = clustering.about();
  if (skipped !== undefined) return left.allBut(`there are no clusters: ${skipped}`);

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
  if (ids.length === 0) return user === undefined ? [] : (areasByMember(areas).get(user) ?? []);
  return ids.map((id) => {
    const area = areas.find((other) => other.id === id);
    if (area !== undefined) return area;
    const known = areas.map((other) => other.id);
    const [nearest] = nearestNames(id, known, 1);
    const hint = nearest === undefined ? `areas: ${known.join(', ') || 'none'}` : `did you mean ${nearest}?`;
    throw new CandorError('catalog.unknown-name', `there is no product area ${id}; ${hint}`);
  });
}

const AREAS_OF = new WeakMap<readonly ProductArea[], ReadonlyMap<string, readonly ProductArea[]>>();

function areasByMember(areas: readonly ProductArea[]): ReadonlyMap<string, readonly ProductArea[]> {
  const known = AREAS_OF.get(areas);
  if (known !== undefined) return known;
  const areasOf = new Map<string, ProductArea[]>();
  for (const area of areas)
    for (const member of new Set(area.members)) {
      const own = areasOf.get(member);
      if (own === undefined) areasOf.set(member, [area]);
      else own.push(area);
    }
  AREAS_OF.set(areas, areasOf);
  return areasOf;
}

function collect(
  user: string | undefined,
  areas: readonly ProductArea[],
  clustering: NonNullable<ScopeSources['clustering']>,
): { readonly ids: ReadonlySet<string>; readonly said: readonly string[] } {
  const ids = new Set<string>();
  const said: string[] = [];
  const add = (whose: string, clusters: readonly { readonly id: number }[]): void => {
    if (clusters.length === 0) return;
    for (const { id } of clusters) for (const { tableId } of clustering.tablesOf(id)) ids.add(tableId);
    said.push(`${counted(clusters.length, 'cluster')} of ${whose}`);
  };
  if (user !== undefined) add(`the user ${user}`, clustering.clustersOfUser(user));
  for (const area of areas) {
    add(`the area ${area.id}`, clustering.clustersOfMembers(area.members));
    for (const id of area.includeTables) ids.add(id);
    if (area.includeTables.length > 0)
      said.push(`${counted(area.includeTables.length, 'table')} that ${area.id} includes`);
  }
  return { ids, said };
}

/** What no scope has: tables that areas exclude, deprecated ones, those that the catalog does not know. */
class LeftOut {
  readonly #known: KnownTables;
  readonly #excluded: ReadonlySet<string>;
  readonly #deprecated: ReadonlySet<string>;

  constructor(areas: readonly ProductArea[], { authored, tableIds }: ScopeSources) {
    this.#known = tableIds;
    this.#excluded = new Set(areas.flatMap(({ excludeTables }) => excludeTables));
    this.#deprecated = tablesWith('deprecated', authored.statuses);
  }

  from(ids: Iterable<string>): Set<string> {
    const kept = new Set<string>();
    for (const id of ids) if (this.leaves(id)) kept.add(id);
    return kept;
  }

  leaves(id: string): boolean {
    return !this.#excluded.has(id) && !this.#deprecated.has(id) && this.#known.has(id);
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

const TABLES_WITH = new WeakMap<Authored['statuses'], Map<string, ReadonlySet<string>>>();

/** Ids of the tables that have a status; looked at once for each list of them. */
function tablesWith(status: string, statuses: Authored['statuses']): ReadonlySet<string> {
  const known = TABLES_WITH.get(statuses) ?? new Map<string, ReadonlySet<string>>();
  TABLES_WITH.set(statuses, known);
  const found =
    known.get(status) ?? new Set(statuses.flatMap((each) => (each.status === status ? [each.table] : [])));
  known.set(status, found);
  return found;
}

/** For newcomers: certified tables, most popular first; where nobody certified any, the popular ones. */
function popularTables(because: string, left: LeftOut, { authored, usage }: ScopeSources): Scope {
  const certified = tablesWith('certified', authored.statuses);
  const isAny = [...certified].some((id) => left.leaves(id));
  const tables = mostPopular(left, usage?.tables ?? [], isAny ? certified : undefined);
  if (tables.size === 0) return left.allBut(`${because}, and none is certified or in use`);
  const kind = isAny ? 'certified tables' : 'tables in use, none is certified';
  return { tables, because: `the ${tables.size} most popular ${kind}: ${because}${left.said()}` };
}

/** Of the given tables, those that nobody uses come last, by name; without any given, of those in use. */
function mostPopular(
  left: LeftOut,
  used: Usage['tables'],
  among: ReadonlySet<string> | undefined,
): ReadonlySet<string> {
  const tables = new Set<string>();
  for (const { tableId } of used) {
    if (tables.size === POPULAR_TABLES) return tables;
    if ((among?.has(tableId) ?? true) && left.leaves(tableId)) tables.add(tableId);
  }
  for (const id of [...(among ?? [])].sort()) {
    if (tables.size === POPULAR_TABLES) break;
    if (left.leaves(id)) tables.add(id);
  }
  return tables;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
