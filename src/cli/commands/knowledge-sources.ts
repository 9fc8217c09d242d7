/** What the knowledge commands look at together. */
import type { Catalog } from '../../catalog/index.ts';
import type { Config } from '../../config/index.ts';
import { CandorError } from '../../errors.ts';
import {
  type Authored,
  addSemanticKeys,
  catalogNames,
  readAuthored,
  readExamples,
  readSemanticModel,
  type SemanticModel,
  type VerifiedPair,
  type WindowUsage,
} from '../../knowledge/index.ts';
import { readUsageOf } from '../../known-facts.ts';
import { readKnown } from '../../session.ts';
import { nearestNames } from '../../sql/index.ts';

export interface KnowledgeSources {
  readonly catalog: Catalog;
  readonly semantics: SemanticModel;
  readonly authored: Authored;
  readonly examples: readonly VerifiedPair[];
  /** Of the last 90 days; absent where no log was read yet. */
  readonly usage?: WindowUsage;
}

/** Throws `catalog.stale` before the first onboarding, and the faults of the files. */
export async function readKnowledgeSources(config: Config): Promise<KnowledgeSources> {
  const known = await readKnown(config);
  const semantics = await readSemanticModel(config.semanticsDirectory);
  const catalog = addSemanticKeys(known.catalog, semantics);
  const { today = dayOfWriting() } = config;
  const usage = await readUsageOf(config, new Date(`${today}T12:00:00Z`));
  return {
    catalog,
    semantics,
    authored: await readAuthored(config.knowledgeDirectory, catalog),
    examples: await readExamples(config.examplesDirectory),
    ...(usage === undefined ? {} : { usage }),
  };
}

/** When something is written down: the day of the wall clock, also in projects whose data has stopped growing. */
export function dayOfWriting(): string {
  return new Date().toISOString().slice(0, 10);
}

/** The id of a table as a person typed it. Throws `catalog.unknown-name` with the nearest. */
export function findTableId(written: string, { tables }: Pick<Catalog, 'tables'>): string {
  const id = catalogNames({ tables }).tableOf(written);
  if (id !== undefined) return id;
  const near = nearestNames(
    written.toLowerCase(),
    tables.map((table) => table.id),
    3,
  );
  const hint = near.length === 0 ? '' : `; near it: ${near.join(', ')}`;
  throw new CandorError('catalog.unknown-name', `there is no table ${written}${hint}`);
}
