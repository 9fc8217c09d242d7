/**
 * Tables found for the questions of Spider2-Snow, inside the database of each question and among all databases at once,
 * beside BM25 and vectors alone. Weights were chosen, and misses read, on the even questions.
 * `npx tsx bench/table-retrieval.ts [--smoke] [--output json]`
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MINILM, whyNoMiniLm } from '../scripts/minilm.ts';
import { readTerminalEnvironment } from '../src/config/index.ts';
import { CandorError } from '../src/errors.ts';
import { embedPending } from '../src/knowledge/retrieve/documents/embed-pending.ts';
import { syncSearch } from '../src/knowledge/retrieve/documents/sync-search.ts';
import { RETRIEVAL_DEFAULTS } from '../src/knowledge/retrieve/settings/retrieval-settings.ts';
import { indexTables } from '../src/knowledge/retrieve/tables/table-index.ts';
import { openSearchFile } from '../src/knowledge/search/index.ts';
import { emptySemanticModel } from '../src/knowledge/semantic/index.ts';
import { type EmbeddingModel, openEmbeddingModel } from '../src/model/index.ts';
import { readBenchOptions } from './bench-options.ts';
import { percentile } from './figures.ts';
import { printReport } from './print-report.ts';
import { type Index, ours, plainVectors, plainWords, type Ranker } from './table-retrieval/rankers.ts';
import { readWarehouse, type Warehouse, type WarehouseQuestion } from './table-retrieval/read-warehouse.ts';
import { meanRecall, type Recall } from './table-retrieval/recall.ts';

const SMOKE_DATABASES = new Set(['CHINOOK', 'WWE', 'DB_IMDB']);
/** Of an external document: a manual of a hundred pages names everything. */
const DOCUMENT_CHARACTERS = 4_000;

const ABOUT =
  'recall@20 of gold tables; family: its family is among 20 entries, strict: itself among 20 tables, ceiling: the most 20 tables can hold';

const options = readBenchOptions();
const root = join(import.meta.dirname, '..');
const data = readTerminalEnvironment().dataDirectory ?? join(root, '..', 'shared', 'data');
const folder = await mkdtemp(join(tmpdir(), 'candor-bench-'));
const models: { readonly name: string; readonly model: EmbeddingModel }[] = [];
try {
  await measureAll(await readWarehouse(data, options.isSmoke ? SMOKE_DATABASES : undefined));
} catch (error) {
  if (!(error instanceof CandorError) || error.code !== 'eval.data-missing') throw error;
  process.stderr.write(`table-retrieval: nothing was measured. ${error.message}\n  → ${error.next}\n`);
  process.exitCode = 3;
} finally {
  await Promise.all(models.map(({ model }) => model.close()));
  await rm(folder, { recursive: true, force: true });
}

async function measureAll(warehouse: Warehouse): Promise<void> {
  const { catalog, questions } = warehouse;
  await openModels();
  const figures: Record<string, number> = {
    tables: catalog.tables.length,
    columns: catalog.tables.reduce((total, { columns }) => total + columns.length, 0),
    questions: questions.length,
  };
  const tables = indexTables(catalog);
  figures.families = tables.families.length;
  const store = await openSearchFile(join(folder, 'search.sqlite'));
  try {
    const authored = { notes: [], jargon: [], statuses: [], areas: [] };
    const from = performance.now();
    await syncSearch(store, { catalog, semantics: emptySemanticModel, authored, examples: [] });
    figures.indexSeconds = (performance.now() - from) / 1000;
    const { contents, bytes } = await store.stats();
    Object.assign(figures, { contents, indexMb: bytes / 1e6 });
    for (const { name, model } of models) {
      const start = performance.now();
      // Tables alone are ranked by vectors; a column's words are in the text of its table.
      await embedPending(store, model, { kinds: ['table'] });
      figures[`${name}EmbedSeconds`] = (performance.now() - start) / 1000;
    }
    const rows = [];
    for (const ranker of await rankers({ store, tables }, warehouse))
      rows.push(...(await measure(ranker, warehouse)));
    const { bytes: bytesWithVectors } = await store.stats();
    figures.indexWithVectorsMb = bytesWithVectors / 1e6;
    if (options.output === 'table') await printDatabases({ store, tables }, warehouse);
    printReport({ bench: 'table-retrieval', about: ABOUT, rows, figures }, options);
  } finally {
    await store.close();
  }
}

