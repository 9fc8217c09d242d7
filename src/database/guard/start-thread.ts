/** A thread of this process that runs a file of ours, from the package as from its sources. */
import { createRequire } from 'node:module';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** `file` is named without its ending and lies beside the module whose URL is given. */
export function startThread(file: string, beside: string, options: WorkerOptions = {}): Worker {
  if (!beside.endsWith('.ts')) return new Worker(new URL(`${file}.js`, beside), options);
  // From sources the thread first loads what reads TypeScript: it inherits no loader from a test runner.
  const entry = new URL(`${file}.ts`, beside).href;
  const tsx = createRequire(beside).resolve('tsx/package.json');
  const loader = new URL('./dist/esm/api/index.mjs', `file://${tsx}`).href;
  const start = `import(${JSON.stringify(loader)}).then(({ register }) => { register(); return import(${JSON.stringify(entry)}); })`;
  return new Worker(start, { ...options, eval: true });
}
