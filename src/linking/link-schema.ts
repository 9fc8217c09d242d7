/** The stage: which part of the schema the writer of the SQL sees, and why. */
import { type SharingPolicy, shareStatistics } from '../catalog/share/index.ts';
import { CandorError } from '../errors.ts';
import { similarColumns } from '../knowledge/retrieve/index.ts';
import {
  CHOICE_RISKS,
  type ChoiceRisks,
  formSchemaOpinion,
  GROUNDED_LINK_DEFAULTS,
  type GroundedLinkSettings,
  groundedLinkReasoner,
  type SchemaOpinion,
} from '../reasoning/grounded/linking/index.ts';
import type { LinkQuestion } from '../reasoning/roles/link-reasoner.ts';
import { fitView } from './budget/fit-view.ts';
import { evilink } from './evilink/evilink.ts';
import { EVILINK_DEFAULTS, type EvilinkSettings } from './evilink/items/evilink-settings.ts';
import type { EvilinkSources } from './evilink/items/evilink-sources.ts';
import { definedItems, filterEvidence } from './filter/filter-evidence.ts';
import { type FilterOptions, filterSchema } from './filter/filter-schema.ts';
import { chooseMode, dominanceFacts, GATE_DEFAULTS, type GateSettings } from './gate/choose-mode.ts';
import type { LinkSources } from './link-sources.ts';
import { linkByRankers } from './rankers/link-by-rankers.ts';
import { RANKER_DEFAULTS, type RankerSettings } from './rankers/ranker-settings.ts';
import { chosenItems } from './routes/chosen-items.ts';
import { notesOf } from './routes/collect-notes.ts';
import { withDefined, withJoins } from './routes/complete-links.ts';
import { itemKey, type LinkedItem, type LinkedSchema, type LinkMode } from './schema/linked-schema.ts';
import { restrictCatalog } from './schema/restrict-catalog.ts';

/**
 * Links one question by the mode that the settings or the gate name. Throws `database.empty-schema`, `linking.*`, and what
 * the reasoner throws when none of its paths is left.
 */
export async function linkSchema(
  question: LinkQuestion,
  sources: LinkSources,
  settings: LinkSettings = LINK_DEFAULTS,
): Promise<LinkedSchema> {
  const { linker, forests, tables } = sources;
  if (tables.catalog.tables.length === 0)
    throw new CandorError('database.empty-schema', `${tables.catalog.database} has no table to link`);
  const { text, hint } = question;
  const opinion = formSchemaOpinion({ question: text, ...(hint !== undefined && { hint }) }, linker, forests);
  const { mode, why } = chosenMode(question, sources, settings);
  const { retrieved, semantics } = sources;
  const defined = definedItems(retrieved ?? { metrics: [], dimensions: [] }, semantics, tables);
  const linking: Linking = { question, sources, settings, opinion, defined, why };
  const linked = await ROUTES[mode](linking);
  return mode === 'full' ? linked : withinView(linked, linking);
}

/** A prompt takes no more than it has room for, and where there is room, what else may be needed. */
function withinView(linked: LinkedSchema, { question, sources, settings, opinion }: Linking): LinkedSchema {
  const { viewTokens } = settings;
  if (viewTokens === undefined) return linked;
  const { tables, retrieved } = sources;
  const view = fitView(linked.items, { question: question.text, tables, opinion, retrieved }, viewTokens);
  return { ...linked, ...view, leftOut: [...linked.leftOut, ...view.leftOut] };
}

interface Linking {
  readonly question: LinkQuestion;
  readonly sources: LinkSources;
  readonly settings: LinkSettings;
  readonly opinion: SchemaOpinion;
  /** Items that metrics and dimensions of the question are made of. */
  readonly defined: ReturnType<typeof definedItems>;
  readonly why: readonly string[];
}

const ROUTES: Readonly<Record<LinkMode, (linking: Linking) => Promise<LinkedSchema>>> = {
  full: linkInFull,
  filter: linkByFilter,
  evilink: linkByVotesOrFilter,
  rankers: linkByOrder,
};

