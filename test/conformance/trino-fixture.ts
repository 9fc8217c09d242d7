/** A Trino of the test file's own, and databases made in its memory catalog for the conformance suite. */
import { z } from 'zod';
import { startTrino, type TrinoOptions, type TrinoServer } from '../../scripts/trino.ts';
import type { MadeDatabase } from './database.ts';

const PAGE = z.object({
  nextUri: z.string().optional(),
  data: z.array(z.array(z.unknown())).optional(),
  error: z.object({ message: z.string() }).optional(),
});

export class TrinoFixture {
  #server: TrinoServer | undefined;
  #made = 0;

  get server(): TrinoServer {
    if (this.#server === undefined) throw new Error('Trino has not been started');
    return this.#server;
  }

  async start(options: TrinoOptions = {}): Promise<void> {
    this.#server = await startTrino(options);
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  /** Schemas shop1, shop2, … of the catalog `memory`. */
  async make(statements: readonly string[]): Promise<MadeDatabase> {
    this.#made += 1;
    const name = `shop${this.#made}`;
    await this.run(`CREATE SCHEMA memory.${name}`);
    const run = async (list: readonly string[]): Promise<void> => {
      for (const statement of list) await this.run(statement, name);
    };
    await run(statements);
    const url = `${this.server.url}/memory/${name}`;
    return { url, shownUrl: url, name, run, state: () => this.#state(), drop: () => this.#drop(name) };
  }

  /** Runs a statement as the owner, outside of any read-only transaction. */
  async run(sql: string, schema = 'default'): Promise<readonly (readonly unknown[])[]> {
    const headers = { 'x-trino-user': 'owner', 'x-trino-catalog': 'memory', 'x-trino-schema': schema };
    const origin = `http://127.0.0.1:${this.server.port}`;
    let response = await fetch(`${origin}/v1/statement`, { method: 'POST', body: sql, headers });
    const rows: (readonly unknown[])[] = [];
    for (;;) {
      const page = PAGE.parse(await response.json());
      if (page.error !== undefined) throw new Error(`${page.error.message}: ${sql}`);
      rows.push(...(page.data ?? []));
      if (page.nextUri === undefined) return rows;
      response = await fetch(page.nextUri, { headers });
    }
  }

  /** Schemas, tables, views, columns, comments, functions, and a checksum of the rows of every table and view. */
  async #state(): Promise<string> {
    const columns = await this.run(
      `SELECT table_schema, table_name, column_name, data_type, is_nullable, comment
       FROM memory.information_schema.columns WHERE table_schema <> 'information_schema' ORDER BY 1, 2, 3`,
    );
    const byTable = new Map<string, string[]>();
    for (const [schema, table, column] of columns) {
      const name = `memory."${schema}"."${table}"`;
      byTable.set(name, [...(byTable.get(name) ?? []), `"${column}"`]);
    }
    const counts = [...byTable].map(
      ([name, list]) => `SELECT '${name}', count(*), to_hex(checksum(ROW(${list.join(', ')}))) FROM ${name}`,
    );
    const others = await Promise.all([
      counts.length === 0 ? [] : this.run(`${counts.join(' UNION ALL ')} ORDER BY 1`),
      this.run('SHOW FUNCTIONS FROM memory.default'),
      this.run('SHOW SCHEMAS FROM memory'),
    ]);
    return JSON.stringify([columns, ...others]);
  }

  async #drop(name: string): Promise<void> {
    const tables = await this.run(
      `SELECT table_name, table_type FROM memory.information_schema.tables WHERE table_schema = '${name}' ORDER BY 2 DESC`,
    );
    for (const [table, type] of tables) {
      await this.run(`DROP ${type === 'VIEW' ? 'VIEW' : 'TABLE'} memory.${name}."${table}"`);
    }
    await this.run(`DROP SCHEMA memory.${name}`);
  }
}
