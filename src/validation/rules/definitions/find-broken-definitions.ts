/** What people have defined and a query does not keep to, read off its tree: each with the definition it breaks. */

import type { SchemaFacts } from '../../../faults/index.ts';
import type { ReadQuery } from '../../../faults/reading/index.ts';
import type { Dataset, SemanticModel } from '../../../knowledge/semantic/index.ts';
import { nearestWord } from '../../../reasoning/grounded/question/index.ts';
import { isAggregateCall, type Source } from '../../../sql/scope/index.ts';
import { child, walk } from '../../../sql/tree/index.ts';
import type { Problem } from '../problem.ts';
import { brokenStates } from './asked-states.ts';
import { conditionsOn, isShown, keeps, type Rule, readRule } from './conditions.ts';
import { brokenRoles } from './join-roles.ts';
import { brokenMetricConditions } from './metric-conditions.ts';
import { brokenFormulas } from './metric-formulas.ts';
import { brokenSpans, brokenTimes } from './metric-times.ts';
import { type NamedMetric, namedMetrics, partsOf } from './named-metrics.ts';
import { QueryUses } from './query-uses.ts';
import { QuestionWords, stemsIn, wordsOf } from './question-words.ts';
import { isKeptElsewhere, isTakingOut } from './same-rows.ts';
import { turnedReferences } from './self-references.ts';
import { brokenValues, otherValues } from './stored-values.ts';

export interface Definitions {
  readonly semantics: SemanticModel;
  /** What the query is to answer; absent: only what holds for every question is looked at. */
  readonly question?: string | undefined;
}

/**
 * A default condition that is not applied to a use of its table; a metric that the question names without its conditions, by another time
 * or another formula; a word that stands for a stored value, not compared with it; a join by another role than the question or a
 * dimension takes. A question may switch any of them off by naming what it wants instead.
 */
export function findBrokenDefinitions(
  query: ReadQuery,
  schema: SchemaFacts,
  { semantics, question = '' }: Definitions,
): readonly Problem[] {
  const uses = new QueryUses(query, schema, semantics);
  const words = new QuestionWords(inPlainWords(question, semantics));
  const readings = question === '' ? [] : namedMetrics(words, semantics);
  const aliased = question === '' ? [] : aliasedMetrics(uses, readings);
  const found = [
    ...brokenDefaults(uses, words),
    ...(question === '' ? [] : brokenInEvery(readings, uses, words)),
    ...brokenMetricConditions(aliased, uses, words),
    ...(aliased.length === 0 ? [] : brokenTimes(aliased, uses, words)),
    ...brokenFormulas(aliased, uses, words),
  ];
  return [...new Set(found)].map((text) => ({ kind: 'definition', severity: 'warning', text, instead: [] }));
}

/** Where a question may mean one metric or another, the query has to break what both are defined with. */
function brokenInEvery(
  readings: readonly (readonly NamedMetric[])[],
  uses: QueryUses,
  words: QuestionWords,
): readonly string[] {
  const broken = readings.map((metrics) => [
    ...brokenMetricConditions(metrics, uses, words),
    ...brokenTimes(metrics, uses, words),
    ...brokenSpans(uses, words),
    ...brokenFormulas(metrics, uses, words),
    ...brokenValues(metrics, uses, words),
    ...otherValues(uses, words),
    ...brokenRoles(metrics, uses, words),
    ...turnedReferences(uses, words),
    ...brokenStates(uses, words),
  ]);
  return broken.reduce((least, one) => (one.length < least.length ? one : least));
}

/** Words of the trade mean what they stand for, and a word one letter away from a name is that name. */
function inPlainWords(question: string, semantics: SemanticModel): string {
  const meanings = new Map(semantics.jargon.map(({ term, meaning }) => [term.toLowerCase(), meaning]));
  const known = namesIn(semantics);
  // Texts longer than a question are taken as they are spelt.
  const isShort = question.length <= LONGEST_SPELT;
  return question.replace(/[\p{L}\p{N}]+/gu, (word) => {
    const meaning = meanings.get(word.toLowerCase());
    // A capital begins a name, which nobody here knows.
    const near =
      isShort && meaning === undefined && /^\p{Ll}+$/u.test(word) ? nearestWord(word, known) : undefined;
    // “employed” is no “employee”.
    return meaning ?? (near?.at(-1) === word.at(-1) ? near : undefined) ?? word;
  });
}

const LONGEST_SPELT = 2_000;

const knownNames = new WeakMap<SemanticModel, ReadonlySet<string>>();

function namesIn(semantics: SemanticModel): ReadonlySet<string> {
  const names = knownNames.get(semantics) ?? findNames(semantics);
  knownNames.set(semantics, names);
  return names;
}

function findNames(semantics: SemanticModel): ReadonlySet<string> {
  const { metrics, dimensions, datasets, valueMappings, relationships, fields = [] } = semantics;
  const names = [
    ...relationships.flatMap(({ role = '', synonyms }) => [role, ...synonyms]),
    ...[...metrics, ...dimensions, ...datasets, ...fields].flatMap(({ name, synonyms }) => [
      name,
      ...synonyms,
    ]),
    ...valueMappings.flatMap(({ surface }) => surface),
  ];
  const words = names
    .flatMap((name) => wordsOf(name))
    .flatMap(({ raw, plain }) => [raw.toLowerCase(), plain]);
  return new Set(words.flatMap((word) => [word, `${word}s`]));
}