function chosenMode(
  { text }: LinkQuestion,
  { tables, schemaCharacters, contextWindow, retrieved, reasoner, semantics, quoted }: LinkSources,
  settings: LinkSettings,
): { readonly mode: LinkMode; readonly why: readonly string[] } {
  if (settings.mode !== 'auto') return { mode: settings.mode, why: ['asked for'] };
  const lower = ` ${text.toLowerCase()} `;
  const vague = semantics.vagueTerms
    .map(({ term }) => term)
    .filter((term) => isSaid(term.toLowerCase(), lower));
  return chooseMode(
    {
      columns: tables.catalog.tables.reduce((sum, { columns }) => sum + columns.length, 0),
      ...(schemaCharacters === undefined ? {} : { schemaText: schemaCharacters }),
      ...(contextWindow === undefined ? {} : { contextWindow }),
      dominance: dominanceFacts(retrieved ?? { metrics: [], values: [] }, { tables, quoted, vague }),
      canReason: reasoner !== undefined,
    },
    settings.gate,
  );
}

function isSaid(term: string, lower: string): boolean {
  const at = lower.indexOf(term);
  return at > 0 && !/[\p{L}\p{N}]/u.test(`${lower[at - 1]}${lower[at + term.length]}`);
}

const NOTHING_MORE = {
  discarded: [],
  hypotheses: [],
  turns: [],
  leftOut: [],
  warnings: [],
  calls: [],
} as const;

/** Everything stays in view; the items tell where to look first. */
async function linkInFull(linking: Linking): Promise<LinkedSchema> {
  const { catalog } = linking.sources.tables;
  return { ...NOTHING_MORE, mode: 'full', why: linking.why, catalog, items: rankedItems(linking) };
}

function rankedItems({ sources: { tables }, settings, opinion, defined }: Linking): readonly LinkedItem[] {
  return withDefined(chosenItems(opinion, tables, settings.risks), defined, tables);
}

async function linkByFilter(linking: Linking): Promise<LinkedSchema> {
  const { sources, settings, why } = linking;
  const { tables, keys } = sources;
  if (settings.filterBy === 'retrieval') return filterByRetrieval(sources, settings, why);
  const chosen = rankedItems(linking);
  const joined = settings.completesJoins ? withJoins(chosen, tables, keys) : { items: chosen, warnings: [] };
  return {
    ...NOTHING_MORE,
    mode: 'filter',
    why,
    catalog: partOf(joined.items, sources),
    items: joined.items,
    warnings: joined.warnings,
  };
}

/** ThothAI's documented rule. */
function filterByRetrieval(
  { tables, keys, retrieved, semantics, keywords }: LinkSources,
  { filter }: LinkSettings,
  why: readonly string[],
): LinkedSchema {
  if (retrieved === undefined)
    throw new CandorError('linking.invalid-settings', 'a filter by retrieval needs what retrieval found');
  const columns = tables.catalog.tables.flatMap((table) => table.columns);
  const evidence = filterEvidence(retrieved, { tables, semantics, names: similarColumns(keywords, columns) });
  const { catalog, items, leftOut, warnings } = filterSchema(tables.catalog, evidence, keys, filter);
  return { ...NOTHING_MORE, mode: 'filter', why, catalog, items, leftOut, warnings };
}

/** A model of which no path comes through leaves the schema to the trained ranker: the question is answered all the same. */
async function linkByVotesOrFilter(linking: Linking): Promise<LinkedSchema> {
  const { sources, settings, why } = linking;
  const callsBefore = linking.question.ledger.entries.length;
  try {
    return await linkByVotes(linking);
  } catch (error) {
    const isOfModel = error instanceof CandorError && error.code === 'linking.no-path';
    if (sources.reasoner === undefined || !isOfModel) throw error;
    const instead = { ...linking, settings: { ...settings, filterBy: 'ranking' as const } };
    const linked = await linkByFilter({ ...instead, why: [...why, 'the model linked nothing'] });
    return {
      ...linked,
      warnings: [`the trained ranker chose, since ${error.message}`, ...linked.warnings],
      calls: linking.question.ledger.entries.slice(callsBefore),
    };
  }
}

