/** Tables and fields under each hypothesis on its own (EviLink, section 3.2; evilink.md §5). */
import type { EvidenceLevel } from '../../catalog/index.ts';
import { CandorError } from '../../errors.ts';
import type {
  LinkHypothesis,
  LinkQuestion,
  LinkReasoner,
  NamedTable,
  ViewedTable,
} from '../../reasoning/index.ts';
import { chunkTables } from './chunk-tables.ts';
import type { EvilinkSettings } from './evilink-settings.ts';
import type { EvilinkSources } from './evilink-sources.ts';
import type { LinkItems } from './link-items.ts';
import { oneLine } from './one-line.ts';
import { passedOver, throwIfStopped } from './passable.ts';
import type { NameResolver } from './resolve-names.ts';
import { bySchema, type SchemaScope } from './schema-scope.ts';
import type { PathResult } from './votes.ts';
import { tablesWithStatistics } from './with-statistics.ts';

const LONGEST_WHY = 200;
const LONGEST_SHOWN_NAME = 80;
const SHOWN_NAMES = 5;

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
    warnings: [...failures, ...paths.flatMap(({ hypothesis, unknown }) => said(hypothesis, unknown))],
  };
}

/** The chosen and what of it is not in the catalog. */
interface GroundedPath extends PathResult {
  readonly unknown: readonly string[];
}

interface TableStage {
  readonly level: EvidenceLevel;
  readonly chunks: readonly (readonly ViewedTable[])[];
}

async function groundPath(
  hypothesis: LinkHypothesis,
  { level, chunks }: TableStage,
  context: PathContext,
): Promise<GroundedPath> {
  const { question, reasoner, settings, items, names, scope } = context;
  const unknown: string[] = [];
  const tables = new Map<string, string>();
  const fields = new Map<string, string>();
  const resolve = ({ name, why }: NamedTable, near: ReadonlySet<string>): void => {
    const table = names.table(name, near);
    if (table === undefined) unknown.push(name);
    else choose(tables, table.id, why);
  };
  for (const chunk of chunks) {
    throwIfStopped(question.signal);
    const near = idsOf(chunk);
    const view = { level, tables: chunk };
    for (const named of await reasoner.selectTables(question, hypothesis, view)) resolve(named, near);
  }
  const chosen = items.inOrder(tables.keys()).flatMap((id) => items.table(id) ?? []);
  const retained = bySchema(chosen).map(scope.view);
  const batches = await chunked(retained, settings.fieldLevel, context);
  const near = idsOf(retained);
  for (const batch of batches) {
    throwIfStopped(question.signal);
    const view = { level: settings.fieldLevel, tables: batch };
    for (const { why, ...named } of await reasoner.selectFields(question, hypothesis, view)) {
      const column = names.field(named, near);
      if (column === undefined) unknown.push(`${named.table}.${named.column}`);
      else choose(fields, column.id, why);
    }
  }
  return { hypothesis: hypothesis.id, ...expand(tables, fields, context), unknown };
}

/** A table that stands for a family gives its vote to the chosen members, and so do its fields. */
function expand(
  tables: ReadonlyMap<string, string>,
  fields: ReadonlyMap<string, string>,
  { items, scope }: PathContext,
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

async function chunked(
  tables: readonly ViewedTable[],
  level: EvidenceLevel,
  { settings, sources }: PathContext,
): Promise<readonly (readonly ViewedTable[])[]> {
  const seen = level === 'L3' ? await tablesWithStatistics(tables, sources.statisticsOf) : tables;
  return chunkTables(seen, level, settings.chunkCharacters);
}

function idsOf(tables: readonly ViewedTable[]): ReadonlySet<string> {
  return new Set(tables.map(({ table }) => table.id));
}

function said(hypothesis: string, unknown: readonly string[]): readonly string[] {
  const names = [...new Set(unknown)];
  if (names.length === 0) return [];
  const shown = names.slice(0, SHOWN_NAMES).map((name) => oneLine(name, LONGEST_SHOWN_NAME));
  const more = names.length > SHOWN_NAMES ? ', …' : '';
  return [`${hypothesis} named ${names.length} that the catalog does not have: ${shown.join(', ')}${more}`];
}