// Metrics that a query itself says it computes, by the name of an output: `AS net_new_leads`.

/** Outputs of CTEs and derived tables count as well; a metric of the question goes before, unless it is the plain name of its rows. */
function aliasedMetrics(
  uses: QueryUses,
  readings: readonly (readonly NamedMetric[])[],
): readonly NamedMetric[] {
  const { metrics, datasets } = uses.semantics;
  const rows = new Set(
    datasets.flatMap((one) => [one.name, one.table, ...one.synonyms]).map((name) => plainName(name)),
  );
  const taken = new Set(
    readings.flatMap((named) =>
      named.flatMap(({ metric }) => (rows.has(plainName(metric.name)) ? [] : [metric.table])),
    ),
  );
  const said = new Set(outputNames(uses).filter((name) => !rows.has(name)));
  const meant = metrics.filter(({ name, synonyms }) =>
    [name, ...synonyms].some((one) => said.has(plainName(one))),
  );
  const parts = new Set(meant.flatMap((metric) => partsOf(metric, metrics)));
  return [...parts].flatMap((metric) =>
    taken.has(metric.table) ? [] : [{ metric, places: [], isAliased: true }],
  );
}

/** What figures are called. */
function outputNames(uses: QueryUses): readonly string[] {
  return uses.nodes.flatMap((node) => {
    const alias = node.type === 'Alias' ? child(node, 'alias')?.value : undefined;
    return alias !== undefined && [...walk(node)].some(isAggregateCall) ? [plainName(alias)] : [];
  });
}

function plainName(name: string): string {
  return wordsOf(name.replace(/_/g, ' '))
    .map(({ plain }) => plain)
    .join(' ');
}

/** Default conditions: of every use of the table, unless the question names what they leave out. */
function brokenDefaults(uses: QueryUses, words: QuestionWords): readonly string[] {
  return uses.semantics.datasets.flatMap((dataset) => {
    const { table, defaultFilter } = dataset;
    if (defaultFilter === undefined) return [];
    const rule = readRule(defaultFilter.sql, uses.schema.catalog.dialect);
    if (rule.columns.length === 0 || isSwitchedOff(dataset, rule, { uses, words })) return [];
    const isNamed = namesOf(dataset, uses).some((one) => words.has(one));
    const broken = uses
      .reads(table)
      .filter((source) => !isKept(source, rule, uses) && !isTakingOut(source, rule, uses))
      .filter(
        (source) => !isKeptElsewhere(source, rule, uses) && (isNamed || !isPassedThrough(source, uses)),
      );
    if (broken.length === 0) return [];
    const isTurned = broken.every((source) => conditionsOn(rule.columns[0] ?? '', uses, source).length > 0);
    const how = isTurned ? 'is not kept to' : 'is not applied';
    return [`the default condition of ${table} ${how}: ${defaultFilter.sql} (${defaultFilter.text})`];
  });
}

function namesOf({ name, table, synonyms }: Dataset, { semantics }: QueryUses): readonly string[] {
  const metrics = semantics.metrics.filter((metric) => metric.table === table);
  return [name, ...synonyms, ...metrics.flatMap((one) => [one.name, ...one.synonyms])];
}

/** Rows of another table find their one row here, and through it what they are grouped by: what they count stays theirs. */
function isPassedThrough(source: Source, uses: QueryUses): boolean {
  const into = uses.linksInto(source);
  if (into.length === 0) return false;
  const keys = new Set(
    uses.links.flatMap(({ one, other }) =>
      [one, other].flatMap((home) => (home.source === source ? [home.id] : [])),
    ),
  );
  return uses.mentions.every((one) => one.source !== source || keys.has(one.id));
}

/** By a condition on the rows, or in every aggregate over them; or the column is shown. */
function isKept(source: Source, rule: Rule, uses: QueryUses): boolean {
  const said = rule.columns.flatMap((column) => conditionsOn(column, uses, source));
  if (rule.columns.some((column) => isShown(column, uses, source))) return true;
  const keeping = said.filter((one) => keeps(one, rule, uses));
  if (keeping.some(({ within }) => within === undefined)) return true;
  const aggregates = uses.aggregatesOver(source);
  return (
    aggregates.length > 0 &&
    aggregates.every((node) =>
      keeping.some(({ within }) => within === node || (within !== undefined && within === node.parent)),
    )
  );
}

/** “including deleted ones”: what the condition leaves out is named, and not to be left out. */
function isSwitchedOff(
  { name, table, synonyms, defaultFilter }: Dataset,
  { columns }: Rule,
  { uses, words }: { readonly uses: QueryUses; readonly words: QuestionWords },
): boolean {
  const common = stemsIn([name, table, ...synonyms, ...dimensionNames(uses)].join(' '));
  const names = columns.map((column) => column.slice(column.lastIndexOf('.') + 1));
  const stems = [...stemsIn(`${defaultFilter?.text ?? ''} ${names.join(' ')}`)].filter(
    (stem) => !common.has(stem),
  );
  return words.placesOfStems(new Set(stems)).some((place) => !words.isNegated(place));
}

function dimensionNames({ semantics }: QueryUses): readonly string[] {
  return semantics.dimensions.flatMap(({ name, synonyms }) => [name, ...synonyms]);
}