/** Hypotheses vote; a model's where there is one, else the readings of the grounded engine. */
async function linkByVotes({
  question,
  sources,
  settings,
  opinion,
  defined,
  why,
}: Linking): Promise<LinkedSchema> {
  const { tables, keys, retrieved, statisticsOf, probe } = sources;
  const reasoner =
    sources.reasoner ?? groundedLinkReasoner(opinion, sources.readings(), tables.catalog, settings.grounded);
  const { sharing = 'all' } = reasoner;
  const result = await evilink(
    question,
    reasoner,
    {
      tables: sources.shown(sharing),
      notes: notesOf(retrieved, opinion, tables, sharing),
      membersOf: opinion.membersOf,
      ranking: opinion.tableOrder,
      likelihoodOf: (id) => opinion.columnPromise(id),
      ...(statisticsOf && { statisticsOf: sharedStatistics(statisticsOf, tables, sharing) }),
      // What a probe shows are rows.
      ...(probe && sharing === 'all' && { probe }),
    },
    settings.evilink,
  );
  const voted = withDefined(result.items, defined, tables);
  const joined = settings.completesJoins ? withJoins(voted, tables, keys) : { items: voted, warnings: [] };
  return {
    mode: 'evilink',
    why,
    catalog: partOf(joined.items, sources),
    items: joined.items,
    // A join or a metric may need what the votes had put aside.
    discarded: without(result.discarded, joined.items),
    hypotheses: result.hypotheses,
    turns: result.turns,
    leftOut: result.leftOut,
    warnings: [...result.warnings, ...joined.warnings],
    calls: result.calls,
  };
}

async function linkByOrder({ question, sources, settings, opinion, why }: Linking): Promise<LinkedSchema> {
  const { retrieved, ranker, graph } = sources;
  if (retrieved === undefined || ranker === undefined)
    throw new CandorError(
      'linking.invalid-settings',
      'rankers need what retrieval found and somebody who ranks',
    );
  const { sharing = 'all' } = ranker;
  const rankerSources = {
    tables: sources.shown(sharing),
    sharing,
    retrieved,
    membersOf: opinion.membersOf,
    ...(graph && { graph }),
  };
  const linked = await linkByRankers(question, ranker, rankerSources, settings.rankers);
  return { ...linked, why: [...why, ...linked.why] };
}

/** Statistics of the store, as far as the reasoner may know them. */
function sharedStatistics(
  statisticsOf: NonNullable<LinkSources['statisticsOf']>,
  tables: LinkSources['tables'],
  sharing: SharingPolicy,
): NonNullable<EvilinkSources['statisticsOf']> {
  return async (columnId) => {
    const [known, profile] = [await statisticsOf(columnId), tables.column(columnId)?.profile];
    return known && profile && shareStatistics(known, profile, sharing);
  };
}

function without(discarded: LinkedSchema['discarded'], items: readonly LinkedItem[]) {
  const taken = new Set(items.map(itemKey));
  return discarded.filter((item) => !taken.has(itemKey(item)));
}

function partOf(items: readonly LinkedItem[], { tables }: LinkSources): LinkedSchema['catalog'] {
  const idsOf = (kind: LinkedItem['kind']) =>
    new Set(items.filter((item) => item.kind === kind).map(({ id }) => id));
  return restrictCatalog(tables.catalog, idsOf('table'), idsOf('field'));
}

/** How linking is done; every published ablation is a value of one of these. */
export interface LinkSettings {
  /** `auto`: the gate chooses. */
  readonly mode: LinkMode | 'auto';
  readonly gate: GateSettings;
  /** What may be lost where the trained ranker chooses. */
  readonly risks: ChoiceRisks;
  /** What the filter goes by: the trained ranker, or the hits of retrieval as ThothAI has it. */
  readonly filterBy: 'ranking' | 'retrieval';
  readonly filter: FilterOptions;
  readonly evilink: EvilinkSettings;
  readonly grounded: GroundedLinkSettings;
  readonly rankers: RankerSettings;
  /** Whether tables and keys of join paths are added; measures of linking leave them out. */
  readonly completesJoins: boolean;
  /** Tokens that the linked schema may take in a prompt, and takes where more may be needed; absent: what was linked, however large. */
  readonly viewTokens?: number;
}

export const LINK_DEFAULTS: LinkSettings = {
  mode: 'auto',
  gate: GATE_DEFAULTS,
  risks: CHOICE_RISKS,
  filterBy: 'ranking',
  filter: {},
  evilink: EVILINK_DEFAULTS,
  grounded: GROUNDED_LINK_DEFAULTS,
  rankers: RANKER_DEFAULTS,
  completesJoins: true,
};
