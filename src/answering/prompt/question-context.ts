/** Everything known that bears on a question, put together once: whole where it fits, and honest about cuts where it does not. */
import { z } from 'zod';
import { type Catalog, tableOfColumn } from '../../catalog/index.ts';
import { estimateTokens } from '../../catalog/prompt-schema/index.ts';
import {
  type SharedText,
  type SharingPolicy,
  sharedAnnotatedText,
  valueTexts,
} from '../../catalog/share/index.ts';
import { CandorError } from '../../errors.ts';
import { isNoteFor, type VerifiedPair, withoutHidden } from '../../knowledge/authored/index.ts';
import type { Retrieved } from '../../knowledge/retrieve/index.ts';
import { type SemanticNotes, semanticNotes } from '../../knowledge/semantic/index.ts';
import { type LinkedSchema, restrictCatalog } from '../../linking/index.ts';
import type { Session } from '../../session/index.ts';
import type { LinkedQuestion } from './link-question.ts';
import { valueLines } from './question-values.ts';
import { annotationsOf, descriptionLines, type NotesById, toldOfSchema } from './schema-annotations.ts';

/** Most of what is known is given whole below so many tokens, and below this share of the model's window. Source: design of the model path. */
const CONTEXT_TOKENS = 24_000;
const CONTEXT_SHARE = 0.15;
const DEFAULT_WINDOW = 32_768;
/** What people wrote beside the schema takes no more of a window: the schema, the rules of a prompt and the reply need the rest. */
const KNOWLEDGE_SHARE = 0.25;

/** What is picked where not all of it fits. */
const MOST_NOTES = 12;
const MOST_EXAMPLES = 5;
const MOST_METRICS = 20;

export type ContextSources = Pick<
  Session,
  'catalog' | 'hiddenTables' | 'semantics' | 'authored' | 'examples' | 'values'
> & {
  /** Whose own proposals are told; absent: those of nobody by name. */
  readonly config?: Pick<Session['config'], 'user'>;
};

export interface ContextParts {
  /** Names in it that are stored nowhere are said to be so; absent: none are looked for. */
  readonly question?: string;
  /** Absent: nothing was linked, and only a whole context can be made. */
  readonly linked?: Pick<LinkedSchema, 'catalog'> | null;
  readonly retrieved?: Retrieved | null;
  /** What logs tell of tables and joins, and the tables that whoever asks starts from. */
  readonly base?: LinkedQuestion['base'];
  /** What the writer may be shown of values. */
  readonly sharing: SharingPolicy;
  readonly contextWindow?: number | undefined;
}

export interface QuestionContext {
  readonly isWhole: boolean;
  /** The tables and columns in view. */
  readonly catalog: Catalog;
  /** Lists that were cut: `12 of 340 metrics shown`. */
  readonly cuts: readonly string[];
  /** Tables and columns with all that is known of them; `seed` shuffles them, `tables` adds more. */
  schema(options?: { readonly seed?: number | undefined; readonly tables?: readonly string[] }): SharedText;
  /** Metrics, and the rules of the project for words and times. */
  readonly definitions: readonly string[];
  readonly notes: readonly string[];
  readonly pairs: readonly VerifiedPair[];
  /** Stored values that are like words of the question, a line for each column; none in private mode. */
  readonly values: readonly SharedText[];
}

/** Whether all of it fits, before anything is looked for. */
export function fitsWhole(sources: ContextSources, contextWindow: number | undefined): boolean {
  return wholeTokens(sources) <= mostTokens(contextWindow);
}

export function mostTokens(contextWindow = DEFAULT_WINDOW): number {
  return Math.min(CONTEXT_TOKENS, CONTEXT_SHARE * contextWindow);
}

/** Of a window that a service calls too small without saying how small it is. */
const SHRUNK = 1 / 4;

const OVERFLOW = z.object({ contextWindow: z.number().optional() });

/** The window to make a prompt for after one that did not fit; undefined where a smaller one would be no other. */
export function shownWindow(error: unknown, assumed = DEFAULT_WINDOW): number | undefined {
  if (!(error instanceof CandorError) || error.code !== 'model.context-full') return undefined;
  const shown = OVERFLOW.parse(error.data).contextWindow ?? Math.floor(assumed * SHRUNK);
  return mostTokens(shown) < mostTokens(assumed) ? shown : undefined;
}

const WHOLE = new WeakMap<ContextSources, number>();

/** Without guesses of a model: that something was described must not push tables out of view. */
function wholeTokens(sources: ContextSources): number {
  const known = WHOLE.get(sources);
  if (known !== undefined) return known;
  const notes = semanticNotes(sources.semantics, sources.catalog);
  const texts = [
    sharedAnnotatedText(sources.catalog, 'all', annotationsOf(sources, [notes])),
    ...notes.metrics.map(({ text }) => text),
    ...notes.rules,
    ...sources.authored.notes.map(({ text }) => text),
    ...sources.examples.flatMap(({ question, sql }) => [question, sql]),
  ];
  const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  WHOLE.set(sources, tokens);
  return tokens;
}

