/** Everything that is found for a question before anything is written, all sources at once. */

import { CandorError } from '../../errors.ts';
import type { EmbeddingModel } from '../../model/index.ts';
import type { DocumentKind, SearchStore } from '../search/search-store.ts';
import { queryTerms } from '../search/search-terms.ts';
import type { Asking, RetrievalRequest, RetrievalSources } from './prepare-retrieval.ts';
import { placeInTables, questionColumns } from './question-columns.ts';
import type { TextAsked } from './settings/retrieval-settings.ts';
import { RETRIEVAL_DEFAULTS, type RetrievalSettings } from './settings/retrieval-settings.ts';
import type { Found, FoundExample, FoundTable, Retrieved, Truncation } from './settings/retrieved.ts';
import { type QuestionVector, searchTables, type TablesFound } from './tables/search-tables.ts';
import { findBusinessWords, findJargon } from './texts/find-business-words.ts';
import { findExamples } from './texts/find-examples.ts';
import { findNotes } from './texts/find-notes.ts';
import type { ValuesFound } from './values/find-values.ts';
import { fallbackKeywords } from './words/question-words.ts';

/**
 * Finds tables, columns, values, verified pairs, notes, jargon, metrics and dimensions for a question. A source that
 * fails leaves its list empty and a warning; a value index that cannot be read throws: filters without stored values
 * are wrong and nobody sees it. Sources: LinkedIn, section 5.1; ThothAI, sections 3 to 8 and 12.
 */
export async function retrieve(
  request: RetrievalRequest,
  sources: RetrievalSources,
  settings: RetrievalSettings = RETRIEVAL_DEFAULTS,
): Promise<Retrieved> {
  request.signal?.throwIfAborted();
  const asking = await startAsking(withinSight(request, sources), sources, settings);
  const { warnings } = asking;
  const [tables, columns, values, examples, notes, words] = await Promise.all([
    orWarn('tables', tablesOf(asking), { tables: [], total: 0 }, asking),
    orWarn('columns', questionColumns(asking), [], asking),
    valuesOf(asking),
    orWarn('examples', examplesOf(asking), { examples: [], total: 0 }, asking),
    orWarn('notes', notesOf(asking), { notes: [], total: 0 }, asking),
    orWarn('metrics', wordsOf(asking), NO_WORDS, asking),
  ]);
  request.signal?.throwIfAborted();
  const defined = [...words.metrics.found, ...words.dimensions.found];
  const raised = raiseDefinedTables(tables.tables, defined, asking);
  const allTables = addExampleTables(raised, examples.examples, asking);
  return {
    tables: allTables,
    columns: placeInTables(columns, allTables, sources.tables),
    values: values.values,
    examples: examples.examples,
    notes: notes.notes,
    jargon: settings.useJargon ? findJargon(request.question, sources.jargon, settings.jargon) : [],
    metrics: words.metrics.found,
    dimensions: words.dimensions.found,
    truncations: [...listTruncations({ tables, examples, notes, words }), ...values.truncations],
    warnings: [...sources.warnings, ...warnings, ...values.warnings],
  };
}

/** A store that several readers share holds tables this one may not see: they are out of every scope. */
function withinSight(request: RetrievalRequest, { visible }: RetrievalSources): RetrievalRequest {
  if (visible === undefined) return request;
  const { scope } = request;
  return {
    ...request,
    scope: scope === undefined ? visible : new Set([...scope].filter((id) => visible.has(id))),
  };
}

async function startAsking(
  request: RetrievalRequest,
  sources: RetrievalSources,
  settings: RetrievalSettings,
): Promise<Asking> {
  const { question, hint, signal } = request;
  const keywords = request.keywords?.length ? request.keywords : fallbackKeywords(question);
  const warnings: string[] = [];
  const { model } = sources;
  if (model === undefined || !settings.useVectors)
    return { request, sources, settings, keywords, vectors: new Map(), warnings };
  const texts = [question, ...(hint ? [hint] : []), ...keywords.slice(0, settings.columns.keywords)];
  const made = askVectors([...new Set(texts)], model, signal);
  const vectors = await orWarn('vectors', made, new Map<string, QuestionVector>(), { request, warnings });
  return { request, sources, settings, keywords, vectors, warnings };
}