/** Opened at once: what is missing is said before minutes of work. */
async function openModels(): Promise<void> {
  const missing = await whyNoMiniLm();
  if (missing !== null && !options.isSmoke)
    process.stderr.write(`table-retrieval: without MiniLM: ${missing}\n`);
  const embeddings = [
    { name: 'hashed', embedding: 'hashed' },
    { name: 'built-in', embedding: 'built-in' },
    ...(missing === null ? [{ ...MINILM, name: 'minilm', embedding: `onnx:${MINILM.folder}` }] : []),
  ];
  for (const { name, ...settings } of options.isSmoke ? embeddings.slice(0, 1) : embeddings)
    models.push({ name, model: await openEmbeddingModel({ ...settings, cacheDirectory: folder }) });
}

async function rankers(index: Index, { documentsFolder, questions }: Warehouse): Promise<Ranker[]> {
  const documents = new Map<string, string>();
  for (const { document } of questions)
    if (document !== undefined && existsSync(join(documentsFolder, document)))
      documents.set(
        document,
        (await readFile(join(documentsFolder, document), 'utf8')).slice(0, DOCUMENT_CHARACTERS),
      );
  const noNames = { ...RETRIEVAL_DEFAULTS, useNames: false };
  return [
    plainWords(index),
    ...models.map(({ name, model }) => plainVectors(index, name, model)),
    ours('without names', index, { settings: noNames }),
    ours('words and names', index),
    ...models.map(({ name, model }) => ours(`with ${name}`, index, { model })),
    ours('words, names and the document as a hint', index, {
      hintOf: ({ document = '' }) => documents.get(document) ?? '',
    }),
  ];
}

async function measure(ranker: Ranker, { questions, tablesOf }: Warehouse) {
  const rows = [];
  for (const among of ['its database', 'all databases'] as const) {
    const ms: number[] = [];
    const encoding: number[] = [];
    const recalls: Recall[] = [];
    const scopes = questions.map(({ database }) =>
      among === 'its database' ? tablesOf.get(database) : undefined,
    );
    // The first search opens files and fills caches; it is measured again with the others.
    if (questions[0] !== undefined) await run(ranker, questions[0], scopes[0]);
    for (const [at, question] of questions.entries()) {
      const { recall, searchMs, encodeMs } = await run(ranker, question, scopes[at]);
      ms.push(searchMs);
      encoding.push(encodeMs);
      recalls.push(recall());
    }
    const even = meanRecall(recalls.filter((_, at) => at % 2 === 0));
    const odd = meanRecall(recalls.filter((_, at) => at % 2 === 1));
    const all = meanRecall(recalls);
    rows.push({
      ranker: ranker.name,
      among,
      family: all.family,
      even: even.family,
      odd: odd.family,
      strict: all.strict,
      strictEven: even.strict,
      strictOdd: odd.strict,
      ceiling: all.ceiling,
      p50Ms: percentile(ms, 0.5),
      p95Ms: percentile(ms, 0.95),
      encodeP95Ms: percentile(encoding, 0.95),
    });
  }
  return rows;
}

async function run(ranker: Ranker, question: WarehouseQuestion, scope: ReadonlySet<string> | undefined) {
  const from = performance.now();
  const [vector] = (await ranker.model?.embed([question.text])) ?? [];
  const encoded = performance.now();
  const recall = await ranker.find(question, { ...(scope && { scope }), ...(vector && { vector }) });
  return { recall, searchMs: performance.now() - encoded, encodeMs: encoded - from };
}

/** Recall inside each database, by words and names; families of equal tables count as one. */
async function printDatabases(index: Index, { questions, tablesOf }: Warehouse): Promise<void> {
  const ranker = ours('words and names', index);
  const lines: string[] = [];
  for (const [database, scope] of tablesOf) {
    const own = questions.filter((question) => question.database === database);
    const recalls: Recall[] = [];
    const among: Recall[] = [];
    for (const question of own) {
      recalls.push((await ranker.find(question, { scope }))());
      among.push((await ranker.find(question, {}))());
    }
    const [inside, all] = [meanRecall(recalls), meanRecall(among)];
    const shown = [inside.family, inside.strict, all.family, all.strict].map((value) => value.toFixed(3));
    lines.push([database, scope.size, own.length, ...shown].join('\t'));
  }
  const heads = ['database', 'tables', 'questions', 'family', 'strict', 'family in all', 'strict in all'];
  process.stdout.write(`${[heads.join('\t'), ...lines].join('\n')}\n\n`);
}
