import type { Catalog, Table } from '../../catalog/index.ts';
import type { Config } from '../../config/index.ts';
import type { Database } from '../../database/index.ts';
import { CandorError } from '../../errors.ts';
import type { Authored, VerifiedPair } from '../../knowledge/authored/index.ts';
import { openStoredClusters, readLakeAuthored, readPopularityOf } from '../../knowledge/base/index.ts';
import { chooseAreas, type StoredClusters } from '../../knowledge/clusters/index.ts';
import { type Lake, type LakeScope, type LakeSources, searchLake } from '../../knowledge/lake/index.ts';
import {
  type AuthoredSources,
  authoredTables,
  expandFamilies,
  knownExamples,
  RETRIEVAL_DEFAULTS,
} from '../../knowledge/retrieve/index.ts';
import { accessPolicyOf, type SemanticModel } from '../../knowledge/semantic/index.ts';
import { BoundedMap } from '../../lib/index.ts';
import { type OpenOptions, openSession } from '../project/open-session.ts';
import type { Session } from '../project/session.ts';
import type { TableProvider } from '../project/table-provider.ts';
import { configUnder } from '../project/user-databases.ts';
import { type LakeDoor, lakeDatabase } from './lake-database.ts';
import { lakeSubset } from './lake-subset-database.ts';

/** The tables that a question is answered from (K1; LinkedIn, 5.1); those that people wrote of come beside them. */
const MOST_FOUND = 20;
/** Of one family, before every other has had its turn. */
const PER_FAMILY = 5;
/** With partners of joins. */
const MOST_TABLES = 40;
/** Choices of tables that are kept open. One that is closed has seen as many others opened since: nobody is at it. */
const MOST_OPEN = 40;
/** Scopes that are remembered. */
const MOST_SCOPES = 1_000;

export interface LakeSessionsParts {
  readonly config: Config;
  readonly options: OpenOptions;
  readonly engine: Database;
  readonly lake: Lake;
  readonly semantics: SemanticModel;
  readonly pairs: readonly VerifiedPair[];
  /** Tables that the semantic model and the verified pairs name. */
  readonly named: readonly Table[];
}

export class LakeSessions implements TableProvider<Session> {
  readonly #parts: LakeSessionsParts;
  readonly #known: Known;
  readonly #scopes = new BoundedMap<string, Promise<LakeScope | undefined>>(MOST_SCOPES);
  readonly #open = new Map<string, Promise<Session>>();
  readonly #closers: (() => Promise<void>)[] = [];
  #models: Session['models'];

  private constructor(parts: LakeSessionsParts, known: Known) {
    this.#parts = parts;
    this.#known = known;
  }

  static async make(parts: LakeSessionsParts): Promise<LakeSessions> {
    return new LakeSessions(parts, await readKnown(parts));
  }

