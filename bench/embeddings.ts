/**
 * The embeddings beside each other: how long they take to load, texts a second, memory of their process; and, on
 * their real vectors, what the 1-bit prefilter of `VectorIndex` loses and gains against comparing every vector: all
 * names of columns and tables of Spider2-Snow, its questions as queries.
 * `npx tsx bench/embeddings.ts [--smoke] [--output json]`; MiniLM joins after `npx tsx scripts/minilm.ts --prepare`.
 */

import { readFile } from 'node:fs/promises';
import { MINILM, whyNoMiniLm } from '../scripts/minilm.ts';
import { readTerminalEnvironment } from '../src/config/index.ts';
import { CandorError } from '../src/errors.ts';
import { VectorIndex } from '../src/knowledge/search/vector-index.ts';
import { resolvePlaces } from '../src/lab/corpus/suite-places.ts';
import { nameWords } from '../src/language/index.ts';
import { type EmbeddingModel, type EmbeddingSettings, openEmbeddingModel } from '../src/model/index.ts';
import { childProcesses } from '../test/conformance/child-processes.ts';
import { type BenchOptions, readBenchOptions } from './bench-options.ts';
import { percentile } from './figures.ts';
import { printReport } from './print-report.ts';
import { readWarehouse } from './table-retrieval/read-warehouse.ts';

const NEAREST = [10, 50];
const SMOKE_DATABASES = new Set(['GA360', 'AMAZON_VENDOR_ANALYTICS__SAMPLE_DATASET']);
const SMOKE_TEXTS = 200;
const SMOKE_QUESTIONS = 10;
/** In a smoke run the codes must choose too: the whole index is no larger than their usual share. */
const SMOKE_CODES = { candidates: 100, codesFrom: 1 };
/** No codes, every vector compared: the peer. */
const EXACT = { codesFrom: Number.POSITIVE_INFINITY };

interface Texts {
  readonly names: readonly string[];
  readonly questions: readonly string[];
}

const options = readBenchOptions();
try {
  await runBench(options);
} catch (error) {
  if (!(error instanceof CandorError) || error.code !== 'eval.data-missing') throw error;
  process.stderr.write(`embeddings: nothing was measured. ${error.message}\n  → ${error.next}\n`);
  process.exitCode = 3;
}

async function runBench(given: BenchOptions): Promise<void> {
  const texts = await readTexts(given.isSmoke);
  const rows: Readonly<Record<string, string | number>>[] = [];
  const recalls: [string, number][] = [];
  for (const [embedding, settings] of await embeddings()) {
    const figures = await measure(settings, texts, given);
    rows.push({ embedding, ...figures });
    recalls.push([`${embedding}Recall10`, figures.recall10 ?? Number.NaN]);
  }
  printReport(
    {
      bench: 'embeddings',
      about: `${texts.names.length} names of columns and tables, ${texts.questions.length} questions as queries`,
      rows,
      figures: Object.fromEntries(recalls),
    },
    given,
  );
}

async function embeddings(): Promise<(readonly [name: string, settings: EmbeddingSettings])[]> {
  const missing = await whyNoMiniLm();
  if (missing !== null) process.stderr.write(`embeddings: without MiniLM: ${missing}\n`);
  return [
    ['hashed', { embedding: 'hashed' }],
    ['builtIn', { embedding: 'built-in' }],
    ...(missing === null ? [['miniLm', { ...MINILM, embedding: `onnx:${MINILM.folder}` }] as const] : []),
  ];
}

/** Distinct names in words, as they are indexed; equal names of a thousand tables are one text. */
async function readTexts(isSmoke: boolean): Promise<Texts> {
  const { dataDirectory } = resolvePlaces({ dataDirectory: readTerminalEnvironment().dataDirectory });
  const { catalog, questions } = await readWarehouse(dataDirectory, isSmoke ? SMOKE_DATABASES : undefined);
  const names = catalog.tables.flatMap(({ name, columns }) => [
    name,
    ...columns.map((column) => column.name),
  ]);
  const distinct = [...new Set(names.map((name) => nameWords(name).join(' ')))].filter((name) => name !== '');
  const asked = questions.map(({ text }) => text);
  return isSmoke
    ? { names: distinct.slice(0, SMOKE_TEXTS), questions: asked.slice(0, SMOKE_QUESTIONS) }
    : { names: distinct, questions: asked };
}

async function measure(
  settings: EmbeddingSettings,
  { names, questions }: Texts,
  { isSmoke }: BenchOptions,
): Promise<Readonly<Record<string, number>>> {
  const others = await childProcesses();
  const began = performance.now();
  const model = await openEmbeddingModel(settings);
  try {
    await model.embed(['first']);
    const loadMs = performance.now() - began;
    const from = performance.now();
    const vectors = await embedAll(model, names);
    const perSecond = (names.length / (performance.now() - from)) * 1000;
    const [child] = (await childProcesses()).filter((id) => !others.includes(id));
    // Its largest size so far; what has no process of its own has no memory of its own.
    const peakMb = child === undefined ? 0 : await peakMbOf(child);
    const oneMs = await timeOne(model, questions);
    const queries = await model.embed(questions);
    const coded = VectorIndex.build(model.dimensions, vectors, isSmoke ? SMOKE_CODES : {});
    const exact = VectorIndex.build(model.dimensions, vectors, EXACT);
    const recalls = NEAREST.map((k) => [`recall${k}`, recallAt(coded, exact, { queries, k })] as const);
    return {
      dimensions: model.dimensions,
      loadMs,
      perSecond,
      oneMs,
      peakMb,
      ...Object.fromEntries(recalls),
      codesP50Ms: timeSearch(coded, queries),
      exactP50Ms: timeSearch(exact, queries),
    };
  } finally {
    await model.close();
  }
}

async function embedAll(model: EmbeddingModel, texts: readonly string[]): Promise<Float32Array> {
  const all = new Float32Array(texts.length * model.dimensions);
  for (let start = 0; start < texts.length; start += model.batchSize) {
    const vectors = await model.embed(texts.slice(start, start + model.batchSize));
    for (const [index, vector] of vectors.entries()) all.set(vector, (start + index) * model.dimensions);
  }
  return all;
}

/** Median of a question embedded alone, as it happens when one is asked. */
async function timeOne(model: EmbeddingModel, questions: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (const question of questions.slice(0, 50)) {
    const from = performance.now();
    await model.embed([question]);
    times.push(performance.now() - from);
  }
  return percentile(times, 0.5);
}

/** Of the nearest vectors, the share that the index finds; one as near as the last counts as found. */
function recallAt(
  index: VectorIndex,
  exact: VectorIndex,
  { queries, k }: { readonly queries: readonly Float32Array[]; readonly k: number },
): number {
  let found = 0;
  let all = 0;
  for (const query of queries) {
    const nearest = exact.search(query, k);
    const least = nearest.at(-1)?.score ?? Number.POSITIVE_INFINITY;
    all += nearest.length;
    found += index.search(query, k).filter(({ score }) => score >= least).length;
  }
  return found / all;
}

function timeSearch(index: VectorIndex, queries: readonly Float32Array[]): number {
  const times = queries.map((query) => {
    const from = performance.now();
    index.search(query, NEAREST[0] ?? 1);
    return performance.now() - from;
  });
  return percentile(times, 0.5);
}

async function peakMbOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1000;
}
