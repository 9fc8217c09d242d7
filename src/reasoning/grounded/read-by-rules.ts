import type { Assumption } from '../../answer.ts';
import { lemmaOf } from '../../language/index.ts';
import type { Expression } from '../../sql/print/index.ts';
import type { MentionNote, Reading, SeenBoundary } from '../roles/reading.ts';
import type { Frame } from './compose/frame/frame.ts';
import { parseFrame } from './compose/parse-frame.ts';
import type { GroundedKnowledge } from './knowledge/knowledge.ts';
import { type MetricOutcome, readMetrics } from './metric/read-metrics.ts';
import { mayYield, readsAll } from './metric/yield-to-tables.ts';
import { joinTree } from './query/graph/join-tree.ts';
import { buildQuery, type Plan, shareQuery } from './query/plan/build-query.ts';
import { type PlanOptions, planOptions } from './query/plan/plan-options.ts';
import { planVariants } from './query/plan/plan-variants.ts';
import { preferMentionedJoin } from './query/plan/prefer-mentioned-join.ts';
import { MEDIAN } from './query/plan/shapes/quantile-query.ts';
import { readRatio } from './query/ratio/read-ratio.ts';
import { withoutBefore } from './question/dialogue/in-context.ts';
import { parseTableDialogue } from './question/dialogue/parse-table-dialogue.ts';
import { readDialogue } from './question/dialogue/read-turn.ts';
import type { ReadWords } from './question/dialogue/turn.ts';
import { applyHint } from './question/hints/apply-hint.ts';
import { findMentions } from './question/mention/find-mentions.ts';
import { withFullNames } from './question/mention/full-names.ts';
import { type Mention, mentionNote, type NounMatch } from './question/mention/mention.ts';
import { halfNamed, type RelatedMention, relatedMentions } from './question/mention/related-mentions.ts';
import { unexplainedWords } from './question/mention/unexplained-words.ts';
import { findPhrases } from './question/phrases/find-phrases.ts';
import { findTimes, type TimeWindow } from './question/read/find-times.ts';
import { correctSpelling } from './question/read/spellings.ts';
import { type Token, tokenise } from './question/read/tokenise.ts';
import { isMostlyVerb } from './question/vocabulary/index.ts';
import { readingProbability } from './rate/reading-probability.ts';
import { type PlanOrigin, readPlan } from './read-plan.ts';
import type { Bound } from './resolve/bound.ts';
import { ownDate } from './resolve/date-columns.ts';
import { listOwners, withOwnersWords } from './resolve/list-owners.ts';
import type { ResolveContext } from './resolve/noun-candidates.ts';
import { databaseWords, doneNotStored, withoutFarNames } from './resolve/passed-over.ts';
import { asksWho, peopleAsked, tellsWho, withNames, withPeople } from './resolve/people-asked.ts';
import { resolveFrame } from './resolve/resolve-frame.ts';
import { tableBoundary } from './table-boundary.ts';

/** Readings of the rules that are looked at. */
const MOST = 8;

/** A question as the rules read it. */
export interface RuleReadings {
  readonly question: string;
  readonly tokens: readonly Token[];
  readonly mentions: readonly Mention[];
  /** Best first. */
  readonly readings: readonly Reading[];
  readonly unexplained: readonly MentionNote[];
  readonly boundary: SeenBoundary | undefined;
  /** Words that were read as others, and what a hint says of them. */
  readonly assumed: readonly Assumption[];
  /** Absent when the question was read in the words of the semantic model. */
  readonly frame: Frame | undefined;
  /** The bound frames that the readings were planned from, best first; none of a dialogue, whose turns edit one frame. */
  readonly bounds: readonly Bound[];
  readonly context: ResolveContext;
}

