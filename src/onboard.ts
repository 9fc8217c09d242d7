/** OFFLINE: database → catalog → profiles → keys → value index, stored for the next start. */
import {
  type Catalog,
  inferForeignKeys,
  outlineCatalog,
  type ProfiledTable,
  profileTable,
  type Table,
} from './catalog/index.ts';
import type { Database } from './database/index.ts';
import { CandorError } from './errors.ts';
import {
  addSemanticKeys,
  buildValueIndex,
  DerivedStore,
  loadValueIndex,
  type SemanticModel,
  type ValueIndex,
} from './knowledge/index.ts';

export interface OnboardEvent {
  /** `notice` events carry a `message`: something was built anew or left out. */
  readonly stage: 'schema' | 'profiles' | 'keys' | 'values' | 'store' | 'notice';
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
  readonly seconds: number;
}

/**
 * Makes everything known of the database that questions need. Unchanged databases are not read again; a run
 * that was stopped, at any moment, goes on with the table it had not finished.
 */
export async function onboard(database: Database, options: OnboardOptions): Promise<Onboarded> {
  const started = performance.now();
  const store = new DerivedStore(options.directory, { url: database.url, stamp: await database.stamp() });
  const finish = (catalog: Catalog, values: ValueIndex, reused: boolean): Onboarded => ({
    catalog: addSemanticKeys(catalog, options.semantics),
    values,
    reused,
    seconds: (performance.now() - started) / 1000,
  });

  const stored = await store.read();
  if (stored.kind === 'fresh') return finish(stored.data.catalog, loadValueIndex(stored.data.values), true);
  if (stored.kind === 'damaged') notify(options, `${stored.file} was damaged; it is built again`);

  report(options, { stage: 'schema', done: 0, total: 1 });
  const outline = await outlineCatalog(database, options.signal);

  const profiled = await profileTables(database, outline, store, options);
  const tables = profiled.map((part) => part.table);

  report(options, { stage: 'keys', done: 0, total: 1 });
  const inferred = await inferForeignKeys(database, { ...outline, tables }, options.signal);
  const catalog = { ...outline, tables, foreignKeys: [...outline.foreignKeys, ...inferred] };

  report(options, { stage: 'values', done: 0, total: 1 });
  const values = buildValueIndex(profiled.flatMap((part) => part.values));

  report(options, { stage: 'store', done: 0, total: 1 });
  throwIfCancelled(options.signal);
  await store.write({ catalog, values: values.toJSON() }, options.clock?.());
  report(options, { stage: 'store', done: 1, total: 1 });
  return finish(catalog, values, false);
}

/** What an earlier run stored, if it is still true of the database; reads nothing but the derived files. */
export async function readOnboarded(
  directory: string,
  database: Database,
): Promise<{ readonly catalog: Catalog; readonly values: ValueIndex } | undefined> {
  const store = new DerivedStore(directory, { url: database.url, stamp: await database.stamp() });
  const stored = await store.read();
  if (stored.kind !== 'fresh') return undefined;
  return { catalog: stored.data.catalog, values: loadValueIndex(stored.data.values) };
}

async function profileTables(
  database: Database,
  outline: Catalog,
  store: DerivedStore,
  options: OnboardOptions,
): Promise<ProfiledTable[]> {
  const started = performance.now();
  const total = outline.tables.length;
  const profiled: ProfiledTable[] = [];
  let profiledNow = 0;
  for (const [done, table] of outline.tables.entries()) {
    throwIfCancelled(options.signal);
    const secondsEach = (performance.now() - started) / 1000 / profiledNow;
    report(options, {
      stage: 'profiles',
      done,
      total,
      table: table.name,
      ...(profiledNow === 0 ? {} : { etaSeconds: secondsEach * (total - done) }),
    });
    const part = await store.readPart(table.id, outline.fingerprint);
    if (typeof part === 'object') {
      profiled.push(part);
      continue;
    }
    if (part === 'damaged') notify(options, `the unfinished profile of ${table.name} is made again`);
    const fresh = await profileOrSkip(database, table, options);
    if (fresh === undefined) continue;
    await store.writePart(fresh, outline.fingerprint);
    profiled.push(fresh);
    profiledNow += 1;
  }
  report(options, { stage: 'profiles', done: total, total });
  return profiled;
}

/** A view that fails when it is read is left out and named; a table that fails is an error. */
async function profileOrSkip(
  database: Database,
  table: Table,
  options: OnboardOptions,
): Promise<ProfiledTable | undefined> {
  try {
    return await profileTable(database, table, options.signal);
  } catch (error) {
    const isReadError =
      error instanceof CandorError &&
      (error.code === 'database.query-failed' || error.code === 'database.timeout');
    if (table.kind !== 'view' || !isReadError) throw error;
    notify(options, `the view ${table.name} is left out: ${error.message}`);
    return undefined;
  }
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
