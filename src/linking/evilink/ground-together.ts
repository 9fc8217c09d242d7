/** All hypotheses and what each needs from one call, where the published way has one and two more for each. */
import { CandorError } from '../../errors.ts';
import type {
  GroundedReading,
  JointReasoner,
  LinkHypothesis,
  NamedField,
} from '../../reasoning/roles/link-reasoner.ts';
import { collectPath, type PathCollector, saidUnknown } from './collect-path.ts';
import { type GroundedPaths, idsOf, type PathContext } from './ground-paths.ts';
import { passedOver } from './items/recoverable-errors.ts';
import type { NameResolver } from './items/resolve-names.ts';
import { normaliseHypotheses } from './normalise-hypotheses.ts';
import { fitColumns, fitOverview, type OverviewSources } from './overview/fit-overview.ts';

export interface GroundedTogether extends GroundedPaths {
  readonly hypotheses: readonly LinkHypothesis[];
  readonly leftOut: readonly string[];
}

/**
 * One call over the likeliest part of the schema; where a reading needs a table that had no room in full, one more call over
 * the columns of such tables, for all readings. Throws `linking.no-path` when the first call fails.
 */
export async function groundTogether(
  context: PathContext,
  reasoner: JointReasoner,
): Promise<GroundedTogether> {
  const { question, settings, scope, sources } = context;
  const room: OverviewSources = {
    tokens: settings.sharedTokens,
    ranking: sources.ranking ?? [],
    likelihoodOf: sources.likelihoodOf ?? (() => 0),
  };
  const overview = fitOverview(scope.tables, room);
  const readings = await readOrThrow(() => reasoner.readTogether(question, overview, settings.kmax), context);
  sources.onProgress?.({ stage: 'hypotheses', done: 1, total: 1 });
  const near = idsOf([...overview.tables, ...overview.named]);
  const { kept, hypotheses, warnings } = usable(readings, near, context);
  const paths = hypotheses.map((hypothesis) => collectPath(hypothesis.id, context));
  for (const [at, { tables, fields }] of kept.entries()) {
    for (const named of tables) paths[at]?.addTable(named, near);
    for (const named of fields) paths[at]?.addField(named, near);
  }
  const whole = idsOf(overview.tables.filter(({ hiddenColumns }) => hiddenColumns === 0));
  const unseen = kept.map((reading, at) => unseenTables(reading, paths[at], { whole, near, context }));
  const failures = await showUnseen({ unseen, hypotheses, paths, room }, context);
  const done = paths.map((path) => path.finish());
  sources.onProgress?.({ stage: 'paths', done: done.length, total: done.length });
  const shown = overview.tables.length;
  const total = scope.tables.length;
  return {
    hypotheses,
    paths: done,
    warnings: [...warnings, ...failures, ...saidUnknown(done)],
    leftOut:
      shown === total ? [] : [`${shown} of ${total} tables were shown, ${overview.named.length} named`],
  };
}

async function readOrThrow(
  read: () => Promise<readonly GroundedReading[]>,
  { question }: PathContext,
): Promise<readonly GroundedReading[]> {
  try {
    return await read();
  } catch (cause) {
    throw new CandorError('linking.no-path', `no readings, ${passedOver(cause, question.signal)}`, { cause });
  }
}

/** Those that name a table, each once; the question alone is the hypothesis where there are none. */
function usable(
  readings: readonly GroundedReading[],
  near: ReadonlySet<string>,
  { question, settings, names }: PathContext,
) {
  const named = readings.filter(({ hypothesis: { entities } }) =>
    entities.some((name) => name.trim() !== ''),
  );
  const mayRepeat = settings.mergeDuplicates && named.length > 1;
  const kept = mayRepeat ? firstOfEach(named, near, names) : named;
  const most = kept.slice(0, settings.kmax);
  const rules = { most: settings.kmax, mergeDuplicates: false, question: question.text };
  const { hypotheses, warnings } = normaliseHypotheses(
    most.map(({ hypothesis }) => hypothesis),
    rules,
  );
  return { kept: most, hypotheses, warnings };
}

