/**
 * One part of the value-index bench in a process of its own, so that its memory is its own: `build` an index in this
 * process, build it as onboarding does (`store`), or open one and `ask` it. Prints one JSON object.
 * `tsx measure-part.ts PART FOLDER SIZE CANDIDATES`
 */
import { writeFileSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createRandom } from '../../src/demo/motors/random.ts';
import { ProfileRun } from '../../src/knowledge/derived/profile-run.ts';
import { findValues } from '../../src/knowledge/retrieve/index.ts';
import { IndexBuilder } from '../../src/knowledge/values/build-index.ts';
import { indexParameters } from '../../src/knowledge/values/candidate-sections.ts';
import { openValueIndex } from '../../src/knowledge/values/open-value-index.ts';
import { percentile } from '../figures.ts';
import { generateValues, typedLike } from './generate-values.ts';

const SEED = 7;
const QUERIES = 400;
/** The first queries of a process also pay for compiling the code. */
const WARM_QUERIES = 100;

const [, , part = '', folder = '', size = '', kind = ''] = process.argv;
const candidates = kind === 'minhash-lsh' ? 'minhash-lsh' : 'grams';
const parameters = indexParameters({ candidates });
const outcome = await runPart();
process.stdout.write(`${JSON.stringify(outcome)}\n`);

function runPart(): Promise<Record<string, number>> {
  if (part === 'build') return build();
  return part === 'store' ? store() : ask();
}

/** The same work as the peer's: texts in memory in, an index that answers out. */
async function build(): Promise<Record<string, number>> {
  const columns = generateValues(Number(size), SEED);
  const from = performance.now();
  const builder = new IndexBuilder({ parameters, origin: { source: '', fingerprint: '' } });
  for (const column of columns) builder.add(column);
  const file = builder.finish();
  return { buildSeconds: (performance.now() - from) / 1000, fileBytes: file.length };
}

/** From the stored values to the index in its place, in a worker. */
async function store(): Promise<Record<string, number>> {
  await rm(folder, { recursive: true, force: true });
  const paths = { log: 'unfinished.jsonl', finished: 'tables.jsonl', values: 'values.jsonl' };
  const at = (name: string) => join(folder, name);
  const places = { log: at(paths.log), finished: at(paths.finished), values: at(paths.values) };
  const run = await ProfileRun.open(places, { origin: 'bench', stamp: 'bench' }, () => {});
  const columns = generateValues(Number(size), SEED);
  const table = { id: 't', name: 't', kind: 'table', columns: [], primaryKey: [], rowCount: 0 } as const;
  await run.append({ table, values: columns }, { fingerprint: 'bench' }, undefined);
  const { values } = await run.finish(['t'], {});
  await run.close();
  const random = createRandom(SEED);
  const texts = columns.flatMap((column) => column.values.map(([text]) => text));
  const queries = Array.from({ length: QUERIES }, () => typedLike(random.pick(texts), random));
  writeFileSync(at('queries.json'), JSON.stringify({ queries, hash: values }));
  const from = performance.now();
  await openValueIndex(placeOf(values));
  return { storeSeconds: (performance.now() - from) / 1000 };
}

async function ask(): Promise<Record<string, number>> {
  const { queries, hash } = JSON.parse(await readFile(join(folder, 'queries.json'), 'utf8'));
  const before = residentBytes();
  const from = performance.now();
  const { index, builtBecause } = await openValueIndex(placeOf(hash));
  if (builtBecause !== undefined) throw new Error(`the index was built again: ${builtBecause}`);
  const openMs = performance.now() - from;
  const similarMs: number[] = [];
  const cascadeMs: number[] = [];
  for (const [place, query] of queries.entries()) {
    const start = performance.now();
    index.similar(query, { limit: 25 });
    const middle = performance.now();
    await findValues([query], index);
    if (place < WARM_QUERIES) continue;
    similarMs.push(middle - start);
    cascadeMs.push(performance.now() - middle);
  }
  return {
    openMs,
    residentBytes: residentBytes() - before,
    fileBytes: (await stat(join(folder, 'values.index'))).size,
    similarP50Ms: percentile(similarMs, 0.5),
    similarP95Ms: percentile(similarMs, 0.95),
    cascadeP95Ms: percentile(cascadeMs, 0.95),
  };
}

function placeOf(hash: string) {
  const values = { path: join(folder, 'values.jsonl'), hash };
  return { directory: folder, values, fingerprint: 'bench', parameters };
}

function residentBytes(): number {
  setFlagsFromString('--expose-gc');
  for (let round = 0; round < 2; round++) runInNewContext('gc')();
  return process.memoryUsage().rss;
}
