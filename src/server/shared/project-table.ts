import { z } from 'zod';
import { type FilePlace, FOLDER_NAMES } from '../files/file-folders.ts';
import type { RunState, ServerState } from '../state/open-server-state.ts';

/** Hears the name of a workspace whose files have changed. */
export const PROJECT_CHANNEL = 'candor_project';

export interface SharedFile extends FilePlace {
  readonly text: string;
  readonly etag: string;
}

/** All files of a project at one moment. */
export interface SharedFiles {
  /** Grows with each change. */
  readonly version: number;
  readonly files: readonly SharedFile[];
}

const FILE = z.object({
  folder: z.enum(FOLDER_NAMES),
  name: z.string(),
  content: z.string(),
  etag: z.string(),
});

/** The files of one workspace in the state that servers share. */
export class ProjectTable {
  readonly #state: ServerState;
  readonly #workspace: string;

  constructor(state: ServerState, workspace: string) {
    this.#state = state;
    this.#workspace = workspace;
  }

  /** Undefined: no files were ever given. */
  async version(run: RunState = this.#state.run): Promise<number | undefined> {
    const [row] = await run('SELECT version FROM candor.projects WHERE workspace = $1', [this.#workspace]);
    return row && Number(row.version);
  }

  async read(run: RunState = this.#state.run): Promise<SharedFiles | undefined> {
    // One statement sees one moment.
    const rows = await run(
      `SELECT version, folder, name, content, etag FROM candor.projects
       LEFT JOIN candor.project_files USING (workspace) WHERE workspace = $1 ORDER BY folder, name`,
      [this.#workspace],
    );
    if (rows.length === 0) return undefined;
    const files = rows
      .filter(({ name }) => name !== null)
      .map((row) => {
        const { content, ...file } = FILE.parse(row);
        return { ...file, text: content };
      });
    return { version: Number(rows[0]?.version), files };
  }

  /** Work that no other server's change falls into; all that it puts and removes is kept, or nothing. */
  alone<Result>(work: (run: RunState) => Promise<Result>): Promise<Result> {
    return this.#state.transaction(async (run) => {
      await run('INSERT INTO candor.projects (workspace, version) VALUES ($1, 0) ON CONFLICT DO NOTHING', [
        this.#workspace,
      ]);
      await run('SELECT version FROM candor.projects WHERE workspace = $1 FOR UPDATE', [this.#workspace]);
      return work(run);
    });
  }

  async put(run: RunState, { folder, name, text, etag }: SharedFile): Promise<void> {
    await run(
      `INSERT INTO candor.project_files (workspace, folder, name, content, etag) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (workspace, folder, name) DO UPDATE
       SET content = excluded.content, etag = excluded.etag, changed_at = now()`,
      [this.#workspace, folder, name, text, etag],
    );
  }

  async remove(run: RunState, { folder, name }: FilePlace): Promise<void> {
    await run('DELETE FROM candor.project_files WHERE workspace = $1 AND folder = $2 AND name = $3', [
      this.#workspace,
      folder,
      name,
    ]);
  }

  /** Tells the other servers, once the transaction is kept. Gives the new version. */
  async announce(run: RunState): Promise<number> {
    const [row] = await run(
      'UPDATE candor.projects SET version = version + 1 WHERE workspace = $1 RETURNING version',
      [this.#workspace],
    );
    await run('SELECT pg_notify($1, $2)', [PROJECT_CHANNEL, this.#workspace]);
    return Number(row?.version);
  }
}