/** The context of one question; `parts.linked` says what is in view where not everything fits. */
export function assembleContext(sources: ContextSources, parts: ContextParts): QuestionContext {
  const { question = '', linked, retrieved, base, sharing, contextWindow } = parts;
  const isWhole = linked == null || fitsWhole(sources, contextWindow);
  const catalog = isWhole ? sources.catalog : withNamed(question, linked.catalog, sources);
  const notes = semanticNotes(sources.semantics, sources.catalog);
  const chosen = isWhole
    ? wholeKnowledge(sources, notes, retrieved)
    : fittingKnowledge(sources, notes, catalog, { retrieved, contextWindow });
  const outside: NotesById = isWhole ? new Map() : outsideScope(catalog, base?.scope.tables);
  const { annotations, foreignKeys } = toldOfSchema(sources, {
    ...{ notes, sharing },
    usage: base?.usage,
    more: outside,
  });
  // What people wrote may name stored values: in private mode it stands among their own words, not in the schema.
  const isPrivate = sharing === 'private';
  const inPlace = isPrivate ? {} : annotations;
  const definitions = withoutHidden(chosen.definitions, sources);
  const told = withoutHidden(chosen.notes, sources);
  const written = [...definitions, ...told, ...[...notes.columns.values(), ...notes.tables.values()].flat()];
  return {
    ...chosen,
    definitions: isPrivate ? [...descriptionLines(annotations, catalog), ...definitions] : definitions,
    notes: told,
    isWhole,
    catalog,
    schema: ({ seed, tables = [] } = {}) =>
      sharedAnnotatedText(withKeys(widened(catalog, sources.catalog, tables), foreignKeys), sharing, {
        ...inPlace,
        ...(seed !== undefined && { seed }),
      }),
    values: valueTexts(valueLines(question, { ...sources, retrieved, written }), sharing),
  };
}

type Chosen = Pick<QuestionContext, 'definitions' | 'notes' | 'pairs' | 'cuts'>;

function wholeKnowledge(
  { authored, examples, catalog, config }: ContextSources,
  notes: SemanticNotes,
  retrieved: Retrieved | null | undefined,
): Chosen {
  const known = new Set(catalog.tables.map(({ id }) => id));
  const forAll = authored.notes.filter((note) => isAlwaysTold(note, config?.user) && isOfKnown(note, known));
  return {
    definitions: distinct([...notes.metrics.map(({ text }) => text), ...notes.rules, ...jargonOf(authored)]),
    // Those of the asker and of their areas come by retrieval, which knows whose they are.
    notes: distinct([...forAll, ...(retrieved?.notes ?? []).map(({ item }) => item)].map(({ text }) => text)),
    pairs: examples,
    cuts: notes.leftOut,
  };
}

/** Takes of one list after the other what still fits; what is too long is passed over. */
function takerOf(tokens: number) {
  let left = tokens;
  return <Item>(items: readonly Item[], textOf: (item: Item) => string): readonly Item[] =>
    items.filter((item) => {
      const cost = estimateTokens(textOf(item));
      if (cost > left) return false;
      left -= cost;
      return true;
    });
}

/**
 * Recall first: all that is about the tables in view, then what was found for the words of the question. A window too small for that
 * gets what is nearest to the question, notes first: rules and terms, which are of all questions, come last.
 */
function fittingKnowledge(
  { authored, examples, catalog, config }: ContextSources,
  notes: SemanticNotes,
  shownCatalog: Catalog,
  { retrieved, contextWindow = DEFAULT_WINDOW }: Pick<ContextParts, 'retrieved' | 'contextWindow'>,
): Chosen {
  const take = takerOf(KNOWLEDGE_SHARE * contextWindow);
  const inView = new Set(shownCatalog.tables.map(({ id }) => id));
  const found = new Set((retrieved?.metrics ?? []).map(({ item }) => item.name));
  const byRank = [...notes.metrics].sort((a, b) => rankOf(b, found, inView) - rankOf(a, found, inView));
  const ranked = byRank.filter((metric) => rankOf(metric, found, inView) > 0).slice(0, MOST_METRICS);
  const known = new Set(catalog.tables.map(({ id }) => id));
  const about = authored.notes.filter(
    (note) => isForAll(note) && isOfKnown(note, known) && note.tables.some((id) => inView.has(id)),
  );
  // What somebody asked to be remembered is not left to likeness.
  const own = authored.notes.filter(
    (note) => note.isProposed && isNoteFor(note, config?.user) && isOfKnown(note, known),
  );
  const texts = distinct(
    [...own, ...(retrieved?.notes ?? []).map(({ item }) => item), ...about].map(({ text }) => text),
  );
  const told = take(texts.slice(0, MOST_NOTES), (text) => text);
  const metrics = take(ranked, ({ text }) => text);
  const strong = (retrieved?.examples ?? []).filter(({ item }) => !item.isWeak).map(({ item }) => item.pair);
  const pairs = take(strong.slice(0, MOST_EXAMPLES), ({ question, sql }) => question + sql);
  const rules = take(notes.rules, (text) => text);
  const jargon = jargonOf(authored);
  const terms = take(jargon, (text) => text);
  const shown = {
    tables: [inView.size, catalog.tables.length],
    metrics: [metrics.length, notes.metrics.length],
    notes: [told.length, authored.notes.length],
    'verified pairs': [pairs.length, examples.length],
    rules: [rules.length, notes.rules.length],
    terms: [terms.length, jargon.length],
  } as const;
  return {
    definitions: distinct([...metrics.map(({ text }) => text), ...rules, ...terms]),
    notes: told,
    pairs,
    cuts: [
      ...notes.leftOut,
      ...Object.entries(shown).flatMap(([what, [count, all]]) =>
        count < all ? [`${count.toLocaleString('en')} of ${all.toLocaleString('en')} ${what} shown`] : [],
      ),
    ],
  };
}

