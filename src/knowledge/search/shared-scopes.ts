/** Which contents of a workspace a scope lets through; remembered until the documents change. */
import type { RunSql } from '../../store/index.ts';
import { isSameScope } from './search-scope.ts';
import type { DocumentKind } from './search-store.ts';

/** Scopes that were used last and are remembered. */
const KEPT_SCOPES = 8;

export interface SharedScope {
  readonly tableIds: ReadonlySet<string>;
  /** It has every table: nothing is left out. */
  readonly isAll: boolean;
  readonly contents: Map<DocumentKind, ReadonlySet<number>>;
}

export class SharedScopes {
  readonly #run: RunSql;
  readonly #workspace: number;
  #generation = '';
  #known: readonly SharedScope[] = [];
  readonly #contents = new Map<DocumentKind, ReadonlySet<number>>();

  constructor(run: RunSql, workspace: number) {
    this.#run = run;
    this.#workspace = workspace;
  }

  /** `undefined` where the scope leaves nothing out. */
  async find(tableIds: ReadonlySet<string> | undefined): Promise<SharedScope | undefined> {
    await this.#forgetOld();
    if (tableIds === undefined) return undefined;
    const known =
      this.#known.find((scope) => isSameScope(scope.tableIds, tableIds)) ?? (await this.#read(tableIds));
    this.#known = [known, ...this.#known.filter((scope) => scope !== known)].slice(0, KEPT_SCOPES);
    return known.isAll ? undefined : known;
  }

  /** The contents of a kind that have a document in the scope. */
  async contents(kind: DocumentKind, scope: SharedScope | undefined): Promise<ReadonlySet<number>> {
    const remembered = scope === undefined ? this.#contents : scope.contents;
    const known = remembered.get(kind);
    if (known !== undefined) return known;
    const rows =
      scope === undefined
        ? await this.#run('SELECT content FROM candor.search_entries WHERE workspace = $1 AND kind = $2', [
            this.#workspace,
            kind,
          ])
        : await this.#run(
            `SELECT DISTINCT content FROM candor.search_placements
             WHERE workspace = $1 AND kind = $2 AND table_id = ANY($3::text[])`,
            [this.#workspace, kind, ['', ...scope.tableIds]],
          );
    const contents = new Set(rows.map(({ content }) => Number(content)));
    remembered.set(kind, contents);
    return contents;
  }

  async #forgetOld(): Promise<void> {
    const [row] = await this.#run('SELECT generation FROM candor.search_workspaces WHERE key = $1', [
      this.#workspace,
    ]);
    const generation = String(row?.generation);
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.#known = [];
    this.#contents.clear();
  }

  async #read(tableIds: ReadonlySet<string>): Promise<SharedScope> {
    const [row] = await this.#run(
      `SELECT NOT EXISTS (SELECT 1 FROM candor.search_placements
         WHERE workspace = $1 AND table_id <> ALL($2::text[])) AS is_all`,
      [this.#workspace, ['', ...tableIds]],
    );
    // A copy: the caller may go on to change its own.
    return { tableIds: new Set(tableIds), isAll: row?.is_all === true, contents: new Map() };
  }
}