/** Reads a question by the composition rules: up to eight readings, best first, and what was not understood. */
export function readByRules(
  question: string,
  knowledge: GroundedKnowledge,
  now: Date,
  hint?: string,
): RuleReadings {
  const times = findTimes(question, now, knowledge.semantics.timeRules);
  const asWritten = tokenise(question);
  const { tokens, corrections, covered, related } = respell(question, asWritten, times, knowledge);
  const hinted = applyHint(hint, tokens, { knowledge, now });
  const known = [
    ...hinted.spans,
    ...(hint === undefined ? findPhrases(tokens, knowledge) : []),
    ...databaseWords(tokens, knowledge.catalog.database),
    ...related,
  ];
  const said =
    known.length === 0 && corrections.length === 0
      ? covered
      : findMentions(question, tokens, times, knowledge, known);
  const mentions = [...said, ...hinted.unsaid(said)];
  const assumed = [...corrections, ...readAs(related, mentions), ...hinted.assumptions];
  const graph = preferMentionedJoin(hinted.graph, tokens);
  const named = resolveContext(mentions, { ...knowledge, graph }, hinted.tables);
  const base = { question, tokens, mentions, assumed, context: named, bounds: [] };
  const dialogue = readDialogue(question, mentions);
  const nothingBefore = withoutBefore(question, dialogue?.base ?? mentions, knowledge);
  if (nothingBefore !== null)
    return { ...base, readings: [], unexplained: [], boundary: nothingBefore, frame: undefined };
  const words: ReadWords = { tokens, mentions, dialogue };
  const metrics =
    readMedian(question, words, times, knowledge, now) ?? readMetrics(question, words, knowledge, now);
  const tables = (): RuleReadings => readTables(question, words, { base, named, knowledge });
  if (metrics === undefined) return tables();
  const rival = mayYield(metrics, words) ? tables() : undefined;
  if (rival !== undefined && readsAll(rival)) return rival;
  return {
    ...base,
    readings: metrics.reading === undefined ? [] : [assuming(metrics.reading, assumed)],
    unexplained: [],
    boundary: metrics.boundary,
    frame: undefined,
  };
}

/** Reads a question by the names of tables and columns. */
function readTables(
  question: string,
  { mentions: asked, dialogue }: ReadWords,
  { base, named: byNames, knowledge }: TablePath,
): RuleReadings {
  const people = dialogue === undefined ? peopleAsked(asked, byNames) : undefined;
  const said = people === undefined ? asked : withPeople(asked, people);
  const named =
    people === undefined ? byNames : { ...byNames, named: new Map([...byNames.named, [people, ASKED]]) };
  const mentions =
    dialogue === undefined
      ? withOwnersWords(
          doneNotStored(withoutFarNames(withFullNames(said), named), named.named),
          named.graph,
          knowledge.names,
        )
      : said;
  const ratio = dialogue === undefined ? readRatio(mentions, named) : undefined;
  const frame =
    ratio?.frame ?? (dialogue === undefined ? parseFrame(mentions) : parseTableDialogue(dialogue, mentions));
  const owners = listOwners(mentions, named.graph);
  const context = { ...named, subjects: subjectTables(frame), owners };
  const found = ratio === undefined && frame.unread.length === 0 ? resolveFrame(frame, context, MOST) : [];
  const isWho = asksWho(mentions);
  const bounds = (isWho ? found.map((bound) => withNames(bound, context)) : found).filter(
    (bound) =>
      (!isWho || tellsWho(bound, named.graph)) &&
      (!frame.rules.includes('spent') || ownsWhatIsSpent(bound, context)),
  );
  const readings =
    ratio?.readings.map(({ query, bound, probability }) =>
      readPlan({ query, assumptions: [] }, originOf(bound, frame, mentions, context), probability, knowledge),
    ) ?? bounds.flatMap((bound) => toReading(bound, frame, mentions, context, knowledge));
  return {
    ...base,
    mentions,
    bounds: dialogue === undefined ? bounds : [],
    context,
    readings: wanted(distinct(readings), knowledge)
      .slice(0, MOST)
      .map((reading) => assuming(reading, base.assumed)),
    unexplained: unexplainedWords(mentions, frame.used).map(mentionNote),
    boundary: tableBoundary(question, mentions, frame, readings.length > 0, knowledge) ?? undefined,
    frame,
  };
}

/** How well "who" names the table of people. */
const ASKED = 0.95;

interface TablePath {
  readonly base: Pick<RuleReadings, 'question' | 'tokens' | 'mentions' | 'assumed' | 'context' | 'bounds'>;
  readonly named: ResolveContext;
  readonly knowledge: GroundedKnowledge;
}

/** Tables named well by what is shown, counted or summed. */
function subjectTables(frame: Frame): ReadonlySet<string> {
  return new Set(
    frame.projections.flatMap(
      ({ noun }) => noun?.nouns.filter(({ score }) => score >= 0.85).map(({ tableId }) => tableId) ?? [],
    ),
  );
}

interface Respelt {
  readonly tokens: readonly Token[];
  readonly corrections: readonly Assumption[];
  readonly covered: readonly Mention[];
  readonly related: readonly RelatedMention[];
}

