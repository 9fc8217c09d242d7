/** What listing the tables of an engine gives: types alone. */
import type { Cell } from '../../sql/dialects/cell.ts';
import type { DatabaseSchema } from './database.ts';

export interface ListedTable {
  /** Canonical: the table's key in lower case. */
  readonly id: string;
  /** Changes with what is declared of the table. */
  readonly stamp: string;
}

export interface TableLister {
  /** Schema by schema, all in the order of the ids' code points; of ids that are equal the first. */
  list(signal?: AbortSignal): AsyncIterable<readonly ListedTable[]>;
  /** What is declared of these tables, with their stamps by id. */
  read(ids: readonly string[], signal?: AbortSignal): Promise<ReadTables>;
}

export interface ReadTables {
  readonly schema: DatabaseSchema;
  readonly stamps: ReadonlyMap<string, string>;
}

/** Runs one text of ours over the engine's catalogs, to the end. */
export type ReadRows = (sql: string, signal?: AbortSignal) => Promise<readonly (readonly Cell[])[]>;

const AT_ONCE = 2_000;

/** Two lists in order as one, some at a time; of equal ids the first, those of `left` before those of `right`. */
export async function* mergeListed(
  left: AsyncIterable<readonly ListedTable[]>,
  right: AsyncIterable<readonly ListedTable[]>,
): AsyncGenerator<readonly ListedTable[]> {
  const [a, b] = [oneByOne(left), oneByOne(right)];
  let [first, second] = [await a.next(), await b.next()];
  let last: string | undefined;
  let page: ListedTable[] = [];
  while (first.done !== true || second.done !== true) {
    const isFirst =
      second.done === true || (first.done !== true && isBefore(first.value.id, second.value.id));
    const next = isFirst ? first.value : second.value;
    if (next !== undefined && next.id !== last) page.push(next);
    last = next?.id;
    if (isFirst) first = await a.next();
    else second = await b.next();
    if (page.length < AT_ONCE) continue;
    yield page;
    page = [];
  }
  yield page;
}

async function* oneByOne(
  pages: AsyncIterable<readonly ListedTable[]>,
): AsyncGenerator<ListedTable, undefined> {
  for await (const page of pages) yield* page;
  return undefined;
}

/** Code points, as the bytes of UTF-8 stand. */
function isBefore(a: string, b: string): boolean {
  return Buffer.compare(Buffer.from(a), Buffer.from(b)) <= 0;
}
