/** Tables and fields under each hypothesis on its own (EviLink, section 3.2; evilink.md §5). */
import type { EvidenceLevel } from '../../catalog/index.ts';
import { CandorError } from '../../errors.ts';
import type {
  LinkHypothesis,
  LinkQuestion,
  LinkReasoner,
  ViewedTable,
} from '../../reasoning/roles/link-reasoner.ts';
import { type CollectedPath, collectPath, saidUnknown } from './collect-path.ts';
import type { EvilinkSettings } from './items/evilink-settings.ts';
import type { EvilinkSources } from './items/evilink-sources.ts';
import { tablesWithStatistics } from './items/evilink-sources.ts';
import type { LinkItems } from './items/link-items.ts';
import { passedOver, throwIfStopped } from './items/recoverable-errors.ts';
import type { NameResolver } from './items/resolve-names.ts';
import { bySchema, type SchemaScope } from './items/schema-scope.ts';
import { chunkTables } from './overview/chunk-tables.ts';
import type { PathResult } from './state/votes.ts';

export interface PathContext {
  readonly question: LinkQuestion;
  readonly reasoner: LinkReasoner;
  readonly sources: EvilinkSources;
  readonly settings: EvilinkSettings;
  readonly items: LinkItems;
  readonly names: NameResolver;
  readonly scope: SchemaScope;
}

export interface GroundedPaths {
  /** In the order of the hypotheses; K is their number. */
  readonly paths: readonly PathResult[];
  /** Paths that failed, names that do not exist, the second try. */
  readonly warnings: readonly string[];
}

/**
 * All paths side by side; none knows of another. When all choose nothing they try once more with types and classes
 * before them. Throws `linking.no-path` when every path fails.
 */
export async function groundPaths(
  hypotheses: readonly LinkHypothesis[],
  context: PathContext,
): Promise<GroundedPaths> {
  const { tableLevel } = context.settings;
  const first = await groundAll(hypotheses, tableLevel, context);
  if (tableLevel !== 'L0' || first.paths.some(({ tables }) => tables.size > 0)) return first;
  const again = await groundAll(hypotheses, 'L1', context);
  const said = 'no hypothesis chose a table from names alone: asked once more with types';
  return { paths: again.paths, warnings: [...first.warnings, said, ...again.warnings] };
}

async function groundAll(
  hypotheses: readonly LinkHypothesis[],
  level: EvidenceLevel,
  context: PathContext,
): Promise<GroundedPaths> {
  const { question, sources } = context;
  const chunks = await chunked(context.scope.tables, level, context);
  let done = 0;
  const settled = await Promise.allSettled(
    hypotheses.map((hypothesis) =>
      groundPath(hypothesis, { level, chunks }, context).finally(() => {
        done += 1;
        sources.onProgress?.({ stage: 'paths', done, total: hypotheses.length });
      }),
    ),
  );
  const failures = settled.flatMap((outcome, index) =>
    outcome.status === 'rejected'
      ? [`${hypotheses[index]?.id} was dropped, ${passedOver(outcome.reason, question.signal)}`]
      : [],
  );
  const paths = settled.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  if (paths.length === 0) {
    const [cause] = settled.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    throw new CandorError('linking.no-path', `every hypothesis failed: ${failures.join('; ')}`, { cause });
  }
  return {
    paths,
    warnings: [...failures, ...saidUnknown(paths)],
  };
}

interface TableStage {
  readonly level: EvidenceLevel;
  readonly chunks: readonly (readonly ViewedTable[])[];
}

async function groundPath(
  hypothesis: LinkHypothesis,
  { level, chunks }: TableStage,
  context: PathContext,
): Promise<CollectedPath> {
  const { question, reasoner, settings, items, scope } = context;
  const path = collectPath(hypothesis.id, context);
  for (const chunk of chunks) {
    throwIfStopped(question.signal);
    const near = idsOf(chunk);
    const view = { level, tables: chunk };
    for (const named of await reasoner.selectTables(question, hypothesis, view)) path.addTable(named, near);
  }
  const chosen = items.inOrder(path.tables()).flatMap((id) => items.table(id) ?? []);
  const retained = bySchema(chosen).map(scope.view);
  const batches = await chunked(retained, settings.fieldLevel, context);
  const near = idsOf(retained);
  for (const batch of batches) {
    throwIfStopped(question.signal);
    const view = { level: settings.fieldLevel, tables: batch };
    for (const named of await reasoner.selectFields(question, hypothesis, view)) path.addField(named, near);
  }
  return path.finish();
}

async function chunked(
  tables: readonly ViewedTable[],
  level: EvidenceLevel,
  { settings, sources }: PathContext,
): Promise<readonly (readonly ViewedTable[])[]> {
  const seen = level === 'L3' ? await tablesWithStatistics(tables, sources.statisticsOf) : tables;
  return chunkTables(seen, level, settings.chunkCharacters);
}

export function idsOf(tables: readonly ViewedTable[]): ReadonlySet<string> {
  return new Set(tables.map(({ table }) => table.id));
}
