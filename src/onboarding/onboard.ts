/** OFFLINE: database → catalog → profiles → keys → value index, stored for the next start. */
import { join } from 'node:path';
import {
  type Catalog,
  type CatalogOutline,
  inferForeignKeys,
  type ProfileReport,
  readOutline,
  reportProfiles,
  type Table,
} from '../catalog/index.ts';
import { CONFIG_DEFAULTS, type ProfileSettings, type ValueSettings } from '../config/index.ts';
import type { Database } from '../database/index.ts';
import { CandorError } from '../errors.ts';
import {
  type DerivedData,
  DerivedStore,
  profileTables,
  type TableCounts,
} from '../knowledge/derived/index.ts';
import { addSemanticKeys, type SemanticModel } from '../knowledge/semantic/index.ts';
import { openValueIndex, type ValueIndex } from '../knowledge/values/index.ts';
import { holdLock } from '../store/index.ts';

export interface OnboardEvent {
  /** `notice` events carry a `message`: something was built anew or left out. */
  readonly stage:
    | 'files'
    | 'schema'
    | 'profiles'
    | 'keys'
    | 'values'
    | 'store'
    | 'clusters'
    | 'search'
    | 'vectors'
    | 'notice';
  readonly done: number;
  readonly total: number;
  readonly table?: string;
  readonly etaSeconds?: number;
  readonly message?: string;
}

export interface OnboardOptions {
  /** Where the derived files go. */
  readonly directory: string;
  readonly semantics: SemanticModel;
  readonly profile?: ProfileSettings;
  /** Columns that the value index holds, or not, whatever the rules say. */
  readonly values?: ValueSettings;
  /** Looks at every table again; those whose declaration and data stamp are unchanged keep their profile. */
  readonly refresh?: boolean;
  /** For the date in the manifest; without it the manifest has none. */
  readonly clock?: () => Date;
  readonly onProgress?: (event: OnboardEvent) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface Onboarded {
  readonly catalog: Catalog;
  readonly values: ValueIndex;
  /** The stored files were still true: nothing was read again. */
  readonly reused: boolean;
  readonly tables: TableCounts;
  /** Sensitive columns, skipped and sampled tables. */
  readonly report: ProfileReport;
  readonly seconds: number;
}

/**
 * Makes everything known of the database that questions need. Unchanged databases are not read again; a run
 * that was stopped, at any moment, goes on with the table it had not finished. Throws `catalog.not-writable`,
 * `database.*`.
 */
export async function onboard(database: Database, options: OnboardOptions): Promise<Onboarded> {
  const started = performance.now();
  const known = options.refresh === true ? undefined : await readFresh(database, options, () => {});
  if (known !== undefined) return finish(known, { options, started });
  // Before anything is written: a database that cannot be read leaves nothing behind.
  const outline = await readTables(database, options);
  return oneAtATime(options, async () => {
    // Who has waited finds what the other one has made.
    const made =
      options.refresh === true
        ? undefined
        : await readFresh(database, options, (message) => notify(options, message));
    return finish(made ?? (await readAnew(database, outline, options)), { options, started });
  });
}

type Known = Pick<Onboarded, 'catalog' | 'values' | 'tables' | 'reused'>;

/** What is stored, if it is whole and true; `onDamage` hears what was to be used and could not. */
async function readFresh(
  database: Database,
  options: OnboardOptions,
  onDamage: (message: string) => void,
): Promise<Known | undefined> {
  const stored = await (await openStore(database, options)).read();
  if (stored.kind === 'damaged') onDamage(`${stored.file} was damaged; it is built again`);
  if (stored.kind !== 'fresh') return undefined;
  const { catalog } = stored.data;
  const values = await unlessStale(() => openValues(stored.data, options));
  if (values === undefined) onDamage(`${stored.data.values.path} was damaged; it is built again`);
  const tables = { profiled: 0, reused: catalog.tables.length, removed: 0 };
  return values && { catalog, values, tables, reused: true };
}

async function readAnew(
  database: Database,
  outline: CatalogOutline,
  options: OnboardOptions,
): Promise<Known> {
  const tables = await profileOutline(database, outline, options);
  const written = await (await openStore(database, options)).read();
  if (written.kind !== 'fresh')
    throw new CandorError('catalog.stale', `what was just stored in ${options.directory} has been changed`);
  const values = await openValues(written.data, options);
  return { catalog: written.data.catalog, values, tables, reused: false };
}

/** Two runs over the same files would take each other's lines for their own. */
async function oneAtATime<Result>(options: OnboardOptions, work: () => Promise<Result>): Promise<Result> {
  const { directory, signal } = options;
  const onWait = (): void =>
    notify(options, 'another onboarding of this database is at work: waiting for it');
  const lock = join(directory, 'onboard.lock');
  try {
    return await holdLock(lock, { onWait, signal }, work);
  } catch (error) {
    if (!(error instanceof CandorError) || error.code !== 'store.unusable') throw error;
    throw new CandorError('catalog.not-writable', `cannot write ${lock}: ${error.message}`, { cause: error });
  }
}

/** The stored value index; built where it is not of the stored values. */
async function openValues({ catalog, values }: DerivedData, options: OnboardOptions): Promise<ValueIndex> {
  const { directory, signal } = options;
  const { index } = await openValueIndex(
    { directory, values, fingerprint: catalog.fingerprint },
    {
      onProgress: (share) => report(options, { stage: 'values', done: Math.floor(share * 100), total: 100 }),
      signal,
    },
  );
  return index;
}

/** Nothing where the stored values are not those of the manifest any more. */
async function unlessStale<Result>(open: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof CandorError && error.code === 'catalog.stale') return undefined;
    throw error;
  }
}

