import { startTrino, type TrinoServer, whyNoTrino } from '../../scripts/trino.ts';

/** A Trino for a bench, or the end of the bench with the reason why there is none. */
export async function openBenchTrino(): Promise<{
  readonly server: TrinoServer;
  /** Runs a statement as somebody who may write. */
  run(sql: string): Promise<void>;
}> {
  const missing = await whyNoTrino();
  if (missing !== null) {
    process.stderr.write(`nothing is measured: ${missing}\n`);
    process.exit(1);
  }
  const server = await startTrino();
  const headers = { 'x-trino-user': 'owner', 'x-trino-catalog': 'memory', 'x-trino-schema': 'default' };
  const run = async (sql: string): Promise<void> => {
    const origin = `http://127.0.0.1:${server.port}`;
    let answer = await fetch(`${origin}/v1/statement`, { method: 'POST', body: sql, headers });
    for (;;) {
      const page: unknown = await answer.json();
      if (typeof page !== 'object' || page === null) throw new Error(`no answer of Trino to ${sql}`);
      if ('error' in page) throw new Error(`${JSON.stringify(page.error).slice(0, 300)}: ${sql}`);
      if (!('nextUri' in page) || typeof page.nextUri !== 'string') return;
      answer = await fetch(page.nextUri, { headers });
    }
  };
  return { server, run };
}
