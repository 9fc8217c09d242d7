/** Facts beside schema and values: what people wrote and what query logs told, joined in the graph. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Catalog, tableOfColumn } from '../../catalog/index.ts';
import type { Config } from '../../config/index.ts';
import { orUnusable, type StateFile } from '../../store/index.ts';
import type { Authored, Sight } from '../authored/authored.ts';
import type { VerifiedPair } from '../authored/examples.ts';
import { readAuthored } from '../authored/folder/read-authored.ts';
import { withProposedSynonyms } from '../authored/proposals.ts';
import { openClusters, type StoredClusters } from '../clusters/stored-clusters.ts';
import { visibleGuesses } from '../described/read-described.ts';
import { buildKnowledgeGraph } from '../graph/build-knowledge-graph.ts';
import type { KnowledgeGraph } from '../graph/knowledge-graph.ts';
import { knownExamples } from '../retrieve/texts/find-examples.ts';
import { accessPolicyOf } from '../semantic/semantic-access-policy.ts';
import type { SemanticModel } from '../semantic/semantic-model.ts';
import { readPopularity, readUsage, type WindowUsage } from '../usage/read-usage.ts';
import { openUsageFile } from '../usage/state/usage-file.ts';
import { type TableAccess, TableAccesses } from '../usage/table-accesses.ts';
import type { Usage } from '../usage/usage.ts';
import type { ValueIndex } from '../values/value-index.ts';
import { type KnownData, restrictKnowledge } from './restrict-knowledge.ts';

/** What a session knows already, as far as its reader may know it. */
export interface KnownSchema {
  readonly catalog: Catalog;
  /** Tables of the database that the reader may not see. */
  readonly hiddenTables: ReadonlySet<string>;
  readonly semantics: SemanticModel;
  readonly authored: Authored;
  readonly examples: readonly VerifiedPair[];
  readonly values: ValueIndex;
}

/** Takes out what the policy of the semantic model hides. Throws `knowledge.invalid` with file, line and column. */
export async function restrictSchema(
  { catalog: whole, values: all }: KnownData,
  config: Config,
  { semantics, examples }: Pick<KnownSchema, 'semantics' | 'examples'>,
): Promise<KnownSchema> {
  const { catalog, values } = restrictKnowledge(
    { catalog: whole, values: all },
    accessPolicyOf(semantics, whole),
  );
  const visible = new Set(catalog.tables.map(({ id }) => id));
  const hiddenTables = new Set(whole.tables.flatMap(({ id }) => (visible.has(id) ? [] : [id])));
  const authored = await readVisibleAuthored(config, catalog, { catalog, hiddenTables });
  return {
    ...{ catalog, hiddenTables, authored, values },
    semantics: withProposedSynonyms(semantics, authored.notes, config.user),
    examples: readableExamples(examples, catalog, hiddenTables),
  };
}

/**
 * What is written in `knowledge/`, with as much of a model's guesses as may be told; names are looked up among the tables
 * of `names`. Throws `knowledge.invalid`.
 */
export async function readVisibleAuthored(
  { knowledgeDirectory, model }: Pick<Config, 'knowledgeDirectory' | 'model'>,
  names: Catalog,
  sight: Sight,
): Promise<Authored> {
  const authored = await readAuthored(knowledgeDirectory, names);
  return { ...authored, described: visibleGuesses(authored, sight, { isPrivate: model?.private === true }) };
}

/**
 * Verified pairs for somebody who may not see every table: those that read nothing but what they may. A question alone tells
 * of a table already, so that no list, prompt or search may begin with another.
 */
export function readableExamples(
  examples: readonly VerifiedPair[],
  visible: Catalog,
  hiddenTables: ReadonlySet<string>,
): readonly VerifiedPair[] {
  if (hiddenTables.size === 0) return examples;
  return knownExamples(examples, visible).examples.map(({ pair }) => pair);
}

export interface KnownFacts {
  /** Absent: no log was read. */
  readonly usage: WindowUsage | undefined;
  /** Open; absent: none were made. */
  readonly clustering: StoredClusters | undefined;
  readonly graph: KnowledgeGraph;
}

/**
 * Usage counts up to the day of `now`. The clusters are those of `over`, else opened here: then whoever calls closes them.
 * Throws `store.unusable`.
 */
export async function readFacts(
  config: Config,
  known: KnownSchema,
  { now, over }: { readonly now: Date; readonly over?: Pick<KnownFacts, 'clustering'> | undefined },
): Promise<KnownFacts> {
  const { catalog, semantics, authored, examples } = known;
  const all = await readUsageOf(config, now);
  const usage = all && restrictUsage(all, known.hiddenTables);
  const clustering = over === undefined ? await openStoredClusters(config) : over.clustering;
  const graph = buildKnowledgeGraph({ catalog, semantics, authored, examples, usage, clustering });
  return { usage, clustering, graph };
}

/** A damaged file counts as none: the next onboarding makes it anew. */
export async function openStoredClusters({
  derivedDirectory,
}: Pick<Config, 'derivedDirectory'>): Promise<StoredClusters | undefined> {
  const stored = await openClusters(derivedDirectory);
  return stored.kind === 'stored' ? stored.clusters : undefined;
}

/** Where `candor usage ingest` keeps what it reads. */
export function usagePath({ derivedDirectory }: Pick<Config, 'derivedDirectory'>): string {
  return join(derivedDirectory, 'usage.sqlite');
}

type WithUsage = Pick<Config, 'derivedDirectory'>;

/** Of the 90 days up to `now`; undefined where no log was ever read. */
export function readUsageOf(config: WithUsage, now: Date): Promise<WindowUsage | undefined> {
  return readLogsOf(config, (file) => readUsage(file, { asOf: now.toISOString().slice(0, 10) }));
}

/** Of the tables of a lake, as it was when logs were last read; none where none ever was. */
export async function readPopularityOf(config: WithUsage): Promise<ReadonlyMap<string, number>> {
  return (await readLogsOf(config, readPopularity)) ?? new Map();
}

async function readLogsOf<Result>(
  config: WithUsage,
  read: (file: StateFile) => Result,
): Promise<Result | undefined> {
  const path = usagePath(config);
  if (!existsSync(path)) return undefined;
  const file = await openUsageFile(path);
  try {
    return await orUnusable(path, () => read(file));
  } finally {
    file.close();
  }
}

/** The usage without what tells of hidden tables: a join or a statement with one of them is left out whole. */
function restrictUsage<Of extends Usage>(usage: Of, hidden: ReadonlySet<string>): Of {
  if (hidden.size === 0) return usage;
  const isSeen = ({ leftTable, rightTable }: { readonly leftTable: string; readonly rightTable: string }) =>
    !hidden.has(leftTable) && !hidden.has(rightTable);
  return {
    ...usage,
    tables: usage.tables.filter(({ tableId }) => !hidden.has(tableId)),
    columns: usage.columns.filter(({ columnId }) => tableOfColumn(columnId, hidden) === undefined),
    joins: usage.joins.filter(isSeen),
    coQueried: usage.coQueried.filter(isSeen),
    accesses: withoutTables(usage.accesses, hidden),
    examples: usage.examples.filter(({ tables }) => !tables.some((id) => hidden.has(id))),
  };
}

function withoutTables(accesses: TableAccesses, hidden: ReadonlySet<string>): TableAccesses {
  const seen = function* (): Generator<TableAccess> {
    for (const access of accesses) if (!hidden.has(access.tableId)) yield access;
  };
  return TableAccesses.of(seen());
}
