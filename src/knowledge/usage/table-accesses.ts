/**
 * Who ran which table how often, each pair of them once, as columns: of millions of pairs objects would take most of the
 * memory. Users and tables stand in the order of their names, so that the order they came in does not matter.
 */
export class TableAccesses implements Iterable<TableAccess> {
  readonly users: readonly string[];
  readonly tables: readonly string[];
  /** The pairs of user `u` are those from `starts[u]` to before `starts[u + 1]`. */
  readonly starts: Int32Array;
  /** Index of the table of each pair, ascending for one user. */
  readonly rows: Int32Array;
  /** Above 0. */
  readonly runs: Float64Array;

  constructor({ users, tables, starts, rows, runs }: Omit<TableAccesses, 'length' | typeof Symbol.iterator>) {
    this.users = users;
    this.tables = tables;
    this.starts = starts;
    this.rows = rows;
    this.runs = runs;
  }

  /** Read once; equal pairs add up, and pairs without a run are left out. */
  static of(accesses: Iterable<TableAccess>): TableAccesses {
    if (accesses instanceof TableAccesses) return accesses;
    const users = new Names();
    const tables = new Names();
    const pairs = new AccessPairs();
    for (const { user, tableId, runs } of accesses)
      if (runs > 0) pairs.add(users.index(user), tables.index(tableId), runs);
    return pairs.inOrder(users.all, tables.all);
  }

  /** Number of pairs. */
  get length(): number {
    return this.runs.length;
  }

  /** By user, then by table. */
  *[Symbol.iterator](): Generator<TableAccess> {
    for (const [at, user] of this.users.entries())
      for (let pair = this.starts[at]!; pair < this.starts[at + 1]!; pair += 1)
        yield { user, tableId: this.tables[this.rows[pair]!] ?? '', runs: this.runs[pair]! };
  }
}

/** Pairs of a user and a table by number, as they come. */
export class AccessPairs {
  #count = 0;
  #users = new Int32Array(1_024);
  #tables = new Int32Array(1_024);
  #runs = new Float64Array(1_024);

  add(user: number, table: number, runs: number): void {
    if (this.#count === this.#runs.length) this.#grow();
    this.#users[this.#count] = user;
    this.#tables[this.#count] = table;
    this.#runs[this.#count] = runs;
    this.#count += 1;
  }

  /** The names of the numbers; every one of them has a pair. */
  inOrder(userNames: readonly string[], tableNames: readonly string[]): TableAccesses {
    const [users, tables] = [placesInOrder(userNames), placesInOrder(tableNames)];
    // First by table, then by user: what is of one user stays in the order of the tables.
    const byTable = bucket(this.#count, tableNames.length, (pair) => tables.placeOf[this.#tables[pair]!]!);
    const userOf = (at: number): number => users.placeOf[this.#users[byTable.items[at]!]!]!;
    const byUser = bucket(this.#count, userNames.length, userOf);
    const starts = new Int32Array(userNames.length + 1);
    const rows = new Int32Array(this.#count);
    const runs = new Float64Array(this.#count);
    let count = 0;
    for (let user = 0; user < userNames.length; user += 1) {
      for (let at = byUser.starts[user]!; at < byUser.starts[user + 1]!; at += 1) {
        const pair = byTable.items[byUser.items[at]!]!;
        const row = tables.placeOf[this.#tables[pair]!]!;
        const isSame = count > starts[user]! && rows[count - 1] === row;
        if (!isSame) rows[count++] = row;
        runs[count - 1]! += this.#runs[pair]!;
      }
      starts[user + 1] = count;
    }
    return new TableAccesses({
      ...{ users: users.names, tables: tables.names, starts },
      ...{ rows: rows.slice(0, count), runs: runs.slice(0, count) },
    });
  }

  #grow(): void {
    const [users, tables, runs] = [this.#users, this.#tables, this.#runs];
    this.#users = new Int32Array(2 * this.#count);
    this.#tables = new Int32Array(2 * this.#count);
    this.#runs = new Float64Array(2 * this.#count);
    this.#users.set(users);
    this.#tables.set(tables);
    this.#runs.set(runs);
  }
}

/** Items in buckets by number, each bucket in the order of the items. */
export function bucket(
  count: number,
  buckets: number,
  bucketOf: (item: number) => number,
): { readonly starts: Int32Array; readonly items: Int32Array } {
  const starts = new Int32Array(buckets + 1);
  for (let item = 0; item < count; item += 1) starts[bucketOf(item) + 1]! += 1;
  for (let at = 0; at < buckets; at += 1) starts[at + 1]! += starts[at]!;
  const next = starts.slice(0, buckets);
  const items = new Int32Array(count);
  for (let item = 0; item < count; item += 1) {
    const own = bucketOf(item);
    items[next[own]!] = item;
    next[own]! += 1;
  }
  return { starts, items };
}

/** Different names, in the order they came. */
class Names {
  readonly all: string[] = [];
  readonly #indexOf = new Map<string, number>();

  index(name: string): number {
    const known = this.#indexOf.get(name);
    if (known !== undefined) return known;
    this.#indexOf.set(name, this.all.length);
    return this.all.push(name) - 1;
  }
}

/** The same names in their order, and the place of each in it. */
function placesInOrder(all: readonly string[]): {
  readonly names: readonly string[];
  readonly placeOf: Int32Array;
} {
  const names = [...all].sort();
  const placeByName = new Map(names.map((name, place) => [name, place]));
  return { names, placeOf: Int32Array.from(all, (name) => placeByName.get(name) ?? 0) };
}

/** One cell of the matrix that clusters are made of. */
export interface TableAccess {
  readonly user: string;
  readonly tableId: string;
  readonly runs: number;
}
