/** Which contents a scope lets through; remembered, because a session asks with one scope again and again. */
import type { StateFile } from '../../store/index.ts';
import type { DocumentKind } from './search-store.ts';

/** Scopes that were used last and are remembered. */
const KEPT_SCOPES = 8;

export interface SearchScope {
  readonly tableIds: ReadonlySet<string>;
  /** Keys of its tables, and 0, which stands for the documents of no table. */
  readonly tableKeys: readonly number[];
  /** Contents with a document in the scope, by kind, as far as they were asked for. */
  readonly contents: Map<DocumentKind, ReadonlySet<number>>;
}

/** A document of no table is in every scope; one of several tables is in when any of them is. */
export function isInScope(tableIds: readonly string[], scope: ReadonlySet<string>): boolean {
  return tableIds.length === 0 || tableIds.some((id) => scope.has(id));
}

export class SearchScopes {
  readonly #file: StateFile;
  #known: readonly SearchScope[] = [];
  readonly #contents = new Map<DocumentKind, ReadonlySet<number>>();

  constructor(file: StateFile) {
    this.#file = file;
  }

  /** The scope with its keys looked up; `undefined` where it leaves nothing out. */
  find(tableIds: ReadonlySet<string> | undefined): SearchScope | undefined {
    if (tableIds === undefined) return undefined;
    const known = this.#known.find((scope) => isSameScope(scope.tableIds, tableIds)) ?? this.#read(tableIds);
    this.#known = [known, ...this.#known.filter((scope) => scope !== known)].slice(0, KEPT_SCOPES);
    const count = Number(this.#file.statement('SELECT COUNT(*) AS n FROM tables').get()?.n);
    return known.tableKeys.length === count + 1 ? undefined : known;
  }

  /** The contents of a kind that have a document in the scope. */
  contents(kind: DocumentKind, scope: SearchScope | undefined): ReadonlySet<number> {
    const remembered = scope === undefined ? this.#contents : scope.contents;
    const known = remembered.get(kind);
    if (known !== undefined) return known;
    const rows =
      scope === undefined
        ? this.#file.statement('SELECT content FROM entries WHERE kind = ?').all(kind)
        : this.#file
            .statement(
              `SELECT DISTINCT content FROM placements
               WHERE table_key IN (SELECT value FROM json_each(?)) AND kind = ?`,
            )
            .all(JSON.stringify(scope.tableKeys), kind);
    const contents = new Set(rows.map(({ content }) => Number(content)));
    remembered.set(kind, contents);
    return contents;
  }

  /** After a change of the documents. */
  forget(): void {
    this.#known = [];
    this.#contents.clear();
  }

  #read(tableIds: ReadonlySet<string>): SearchScope {
    const rows = this.#file
      .statement('SELECT t.key AS key FROM json_each(?) AS j JOIN tables AS t ON t.id = j.value')
      .all(JSON.stringify([...tableIds]));
    // A copy: the caller may go on to change its own.
    return {
      tableIds: new Set(tableIds),
      tableKeys: [0, ...rows.map(({ key }) => Number(key))],
      contents: new Map(),
    };
  }
}

export function isSameScope(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  if (left.size !== right.size) return false;
  for (const id of left) if (!right.has(id)) return false;
  return true;
}