/** Words that nothing explains are read as words that mean the same, or as the name one letter away, and the answer says so. */
function respell(
  question: string,
  tokens: readonly Token[],
  times: readonly TimeWindow[],
  knowledge: GroundedKnowledge,
): Respelt {
  const covered = findMentions(question, tokens, times, knowledge);
  const unknown = covered.filter((mention) => mention.isUnknown);
  const open = [...unknown, ...halfNamed(covered, knowledge.catalog)];
  const related = open.length === 0 ? [] : relatedMentions(tokens, open, knowledge.names, knowledge.catalog);
  const isRelated = new Set(related.map(({ from }) => from));
  const corrections = unknown.flatMap((mention) => {
    const token = tokens[mention.from];
    return token === undefined || isRelated.has(mention.from)
      ? []
      : (correctSpelling(token, FIGURE_WORDS) ??
          // "sends" is no misspelt `spends`: verbs name nothing, and those of general English were meant.
          (isMostlyVerb(token.lower) ? [] : (correctSpelling(token, knowledge.names.vocabulary) ?? [])));
  });
  const spelt = new Map(corrections.map((correction) => [correction.token, correction.to]));
  const respelt = tokens.map((token) => {
    const to = spelt.get(token);
    return to === undefined ? token : { ...token, lower: to, lemma: lemmaOf(to) };
  });
  return {
    covered,
    related,
    tokens: respelt,
    corrections: corrections.map(({ token, to }) => ({
      kind: 'value',
      text: `“${token.text}” was read as “${to}”.`,
    })),
  };
}

/** Words of structure that ask for another figure: misspelt they mean no less. */
const FIGURE_WORDS: ReadonlySet<string> = new Set(
  'average number total count median maximum minimum highest lowest largest smallest oldest youngest longest shortest cheapest without between percentage'.split(
    ' ',
  ),
);

/** What is assumed of the words that were read as others. */
function readAs(related: readonly RelatedMention[], mentions: readonly Mention[]): Assumption[] {
  const taken = new Set(mentions.map(({ from, to }) => `${from}-${to}`));
  return related.flatMap(({ from, to, assumed }) => (taken.has(`${from}-${to}`) ? (assumed ?? []) : []));
}

/** A table that a hint speaks of is named, if not by the question. */
const HINTED = 0.7;

function resolveContext(
  mentions: readonly Mention[],
  knowledge: GroundedKnowledge,
  hinted: readonly string[],
): ResolveContext {
  const named = new Map(hinted.map((table) => [table, HINTED]));
  const add = (noun: NounMatch, factor: number): void => {
    if (noun.kind !== 'table' || noun.score < 0.6) return;
    named.set(noun.tableId, Math.max(named.get(noun.tableId) ?? 0, noun.score * factor));
  };
  for (const mention of mentions) {
    for (const noun of mention.nouns) add(noun, 1);
    // "ids of the students" is one mention of a column, and names the table too.
    if (mention.nouns[0]?.kind !== 'column' || mention.to - mention.from < 2) continue;
    const words = mention.text.toLowerCase().split(/\s+/);
    for (const part of [words.slice(-1), words.slice(-2), words.slice(0, 1), words.slice(0, 2)])
      for (const noun of part.length < words.length ? knowledge.names.match(part) : [])
        add(noun, noun.score >= 0.85 ? 0.95 : 0);
  }
  return {
    graph: knowledge.graph,
    named,
    displayColumn: knowledge.displayColumn,
    ownDate: (tableId) => ownDate(tableId, knowledge),
  };
}

function toReading(
  bound: Bound,
  frame: Frame,
  mentions: readonly Mention[],
  context: ResolveContext,
  knowledge: GroundedKnowledge,
): Reading[] {
  const options = planOptions(frame);
  const share = frame.share && shareQuery(bound, frame.share.isPercent, options, context);
  const spread = frame.spread && spreadQuery(bound, frame.spread, options, context);
  const one = share ?? spread;
  const isPlain = frame.share === undefined && frame.spread === undefined;
  const variants = isPlain
    ? planVariants(bound, options, context)
    : one == null
      ? []
      : [{ plan: one, weight: 1 }];
  const probability = readingProbability({
    bound,
    frame,
    mentions,
    extraTables: unaskedTables(bound, context),
  });
  const origin = originOf(bound, frame, mentions, context);
  return variants.map(({ plan, weight }) => readPlan(plan, origin, probability * weight, knowledge));
}

function originOf(
  bound: Bound,
  frame: Frame,
  mentions: readonly Mention[],
  context: ResolveContext,
): PlanOrigin {
  return { bound, limit: frame.limit, frame, revisions: [], mentions, context };
}

/** Tables that the reading needs and the question does not name: each makes it less likely. */
function unaskedTables(bound: Bound, context: ResolveContext): number {
  const tree = joinTree(bound.subject, bound.tables, context.graph);
  const unnamed = [...bound.tables].filter((table) => table !== bound.subject && !context.named.has(table));
  return (tree?.extra.length ?? 0) + unnamed.length;
}

