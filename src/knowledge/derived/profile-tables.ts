/** Profiles the tables of a run that have changed, within a budget, and says how far it is. */

import {
  type CatalogOutline,
  type LeftOut,
  type ProfiledTable,
  planTables,
  profileTable,
  type Table,
} from '../../catalog/index.ts';
import type { ProfileSettings, ValueSettings } from '../../config/index.ts';
import type { Database } from '../../database/index.ts';
import { CandorError } from '../../errors.ts';
import type { ProfileRun } from './profile-run.ts';

/** Where a run stands. */
interface ProfilePlace {
  readonly done: number;
  readonly total: number;
  /** The one that comes now; absent at the end. */
  readonly table?: string;
  readonly etaSeconds?: number;
}

export interface ProfileTablesOptions {
  readonly run: ProfileRun;
  /** Column ids in lower case. */
  readonly settings: ProfileSettings;
  /** The same of columns whose values are found by likeness, or not, whatever the rules say. */
  readonly values?: ValueSettings;
  /** Tables without a data stamp are profiled again even though the database as a whole seems unchanged. */
  readonly isRefresh: boolean;
  readonly onTable: (place: ProfilePlace) => void;
  readonly onNotice: (message: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Tables of a run by what became of them. */
export interface TableCounts {
  readonly profiled: number;
  /** Taken from an earlier run. */
  readonly reused: number;
  /** Of an earlier run, and no longer in the database. */
  readonly removed: number;
}

export interface ProfiledTables {
  readonly counts: TableCounts;
  /** Views that fail when they are read. */
  readonly leftOut: readonly LeftOut[];
}

type Outcome =
  | { readonly profile: ProfiledTable; readonly error?: CandorError }
  | { readonly profile?: undefined; readonly error: CandorError };

/** Takes what still holds of earlier runs and profiles the rest into the run. Throws `database.*`, `catalog.*`. */
export async function profileTables(
  database: Database,
  outline: CatalogOutline,
  options: ProfileTablesOptions,
): Promise<ProfiledTables> {
  const { run, signal } = options;
  const total = outline.ids.length;
  const { open, plan } = await planRun(database, outline, options);
  const place = makeProgress(total, open.length);
  const profile = makeProfiler(database, outline, options);
  const leftOut: LeftOut[] = [];
  let failure: CandorError | undefined;
  let profiled = 0;
  for (const [index, id] of open.entries()) {
    if (signal?.aborted) throw new CandorError('database.cancelled', 'onboarding was cancelled');
    const table = outline.tableOf(id);
    options.onTable({ ...place(index), table: table.name });
    const maxRows = plan.get(id);
    const outcome = await profile(table, maxRows);
    if (outcome.error === undefined) profiled += 1;
    else failure ??= outcome.error;
    if (outcome.profile !== undefined) await run.append(outcome.profile, outline.stampOf(id), maxRows);
    else leftOut.push({ name: id, because: outcome.error.message });
  }
  // Where nothing at all can be read, it is not the tables that are wrong.
  if (failure !== undefined && profiled === 0 && open.length === total) throw failure;
  options.onTable({ done: total, total });
  const known = new Set(outline.ids);
  const removed = run.knownTables().filter((id) => !known.has(id)).length;
  return { counts: { profiled, reused: total - open.length, removed }, leftOut };
}

/** The tables to profile, and how many rows may be read of those that the budget cuts. */
async function planRun(
  database: Database,
  { ids, tableOf, stampOf }: CatalogOutline,
  { run, isRefresh, settings, signal }: ProfileTablesOptions,
): Promise<{ readonly open: readonly string[]; readonly plan: ReadonlyMap<string, number> }> {
  const isKept = (id: string, maxRows: number): boolean =>
    run.reuse(id, stampOf(id), { maxRows, trustsDatabaseStamp: !isRefresh });
  const changed = ids.filter((id) => !isKept(id, Number.POSITIVE_INFINITY));
  const { maxScanRows, maxScanBytes } = settings;
  if (maxScanRows === undefined && maxScanBytes === undefined) return { open: changed, plan: new Map() };
  const budget = {
    ...(maxScanRows === undefined ? {} : { maxRows: maxScanRows }),
    ...(maxScanBytes === undefined ? {} : { maxBytes: maxScanBytes }),
  };
  const plan = await planTables(database, changed.map(tableOf), budget, signal);
  // A profile of an earlier run with as small a budget is as good as a new one.
  const open = changed.filter((id) => !plan.has(id) || !isKept(id, plan.get(id) ?? 0));
  return { open, plan };
}

/** A view that fails when it is read is left out, a table that fails has no profile; both are named. */
function makeProfiler(database: Database, { catalog }: CatalogOutline, options: ProfileTablesOptions) {
  const { pii, keep, skip } = options.settings;
  const settings = {
    pii: { policy: pii, allow: new Set(keep) },
    skipColumns: new Set(skip),
    valueLists: {
      include: new Set(options.values?.include),
      exclude: new Set(options.values?.exclude),
    },
    keyColumns: new Set(catalog.foreignKeys.flatMap(({ fromColumns }) => fromColumns)),
    ...(options.settings.timeoutMs === undefined ? {} : { timeoutMs: options.settings.timeoutMs }),
    signal: options.signal,
  };
  return async (table: Table, maxRows: number | undefined): Promise<Outcome> => {
    if (maxRows === 0) return { profile: withoutProfile(table, 'scan-budget') };
    try {
      const limit = maxRows === undefined ? {} : { maxRows };
      return { profile: await profileTable(database, table, { ...settings, ...limit }) };
    } catch (error) {
      if (!(error instanceof CandorError) || !isReadError(error)) throw error;
      const isView = table.kind === 'view';
      const fate = isView ? `the view ${table.name} is left out` : `the table ${table.name} has no profile`;
      options.onNotice(`${fate}: ${error.message}`);
      return isView ? { error } : { profile: withoutProfile(table, 'read-error'), error };
    }
  };
}

/** Of this table alone: a right that the account lacks for it is one, a login that is refused is not. */
function isReadError({ code, data }: CandorError): boolean {
  if (code === 'database.query-failed' || code === 'database.timeout') return true;
  return code === 'database.access-denied' && data.engineCode !== undefined;
}

function withoutProfile(table: Table, skippedBecause: NonNullable<Table['skippedBecause']>): ProfiledTable {
  const { estimatedRows } = table;
  const rows =
    estimatedRows === undefined ? {} : { rowCount: estimatedRows, isRowCountEstimated: true as const };
  return { table: { ...table, ...rows, skippedBecause }, values: [] };
}

/** Counts what earlier runs have done, and expects of the tables to come what those of this run have taken. */
function makeProgress(total: number, open: number): (done: number) => ProfilePlace {
  const started = performance.now();
  return (done) => {
    const place = { done: total - open + done, total };
    if (done === 0) return place;
    return { ...place, etaSeconds: ((performance.now() - started) / 1000 / done) * (open - done) };
  };
}
