/** Everything that is found for a question before anything is written, all sources at once. */
import { queryTerms } from '../search/search-terms.ts';
import type { ValuesFound } from '../values/find-values.ts';
import { addExampleTables } from './add-example-tables.ts';
import { askVectors, nearest } from './ask-vectors.ts';
import type { Asking, RetrievalRequest } from './asking.ts';
import { fallbackKeywords } from './fallback-keywords.ts';
import { findBusinessWords } from './find-business-words.ts';
import { findExamples } from './find-examples.ts';
import { findJargon } from './find-jargon.ts';
import { findNotes } from './find-notes.ts';
import type { TextAsked } from './fitting.ts';
import { listTruncations } from './list-truncations.ts';
import { orWarn } from './or-warn.ts';
import type { RetrievalSources } from './prepare-retrieval.ts';
import { questionColumns, settleInTables } from './question-columns.ts';
import { raiseDefinedTables } from './raise-defined-tables.ts';
import { RETRIEVAL_DEFAULTS, type RetrievalSettings } from './retrieval-settings.ts';
import type { Retrieved } from './retrieved.ts';
import { type QuestionVector, searchTables, type TablesFound } from './search-tables.ts';

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
    columns: settleInTables(columns, allTables, sources.tables),
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