/** "how much did Ana spend": each payment points to who made it. A composer of tracks on an invoice, or who serves a customer, paid nothing. */
function ownsWhatIsSpent({ projections: [sum], filters }: Bound, { graph }: ResolveContext): boolean {
  const from = sum?.column?.tableId;
  return filters.every(({ column }) => {
    const way = from === undefined ? null : joinTree(from, [column.tableId], graph);
    const isMany = way?.edges.some(({ multiplies }) => multiplies) === true;
    return way !== null && way.edges.length <= 1 && !isMany;
  });
}

export function assuming(reading: Reading, assumed: readonly Assumption[]): Reading {
  return assumed.length === 0 ? reading : { ...reading, assumptions: [...assumed, ...reading.assumptions] };
}

/** Readings that take what a person wants taken, where there are any. */
function wanted(readings: readonly Reading[], { assume }: GroundedKnowledge): readonly Reading[] {
  if (!asksPlans(assume)) return readings;
  const [best] = readings;
  const kept = readings.filter(({ assumptions }) => isAsAssumed(assumptions, assume));
  return kept.length === 0 || best === undefined
    ? readings
    : kept.map((one, at) => (at === 0 ? { ...one, probability: best.probability } : one));
}

function distinct(readings: readonly Reading[]): Reading[] {
  const seen = new Set<string>();
  return readings
    .filter((reading) => !seen.has(reading.sql) && seen.add(reading.sql))
    .sort((a, b) => b.probability - a.probability);
}

/** Defaults of a plan: another plan of the same words takes them otherwise. */
const OF_PLANS: ReadonlySet<string> = new Set(['tie', 'grain', 'join']);

export type Assumed = Readonly<Record<string, string>>;

/** Whether anything is asked of the plans. */
export function asksPlans(assume: Assumed | undefined): assume is Assumed {
  return assume !== undefined && Object.keys(assume).some((id) => OF_PLANS.has(id));
}

/** Whether a plan takes what a person wants taken. */
export function isAsAssumed(assumptions: readonly Assumption[], assume: Assumed): boolean {
  return Object.entries(assume)
    .filter(([id]) => OF_PLANS.has(id))
    .every(([id, choice]) => assumptions.some((one) => one.id === id && one.taken === choice));
}

/**
 * "median order price by brand" where the model has an average order price: the question is read as if it asked for the average, and
 * the value in the middle is taken in place of it. Undefined where no such reading comes of it.
 */
function readMedian(
  question: string,
  { tokens, mentions, dialogue }: ReadWords,
  times: readonly TimeWindow[],
  knowledge: GroundedKnowledge,
  now: Date,
): MetricOutcome | undefined {
  const said = mentions.filter(({ cue }) => cue?.kind === 'quantile');
  const [only] = said;
  // "the average and the median" are two figures.
  const isMore = said.length > 1 || mentions.some(({ cue }) => cue?.kind === 'aggregate');
  const isMedian = only?.cue?.kind === 'quantile' && only.cue.percent === MEDIAN;
  if (!isMedian || isMore || dialogue !== undefined || knowledge.semantics.metrics.length === 0)
    return undefined;
  const asAverage = tokens.map((token) =>
    token.lower === 'median' ? { ...token, lower: 'average', lemma: 'average' } : token,
  );
  const found = findMentions(question, asAverage, times, knowledge);
  const outcome = readMetrics(
    question,
    { tokens: asAverage, mentions: found, dialogue },
    knowledge,
    now,
    MEDIAN,
  );
  return outcome?.reading === undefined ? undefined : outcome;
}

/** The highest less the lowest, or how many times it: two figures of one column as one. Null where they are of two. */
function spreadQuery(
  bound: Bound,
  kind: 'difference' | 'ratio',
  options: PlanOptions,
  context: ResolveContext,
): Plan | null {
  const [high, low, third] = bound.projections;
  const isOne = high?.column !== undefined && high.column === low?.column && third === undefined;
  const plan = isOne ? buildQuery(bound, options, context) : null;
  if (plan?.query.kind !== 'select') return null;
  const figures = plan.query.select.slice(-2).map(({ expression }) => expression);
  const [left, right] = figures;
  if (left === undefined || right === undefined) return null;
  const operator = kind === 'difference' ? '-' : '/';
  const expression: Expression = { kind: 'arithmetic', operator, left, right };
  const select = [...plan.query.select.slice(0, -2), { expression, alias: kind }];
  return { ...plan, query: { ...plan.query, select } };
}