/** Within the scope; where nothing of it fits at all, over every table, which is said. */
async function tablesOf({ request, sources, vectors, warnings, ...asking }: Asking): Promise<TablesFound> {
  const { question, hint, scope, mostTables } = request;
  const settings = withMost(asking.settings, mostTables);
  const vector = vectors.get(question);
  const text = hint === undefined ? question : `${question}\n${hint}`;
  const asked = { question: text, ...(vector && { vector }) };
  const found = await searchTables({ ...asked, ...(scope && { scope }) }, sources, settings);
  if (found.tables.some(({ score }) => score > 0) || scope === undefined || scope === sources.visible)
    return found;
  warnings.push('nothing in the scope of the session fits: all tables were searched');
  const { visible } = sources;
  return searchTables({ ...asked, ...(visible && { scope: visible }) }, sources, settings);
}

function withMost(settings: RetrievalSettings, most = settings.tables.most): RetrievalSettings {
  return { ...settings, tables: { ...settings.tables, most } };
}

const NO_VALUES: ValuesFound = { values: [], truncations: [], warnings: [] };

async function valuesOf({ request, sources, settings, keywords }: Asking): Promise<ValuesFound> {
  if (!settings.useValues) return NO_VALUES;
  const { findValues, model } = sources;
  if (findValues === undefined) return { ...NO_VALUES, warnings: ['no values: there is no value index'] };
  const { scope, signal } = request;
  const embedding = settings.useVectors ? model : undefined;
  return findValues(keywords, {
    ...(scope && { scope }),
    ...(embedding && { embedding }),
    ...(signal && { signal }),
  });
}

async function examplesOf(asking: Asking): Promise<ReturnType<typeof findExamples>> {
  const { request, sources, settings } = asking;
  if (!settings.useExamples) return { examples: [], total: 0 };
  const isUsable = (tables: readonly string[]): boolean =>
    (request.scope === undefined || tables.some((id) => request.scope?.has(id))) &&
    !tables.some((id) => sources.standing(id).isDeprecated);
  return findExamples(await textAsked(asking, 'example'), sources.examples, isUsable, settings.examples);
}

async function notesOf(asking: Asking): Promise<ReturnType<typeof findNotes>> {
  const { request, sources, settings } = asking;
  if (!settings.useNotes) return { notes: [], total: 0 };
  const { user, areas = [] } = request;
  const reader = { areas, ...(user === undefined ? {} : { user }) };
  return findNotes(await textAsked(asking, 'note'), sources.notes, reader, settings.notes);
}

const NO_WORDS = { metrics: { found: [], total: 0 }, dimensions: { found: [], total: 0 } };

async function wordsOf(asking: Asking) {
  const { sources, settings } = asking;
  if (!settings.useMetrics) return NO_WORDS;
  const limits = { ...settings.metrics, leastCosine: settings.columns.leastCosine };
  const [forMetrics, forDimensions] = await Promise.all([
    textAsked(asking, 'metric'),
    textAsked(asking, 'dimension'),
  ]);
  return {
    metrics: findBusinessWords(forMetrics, sources.metrics, limits),
    dimensions: findBusinessWords(forDimensions, sources.dimensions, limits),
  };
}

/** The words of the question, its hint and its keywords; a store without vectors of this kind leaves the words. */
async function textAsked(
  asking: Asking,
  kind: 'example' | 'note' | 'metric' | 'dimension',
): Promise<TextAsked> {
  const { request, sources, keywords, vectors } = asking;
  const { question, hint = '' } = request;
  const near = nearest(sources.store, kind, vectors.get(question));
  return {
    question,
    terms: queryTerms([question, hint, ...keywords].join('\n')),
    cosines: await orWarn(`vectors of ${kind}s`, near, new Map<string, number>(), asking),
  };
}

// The vectors of a question and of what goes with it, made in one call.