  async tablesFor(question: string, user?: string): Promise<readonly string[]> {
    const ids = new Set(authoredTables(question, this.#known.tables));
    for (const id of await this.#search(question, await this.#scopeOf(user))) ids.add(id);
    for (const { toTable } of await this.#parts.lake.foreignKeys(ids)) ids.add(toTable);
    const there = await this.#parts.lake.tables([...ids].slice(0, MOST_TABLES));
    return there.map(({ id }) => id);
  }

  async within(tables: readonly string[]): Promise<Session> {
    const ids = [...new Set([...tables, ...this.#known.ruled])].sort();
    const key = JSON.stringify(ids);
    const known = this.#open.get(key);
    const opened = known ?? this.#make(ids);
    this.#open.delete(key);
    this.#open.set(key, opened);
    opened.catch(() => this.#open.delete(key));
    const [oldest] = this.#open;
    if (this.#open.size > MOST_OPEN && oldest !== undefined) {
      this.#open.delete(oldest[0]);
      await (await oldest[1]).base.close();
    }
    return opened;
  }

  async close(): Promise<void> {
    const all = await Promise.allSettled(this.#open.values());
    this.#open.clear();
    for (const session of all) if (session.status === 'fulfilled') await session.value.base.close();
    for (const close of this.#closers) await close();
    this.#parts.lake.close();
  }

  #scopeOf(user = this.#parts.config.user): Promise<LakeScope | undefined> {
    const known = this.#scopes.get(user ?? '');
    if (known !== undefined) return known;
    const { lake, config } = this.#parts;
    const made = readLakeScope(
      lake,
      { ...config, ...(user !== undefined && { user }) },
      this.#known.authored,
    );
    this.#scopes.set(user ?? '', made);
    made.catch(() => this.#scopes.delete(user ?? ''));
    return made;
  }

  /** In the scope; where nothing of it fits at all, in the whole lake. */
  async #search(question: string, scope: LakeScope | undefined): Promise<readonly string[]> {
    const { sources } = this.#known;
    const within = scope === undefined ? { question } : { question, scope };
    let { tables } = await searchLake(within, sources, RETRIEVAL_DEFAULTS);
    if (scope !== undefined && !tables.some(({ score }) => score > 0))
      tables = (await searchLake({ question }, sources, RETRIEVAL_DEFAULTS)).tables;
    return expandFamilies(tables, { limit: MOST_FOUND, perFamily: PER_FAMILY });
  }

  /** One language model for all parts; where it may be told no cell, each part has one that knows what to keep back. */
  #modelsOf({ models }: Session): Session['models'] {
    const { options, config } = this.#parts;
    if (options.isPrivate ?? config.model?.private ?? false) return models;
    this.#models ??= models;
    return this.#models;
  }

  async #make(ids: readonly string[]): Promise<Session> {
    const { config, options, engine, lake, semantics, named } = this.#parts;
    const tables = await lake.tables(ids);
    const there = new Set(tables.map(({ id }) => id));
    for (const id of ids)
      if (!there.has(id)) throw new CandorError('catalog.unknown-name', `there is no table ${id}`);
    const part = lakeSubset(engine, {
      tables,
      foreignKeys: await lake.foreignKeys(ids),
      derivedDirectory: config.derivedDirectory,
    });
    const session = await openSession(config, { ...options, part });
    if (session.closeModels !== undefined) this.#closers.push(session.closeModels);
    const door: LakeDoor = { lake, config, semantics, named };
    return session.over({
      models: this.#modelsOf(session),
      // All parts are closed together, with the lake.
      closeModels: undefined,
      databaseFor: ({ tables: visibleTables, ...rights }) =>
        lakeDatabase(engine, { ...door, config: configUnder(config, rights), visibleTables }),
    });
  }
}

interface Known {
  readonly sources: LakeSources;
  /** What leads to tables beside their words. */
  readonly tables: AuthoredSources;
  readonly authored: Authored;
  /** Tables with rules of their own: without them their rules could not be held. */
  readonly ruled: readonly string[];
}

async function readKnown({
  config,
  engine,
  lake,
  semantics,
  pairs,
  named,
}: LakeSessionsParts): Promise<Known> {
  const catalog: Catalog = {
    ...{ database: engine.name, dialect: engine.dialect, tables: named },
    ...{ foreignKeys: [], fingerprint: '' },
  };
  const authored = await readLakeAuthored(lake, config, named);
  const popularity = await readPopularityOf(config);
  const statuses = new Map(authored.statuses.map(({ table, status }) => [table, status]));
  const { rowFilters, columnMasks, trustedViews } = accessPolicyOf(semantics, catalog);
  const masked = [...(columnMasks?.keys() ?? [])].map((id) => id.slice(0, id.lastIndexOf('.')));
  return {
    sources: {
      lake,
      standing: (id) => ({
        isCertified: statuses.get(id) === 'certified',
        isDeprecated: statuses.get(id) === 'deprecated',
        popularity: popularity.get(id) ?? 0,
      }),
    },
    tables: { examples: knownExamples(pairs, catalog).examples, semantics, catalog },
    authored,
    ruled: [...new Set([...(rowFilters?.keys() ?? []), ...masked, ...(trustedViews ?? [])])],
  };
}

/**
 * The tables of a lake that a person starts from: the clusters of the user and of the areas, and what the areas include,
 * without what they exclude and what is deprecated. Undefined where nothing leads to a table: the whole lake. Clusters
 * are kept in the lake by their numbers, once for everybody. Throws `catalog.unknown-name` for an unknown area.
 */
async function readLakeScope(
  lake: Lake,
  { user, areas: chosen, derivedDirectory }: Pick<Config, 'user' | 'areas' | 'derivedDirectory'>,
  authored: Authored,
): Promise<LakeScope | undefined> {
  const areas = chooseAreas(user, chosen, authored);
  const clusters = await openStoredClusters({ derivedDirectory });
  try {
    const ids = new Set(clusters === undefined ? [] : clusterIds(clusters, user, areas));
    const parts = clusters === undefined ? [] : await putParts(lake, clusters, ids);
    const included = areas.flatMap(({ includeTables }) => includeTables);
    if (parts.length + included.length === 0) return undefined;
    const deprecated = authored.statuses.filter(({ status }) => status === 'deprecated');
    const excluded = areas.flatMap(({ excludeTables }) => excludeTables);
    return { parts, tables: included, without: [...excluded, ...deprecated.map(({ table }) => table)] };
  } finally {
    clusters?.close();
  }
}

function clusterIds(
  clusters: StoredClusters,
  user: string | undefined,
  areas: ReturnType<typeof chooseAreas>,
): readonly number[] {
  const own = user === undefined ? [] : clusters.clustersOfUser(user);
  return [...own, ...areas.flatMap(({ members }) => clusters.clustersOfMembers(members))].map(({ id }) => id);
}

/** Whatever changes the tables of a cluster changes the stamp: a full run its day, what is folded in the drift. */
async function putParts(lake: Lake, clusters: StoredClusters, ids: ReadonlySet<number>): Promise<string[]> {
  const { at, manifest, drift } = clusters.about();
  const stamp = `${at} ${manifest.to} ${drift}`;
  const parts: string[] = [];
  for (const id of ids) {
    const name = `cluster ${id}`;
    await lake.putPart(
      { name, stamp },
      clusters.tablesOf(id).map(({ tableId }) => tableId),
    );
    parts.push(name);
  }
  return parts;
}
