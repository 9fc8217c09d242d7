/** Default conditions: of every use of the table, unless the question names what they leave out. */
import type { Dataset } from '../../../knowledge/index.ts';
import type { Source } from '../../../sql/index.ts';
import { conditionsOn, isShown, keeps, type Rule, readRule } from './conditions.ts';
import type { QueryUses } from './query-uses.ts';
import { type QuestionWords, stemsIn } from './question-words.ts';
import { isKeptElsewhere, isTakingOut } from './same-rows.ts';

export function brokenDefaults(uses: QueryUses, words: QuestionWords): readonly string[] {
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