/** By text. */
async function askVectors(
  texts: readonly string[],
  model: EmbeddingModel,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, QuestionVector>> {
  const vectors = await model.embed(texts, signal);
  return new Map(
    texts.flatMap((text, at) => {
      const vector = vectors[at];
      return vector === undefined ? [] : [[text, { modelId: model.id, vector }] as const];
    }),
  );
}

/** Cosines of the nearest documents of a kind, by id. */
async function nearest(
  store: SearchStore,
  kind: DocumentKind,
  vector: QuestionVector | undefined,
): Promise<ReadonlyMap<string, number>> {
  if (vector === undefined) return new Map();
  const hits = await store.searchVectors(vector.modelId, vector.vector, { kinds: [kind], limit: NEAREST });
  return new Map(hits.map(({ id, score }) => [id, score]));
}

/** More than any list keeps. */
const NEAREST = 50;

/**
 * The tables found, and those in scope that a good example reads: what answered a question like this one is likely
 * needed again. They stand at the end, with the score of the example at most that of the last table.
 */
function addExampleTables(
  found: readonly Found<FoundTable>[],
  examples: readonly Found<FoundExample>[],
  { request, sources }: Asking,
): readonly Found<FoundTable>[] {
  const { tables, standing, examples: shelf } = sources;
  const families = new Set(found.map(({ item }) => tables.familyOf(item.tableId)));
  const lowest = found.at(-1)?.score ?? 1;
  const added: Found<FoundTable>[] = [];
  for (const { item, score } of examples) {
    if (item.isWeak) continue;
    const read = shelf.examples.find(({ pair }) => pair.file === item.pair.file)?.tables ?? [];
    for (const tableId of read) {
      const family = tables.familyOf(tableId);
      if (families.has(family) || !(request.scope?.has(tableId) ?? true)) continue;
      families.add(family);
      const because = [`a verified pair like the question reads it: ${item.pair.file}`];
      added.push({ item: { tableId, ...standing(tableId) }, score: Math.min(score, lowest), because });
    }
  }
  return [...found, ...added];
}

/** A metric or a dimension. */
interface Defined {
  readonly name: string;
  /** Of its dataset. */
  readonly table?: string;
}

/**
 * Puts the tables of metrics and dimensions that the question names in full first: people have said that they are
 * measured there. A table outside the scope stays out. Metrics before dimensions, each in the order given.
 */
function raiseDefinedTables(
  found: readonly Found<FoundTable>[],
  words: readonly Found<Defined>[],
  { request, sources }: Asking,
): readonly Found<FoundTable>[] {
  const raised = new Map<string, Found<FoundTable>>();
  for (const { item, score } of words) {
    if (score < 1 || item.table === undefined) continue;
    const tableId = sources.tableOfDataset(item.table);
    if (tableId === undefined || !(request.scope?.has(tableId) ?? true)) continue;
    const reason = `${item.name} is defined on it`;
    const before = raised.get(tableId) ?? found.find((each) => each.item.tableId === tableId);
    raised.set(tableId, {
      item: before?.item ?? { tableId, ...sources.standing(tableId) },
      score: 1,
      because: [reason, ...(before?.because ?? [])],
    });
  }
  return [...raised.values(), ...found.filter(({ item }) => !raised.has(item.tableId))];
}

interface Counted {
  readonly total: number;
}

interface FoundLists {
  readonly tables: Counted & { readonly tables: readonly Found<FoundTable>[] };
  readonly examples: Counted & { readonly examples: readonly unknown[] };
  readonly notes: Counted & { readonly notes: readonly unknown[] };
  readonly words: {
    readonly metrics: Counted & { readonly found: readonly unknown[] };
    readonly dimensions: Counted & { readonly found: readonly unknown[] };
  };
}

/** The lists that a limit has cut, and the families of which not every table is named. */
function listTruncations({ tables, examples, notes, words }: FoundLists): readonly Truncation[] {
  const lists: readonly Truncation[] = [
    { what: 'tables', shown: tables.tables.length, total: tables.total },
    { what: 'verified pairs', shown: examples.examples.length, total: examples.total },
    { what: 'notes', shown: notes.notes.length, total: notes.total },
    { what: 'metrics', shown: words.metrics.found.length, total: words.metrics.total },
    { what: 'dimensions', shown: words.dimensions.found.length, total: words.dimensions.total },
    ...tables.tables.flatMap(({ item: { family } }) =>
      family === undefined
        ? []
        : [{ what: `tables ${family.pattern}`, shown: family.members.length, total: family.total }],
    ),
  ];
  return lists.filter(({ shown, total }) => shown < total);
}

interface Warned {
  readonly request: { readonly signal?: AbortSignal };
  readonly warnings: string[];
}

/**
 * The result of one source, or what stands for its absence and a warning. A cancelled request still ends, and what is
 * no `CandorError` is a bug, which no warning may hide.
 */
async function orWarn<Result>(
  what: string,
  work: Promise<Result>,
  without: Result,
  { request, warnings }: Warned,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (request.signal?.aborted || !(error instanceof CandorError)) throw error;
    warnings.push(`no ${what}: ${error.message}`);
    return without;
  }
}