function finish(
  { catalog, values, tables, reused }: Known,
  { options, started }: { readonly options: OnboardOptions; readonly started: number },
): Onboarded {
  return {
    catalog: addSemanticKeys(catalog, options.semantics),
    values,
    reused,
    tables,
    report: reportProfiles(catalog),
    seconds: (performance.now() - started) / 1000,
  };
}

/** What an earlier run stored, if it is still true of the database; reads only the derived files. */
export async function readOnboarded(
  directory: string,
  database: Database,
): Promise<{ readonly catalog: Catalog; readonly values: ValueIndex } | undefined> {
  const store = new DerivedStore(directory, { url: database.url, stamp: await database.stamp() });
  const stored = await store.read();
  if (stored.kind !== 'fresh') return undefined;
  const { catalog, values } = stored.data;
  const opened = await unlessStale(() =>
    openValueIndex({ directory, values, fingerprint: catalog.fingerprint }),
  );
  return opened && { catalog, values: opened.index };
}

/** One table of the last run with all levels of evidence, also when the database has changed since. */
export async function readEvidence(directory: string, tableId: string): Promise<Table | undefined> {
  return new DerivedStore(directory, { url: '', stamp: '' }).readTable(tableId);
}

/** Profiles what has changed and stores it, holding one table at a time: memory does not grow with the tables. */
export async function profileDatabase(database: Database, options: OnboardOptions): Promise<TableCounts> {
  const outline = await readTables(database, options);
  return oneAtATime(options, () => profileOutline(database, outline, options));
}

async function readTables(database: Database, options: OnboardOptions): Promise<CatalogOutline> {
  report(options, { stage: 'schema', done: 0, total: 1 });
  const outline = await readOutline(database, options.signal);
  nameUnknownColumns(outline, options);
  for (const { name, because } of outline.catalog.leftOut ?? [])
    notify(options, `${name} is left out: ${because}`);
  return outline;
}

async function profileOutline(
  database: Database,
  outline: CatalogOutline,
  options: OnboardOptions,
): Promise<TableCounts> {
  const store = await openStore(database, options);
  const run = await store.openRun((count) =>
    notify(options, `${count} damaged lines of an earlier run were dropped`),
  );
  try {
    const { counts, leftOut } = await profileTables(database, outline, {
      run,
      settings: settingsOf(options),
      values: valuesOf(options),
      isRefresh: options.refresh === true,
      onTable: (place) => report(options, { stage: 'profiles', ...place }),
      onNotice: (message) => notify(options, message),
      signal: options.signal,
    });
    const { ids, catalog } = outline;

    report(options, { stage: 'keys', done: 0, total: 1 });
    const { foreignKeys } = catalog;
    const keySource = { tables: () => run.tables(ids), foreignKeys };
    const inferred = await inferForeignKeys(database, keySource, options.signal);
    if (inferred.uncheckedCount > 0)
      notify(options, `${inferred.uncheckedCount} possible links between tables were not compared: too many`);

    report(options, { stage: 'store', done: 0, total: 1 });
    throwIfCancelled(options.signal);
    const missing = [...(catalog.leftOut ?? []), ...leftOut];
    const whole = {
      ...catalog,
      tables: ids,
      foreignKeys: [...foreignKeys, ...inferred.foreignKeys],
      keyOverlaps: inferred.overlaps,
      ...(missing.length === 0 ? {} : { leftOut: missing }),
    };
    await store.finish(run, whole, options.clock?.());
    report(options, { stage: 'store', done: 1, total: 1 });
    return counts;
  } finally {
    await run.close();
  }
}

/** Ids are lower case, whatever a person wrote. */
function settingsOf({ profile = CONFIG_DEFAULTS.profile }: OnboardOptions): ProfileSettings {
  const lower = (ids: readonly string[]) => ids.map((id) => id.toLowerCase());
  return { ...profile, keep: lower(profile.keep), skip: lower(profile.skip) };
}

function valuesOf({ values = CONFIG_DEFAULTS.values }: OnboardOptions): ValueSettings {
  const lower = (ids: readonly string[]) => ids.map((id) => id.toLowerCase());
  return { include: lower(values.include), exclude: lower(values.exclude) };
}

/** A budget bounds one run; what it has left undone is no reason to throw away what is there. */
async function openStore(database: Database, options: OnboardOptions): Promise<DerivedStore> {
  const { pii, keep, skip } = settingsOf(options);
  const { include, exclude } = valuesOf(options);
  const lists = [keep, skip, include, exclude].map((ids) => ids.toSorted());
  const settings = JSON.stringify([pii, ...lists]);
  return new DerivedStore(options.directory, { url: database.url, stamp: await database.stamp(), settings });
}

/** A misspelt column would be read, or withheld, in silence. */
function nameUnknownColumns({ ids, tableOf }: CatalogOutline, options: OnboardOptions): void {
  const { keep, skip } = settingsOf(options);
  const { include, exclude } = valuesOf(options);
  const unknown = new Set([...keep, ...skip, ...include, ...exclude]);
  if (unknown.size === 0) return;
  for (const id of ids) for (const column of tableOf(id).columns) unknown.delete(column.id);
  for (const id of unknown) notify(options, `the settings name a column that is not there: ${id}`);
}

function report(options: OnboardOptions, event: OnboardEvent): void {
  options.onProgress?.(event);
}

function notify(options: OnboardOptions, message: string): void {
  report(options, { stage: 'notice', done: 0, total: 0, message });
}

function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new CandorError('database.cancelled', 'onboarding was cancelled');
}