function rankOf(
  { name, tables }: SemanticNotes['metrics'][number],
  found: ReadonlySet<string>,
  inView: ReadonlySet<string>,
): number {
  return (found.has(name) ? 2 : 0) + (tables.some((id) => inView.has(id)) ? 1 : 0);
}

/** Notes of one person or area are for them; what somebody asked to be remembered is told them in any case. */
function isAlwaysTold(note: ContextSources['authored']['notes'][number], reader?: string): boolean {
  return isForAll(note) || (note.isProposed === true && isNoteFor(note, reader));
}

function isForAll({ user, areas, isProposed }: ContextSources['authored']['notes'][number]): boolean {
  return user === undefined && isProposed !== true && areas.length === 0;
}

/** What is about a table that whoever asks may not see tells of it, whatever else it is about. */
function isOfKnown(
  { tables, columns }: ContextSources['authored']['notes'][number],
  known: ReadonlySet<string>,
) {
  return tables.every((id) => known.has(id)) && columns.every((id) => tableOfColumn(id, known) !== undefined);
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

function jargonOf({ jargon }: ContextSources['authored']): readonly string[] {
  return jargon.map(({ term, meaning }) => `“${term}” means ${meaning}`);
}

/** A table that the question names is in view, wherever it lies. */
function withNamed(question: string, linked: Catalog, sources: ContextSources): Catalog {
  const inView = new Set(linked.tables.map(({ id }) => id));
  return widened(linked, sources.catalog, namedOutOfView(question, sources, inView));
}

function outsideScope({ tables }: Catalog, scope: ReadonlySet<string> | undefined): NotesById {
  const outside = scope === undefined ? [] : tables.filter(({ id }) => !scope.has(id));
  return new Map(
    outside.map(({ id }) => [id, ['outside the usual tables of whoever asks: say so where it is used']]),
  );
}

function withKeys(catalog: Catalog, keys: Catalog['foreignKeys']): Catalog {
  const shown = new Set(keys);
  return { ...catalog, foreignKeys: catalog.foreignKeys.filter((key) => shown.has(key)) };
}

/** A part of a catalog with more tables of it, whole; what the others show and say stays. */
function widened(shown: Catalog, whole: Catalog, more: readonly string[]): Catalog {
  if (more.length === 0) return shown;
  const added = whole.tables.filter(({ id }) => more.includes(id));
  const tables = new Map([...shown.tables, ...added].map((table) => [table.id, table]));
  const columns = [...tables.values()].flatMap((table) => table.columns.map(({ id }) => id));
  const part = restrictCatalog(whole, new Set(tables.keys()), new Set(columns));
  return { ...part, tables: part.tables.map((table) => tables.get(table.id) ?? table) };
}

// Tables that a question calls by their name, wherever they lie.

/** More would be words that name many tables. */
const MOST_NAMED = 3;
const SHORT = 3;

/**
 * Ids of tables out of view that the words of a question name, or what people call them; none where a table in view is called so, too. Of
 * the catalog of whoever asks: what they may not see is not found.
 */
function namedOutOfView(
  question: string,
  { catalog, semantics }: Pick<Session, 'catalog' | 'semantics'>,
  inView: ReadonlySet<string>,
): readonly string[] {
  const asked = ` ${folded(question)} `;
  const said = new Map(semantics.datasets.map(({ table, name, synonyms }) => [table, [name, ...synonyms]]));
  const named = catalog.tables.flatMap(({ id, name }) =>
    [name, ...(said.get(id) ?? [])]
      .map(folded)
      .filter((one) => one.length >= SHORT && asked.includes(` ${one} `))
      .map((one) => ({ id, name: one })),
  );
  const known = new Set(named.flatMap(({ id, name }) => (inView.has(id) ? [name] : [])));
  const outside = named.filter(({ id, name }) => !inView.has(id) && !known.has(name));
  return [...new Set(outside.map(({ id }) => id))].slice(0, MOST_NAMED);
}

/** In lower case, one blank between words, without the s of a plural. */
function folded(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => word.replace(/(?<=\p{L}{2})s$/u, '')).join(' ');
}
