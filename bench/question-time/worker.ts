/** Answers questions of a suite with the code of one checkout, its milliseconds on a line for each: what `question-time.ts` sets against another. */
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { readSuite } from '../../src/lab/corpus/index.ts';
import type { openSuiteSession } from '../../src/lab/evaluation/index.ts';

const [root = '', suiteName = '', dataDirectory = '', cacheDirectory = ''] = process.argv.slice(2);
const corpus: { readonly readSuite: typeof readSuite } = await import(join(root, 'src/lab/corpus/index.ts'));
const evaluation: { readonly openSuiteSession: typeof openSuiteSession } = await import(
  join(root, 'src/lab/evaluation/index.ts')
);
const suite = await corpus.readSuite(suiteName, { dataDirectory }).catch((error: unknown) => {
  process.stderr.write(
    `question-time: ${error instanceof Error ? error.message : String(error)} (${root})\n`,
  );
  process.exit(2);
});
const session = evaluation.openSuiteSession(suite, { cacheDirectory });
const { signal } = new AbortController();
process.stdout.write(`${suite.cases.length}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const asked = suite.cases[Number(line)];
  if (asked === undefined) break;
  // Another question opens the database; nothing is kept of the one that counts.
  const other = [1, -1, 2, -2].map((step) => suite.cases[Number(line) + step]);
  const before = other.find((one) => one?.database === asked.database && one.question !== asked.question);
  if (before !== undefined) await session.ask(before, signal);
  const from = performance.now();
  await session.ask(asked, signal);
  process.stdout.write(`${performance.now() - from}\n`);
}
await session.close();