/** Two that choose the same and differ in nothing are one in other words: together they would outvote a third. */
function firstOfEach(
  readings: readonly GroundedReading[],
  near: ReadonlySet<string>,
  names: NameResolver,
): readonly GroundedReading[] {
  const tableOf = (name: string): string => names.table(name, near)?.id ?? name.toLowerCase();
  const fieldOf = (named: NamedField): string =>
    names.field(named, near)?.id ?? `${named.table}.${named.column}`.toLowerCase();
  const sorted = (ids: readonly string[]): readonly string[] => [...new Set(ids)].toSorted();
  const known = new Map<string, GroundedReading>();
  for (const reading of readings) {
    const { hypothesis, tables, fields, unseen } = reading;
    const key = JSON.stringify([
      sorted(tables.map(({ name }) => tableOf(name))),
      sorted(fields.map(fieldOf)),
      sorted(unseen.map(tableOf)),
      hypothesis.differsBy.toSorted(),
    ]);
    if (!known.has(key)) known.set(key, reading);
  }
  return [...known.values()];
}

/** Tables that a reading wants to see, and those it chose of which it saw no column. */
function unseenTables(
  { unseen }: GroundedReading,
  path: PathCollector | undefined,
  {
    whole,
    near,
    context: { names, items },
  }: {
    readonly whole: ReadonlySet<string>;
    readonly near: ReadonlySet<string>;
    readonly context: PathContext;
  },
): ReadonlySet<string> {
  if (path === undefined) return new Set();
  const withField = new Set([...path.fields()].map((id) => items.tableOf(id)));
  const wanted = unseen.flatMap((name) => names.table(name, near)?.id ?? []);
  const chosen = [...path.tables()].filter((id) => !withField.has(id));
  return new Set([...wanted, ...chosen].filter((id) => !whole.has(id)));
}

/** Adds what is chosen of the unseen tables to the paths that wanted them; a failure is told and costs the columns, not the tables. */
async function showUnseen(
  {
    unseen,
    hypotheses,
    paths,
    room,
  }: {
    readonly unseen: readonly ReadonlySet<string>[];
    readonly hypotheses: readonly LinkHypothesis[];
    readonly paths: readonly PathCollector[];
    readonly room: OverviewSources;
  },
  context: PathContext,
): Promise<readonly string[]> {
  const { question, reasoner, items, names, scope, settings } = context;
  const ids = items.inOrder(unseen.flatMap((wanted) => [...wanted]));
  const tables = ids.flatMap((id) => items.table(id) ?? []).map(scope.view);
  if (tables.length === 0) return [];
  const shown = fitColumns(tables, room);
  const wanting = hypotheses.filter((_, at) => (unseen[at]?.size ?? 0) > 0);
  try {
    const view = { level: settings.fieldLevel, tables: shown };
    const chosen = await reasoner.selectFields(question, asOne(wanting), view);
    const near = idsOf(shown);
    for (const [at, wanted] of unseen.entries())
      for (const named of chosen) {
        const column = names.field(named, near);
        const isWanted = column === undefined ? wanted.size > 0 : wanted.has(column.tableId);
        if (isWanted) paths[at]?.addField(named, near);
      }
    const left = tables.length - shown.length;
    return left === 0 ? [] : [`columns of ${left} tables that readings wanted to see had no room`];
  } catch (error) {
    const because = passedOver(error, question.signal);
    for (const [at, wanted] of unseen.entries())
      for (const id of wanted) paths[at]?.addTable({ name: id }, wanted);
    return [`columns that had no room were not looked at, ${because}`];
  }
}

function asOne(hypotheses: readonly LinkHypothesis[]): LinkHypothesis {
  const [first] = hypotheses as readonly [LinkHypothesis, ...LinkHypothesis[]];
  if (hypotheses.length === 1) return first;
  return {
    ...first,
    summary: hypotheses.map(({ summary }) => summary).join(' Or: '),
    entities: [...new Set(hypotheses.flatMap(({ entities }) => entities))],
  };
}
