/** Roles of joins: of several links between two tables the question names one, or a dimension takes one. */

import type { Dimension, Relationship } from '../../../knowledge/semantic/index.ts';
import { breakWords, isStopWord } from '../../../language/index.ts';
import type { Source } from '../../../sql/scope/index.ts';
import { conditionsOn, literalsIn } from './conditions.ts';
import type { NamedMetric } from './named-metrics.ts';
import type { QueryUses } from './query-uses.ts';
import { overlaps, type Place, type QuestionWords, stemOf, stemsIn, wordsOf } from './question-words.ts';

export function brokenRoles(
  metrics: readonly NamedMetric[],
  uses: QueryUses,
  words: QuestionWords,
): readonly string[] {
  return [
    ...namedRoles(uses, words),
    ...exchangedRoles(uses, words),
    ...dimensionRoles(metrics, { uses, words }),
  ];
}

function rivalsOf(link: Relationship, { semantics }: QueryUses): readonly Relationship[] {
  return semantics.relationships.filter(
    (other) => other !== link && other.from === link.from && other.to === link.to,
  );
}

export function columnOf({ fromColumns: [column = ''] }: Relationship): string {
  return column;
}

/** The question names a role, and the query goes by a rival of it alone. */
function namedRoles(uses: QueryUses, words: QuestionWords): readonly string[] {
  return uses.semantics.relationships.flatMap((link) => {
    const rivals = rivalsOf(link, uses);
    if (rivals.length === 0 || isCalendarLink(link, uses) || uses.mentionsOf(columnOf(link)).length > 0)
      return [];
    const taken = rivals.find((rival) => uses.mentionsOf(columnOf(rival)).length > 0);
    if (taken === undefined || !isSaid(link, uses, words)) return [];
    return [
      `the question speaks of ${link.role ?? link.name}, which is ${columnOf(link)}, and the query goes by ${columnOf(taken)}`,
    ];
  });
}

/** Days have rules of their own. */
function isCalendarLink({ to }: Relationship, { semantics }: QueryUses): boolean {
  return semantics.dimensions.some(({ isTime, table }) => isTime && table === to);
}

function isSaid(link: Relationship, uses: QueryUses, words: QuestionWords): boolean {
  const names = [link.role ?? '', ...link.synonyms];
  const isLong = names.some((name) => name.length >= 5 && words.has(name));
  return (
    isLong ||
    isSaidLoosely(link, uses, words) ||
    governedPlaces(link, words).some((place) => isOfTarget(place, link, { uses, words }))
  );
}

/** A long word that only this of the rivals has: “registered”, whatever stands behind it. */
function isSaidLoosely(link: Relationship, uses: QueryUses, words: QuestionWords): boolean {
  const others = rivalsOf(link, uses).flatMap((rival) => [...roleStems(rival)]);
  const own = [...roleStems(link)].filter((stem) => !others.includes(stem));
  const { metrics, dimensions, valueMappings } = uses.semantics;
  const names = [
    ...metrics.flatMap((one) => [one.name, ...one.synonyms]),
    ...dimensions.flatMap((one) => [one.name, ...one.synonyms]),
    ...valueMappings.flatMap(({ surface }) => surface),
  ];
  const taken = names.flatMap((name) => words.placesOf(name));
  return words
    .placesOfStems(new Set(own))
    .some((place) => !taken.some((other) => overlaps(place, other)) && !words.isNegated(place));
}

/** Shorter words (“sales”, “going”) say too little by themselves. */
const LEAST_LETTERS = 6;

function roleStems({ role = '', synonyms }: Relationship): ReadonlySet<string> {
  const long = wordsOf([role, ...synonyms].join(' ')).filter(({ plain }) => plain.length >= LEAST_LETTERS);
  return stemsIn(long.map(({ raw }) => raw).join(' '));
}

const DIRECTIONS: ReadonlySet<string> = new Set(['from', 'to']);
/** How far behind a small word (“from”, “to”) what it speaks of may stand. */
const FARTHEST = 5;

/** The words behind a word of a role, or behind the small word that its column begins with: `from_site_id`, `to_site_id`. */
function governedPlaces(link: Relationship, words: QuestionWords): readonly Place[] {
  const { role = '', synonyms } = link;
  const column = columnOf(link);
  const [end = ''] = breakWords(column.slice(column.lastIndexOf('.') + 1))
    .toLowerCase()
    .split(/[ _]+/);
  return [role, ...synonyms, ...(DIRECTIONS.has(end) ? [end] : [])].flatMap((name) =>
    words.placesOf(name).map(({ end }) => {
      let last = end;
      while (
        last < end + FARTHEST &&
        last < words.words.length &&
        !isStopWord(words.words[last]?.plain ?? '', 'clause')
      )
        last += 1;
      return { start: end, end: last };
    }),
  );
}

export interface Asked {
  readonly uses: QueryUses;
  readonly words: QuestionWords;
}

/** A value, a word for one, or the name of the table that the link leads to stands there. */
function isOfTarget(place: Place, { to }: Relationship, { uses, words }: Asked): boolean {
  const { dimensions, datasets } = uses.semantics;
  const names = [
    ...datasets.filter(({ table }) => table === to),
    ...dimensions.filter(({ table }) => table === to),
  ].flatMap(({ name, synonyms }) => [name, ...synonyms]);
  if (names.some((name) => words.placesOf(name).some((other) => overlaps(place, other)))) return true;
  return uses
    .reads(to)
    .some((source) => saidLiterals(source, { uses, words }).some((other) => overlaps(place, other)));
}

/** Where values that a use is compared with stand in the question, themselves or by a word for them. */
export function saidLiterals(source: Source, { uses, words }: Asked): readonly Place[] {
  const columns = new Set(uses.mentions.flatMap((one) => (one.source === source ? [one.id] : [])));
  return [...columns].flatMap((id) =>
    conditionsOn(id, uses, source).flatMap(({ node }) =>
      literalsIn(node).flatMap((value) => {
        const surfaces = uses.semantics.valueMappings
          .filter(
            (one) => `${one.value}` === `${value}` && one.column.endsWith(id.slice(id.lastIndexOf('.'))),
          )
          .flatMap(({ surface }) => surface);
        const texts = typeof value === 'string' && value.length > 2 ? [value, ...surfaces] : surfaces;
        return texts.flatMap((text) => words.placesOf(text.replace(/^%|%$/g, '')));
      }),
    ),
  );
}

/** “from A to B”, where the table of A is joined as the end and that of B as the start. */
function exchangedRoles(uses: QueryUses, words: QuestionWords): readonly string[] {
  const turned = uses.sources.flatMap((source) => exchangedAt(source, { uses, words }));
  // “and vice versa”: one branch has them exchanged, and another has not.
  const isOtherBranch = turned.length > 0 && words.isBothWays && hasUnturned(uses, words);
  return isOtherBranch ? [] : turned;
}

function hasUnturned(uses: QueryUses, words: QuestionWords): boolean {
  return uses.sources.some((source) => {
    const said = saidLiterals(source, { uses, words });
    return uses
      .linksInto(source)
      .some(
        ({ relationship }) =>
          rivalsOf(relationship, uses).length > 0 && isGoverning(relationship, said, words),
      );
  });
}

function isGoverning(link: Relationship, said: readonly Place[], words: QuestionWords): boolean {
  return governedPlaces(link, words).some((place) => said.some((other) => overlaps(place, other)));
}

function exchangedAt(source: Source, { uses, words }: Asked): readonly string[] {
  const links = uses.linksInto(source).map(({ relationship }) => relationship);
  return links.flatMap((taken) => {
    // By both at once it is either end.
    const rivals = rivalsOf(taken, uses).filter((rival) => !links.includes(rival));
    if (rivals.length === 0 || isCalendarLink(taken, uses)) return [];
    const said = saidLiterals(source, { uses, words });
    const meant = rivals.find((rival) => isGoverning(rival, said, words));
    if (meant === undefined || isGoverning(taken, said, words)) return [];
    return [
      `the question speaks of ${meant.role ?? meant.name}, which is ${columnOf(meant)}, and the query goes by ${columnOf(taken)}`,
    ];
  });
}

/** A dimension is reached from each table by the link that its definition names, however many links lie before it. */
function dimensionRoles(metrics: readonly NamedMetric[], { uses, words }: Asked): readonly string[] {
  const tables = new Set(metrics.map(({ metric: { table } }) => table));
  const broken = uses.semantics.dimensions.flatMap((dimension) => {
    if (dimension.isTime || dimension.via === undefined) return [];
    const sources = new Set(uses.mentionsOf(dimension.column).map(({ source }) => source));
    return [...sources].flatMap((source) => wrongWay(dimension, source, { uses, words, tables }) ?? []);
  });
  return broken;
}

interface AskedOf extends Asked {
  /** Whose figures the question names. */
  readonly tables: ReadonlySet<string | undefined>;
}

function wrongWay(
  { name, via = {} }: Dimension,
  source: Source,
  { uses, words, tables }: AskedOf,
): string | undefined {
  const chain = waysInto(source, uses);
  const reached = Object.entries(via).flatMap(([table, linkName]) => {
    const link = uses.semantics.relationships.find((one) => one.name === linkName);
    const isThere = uses.reads(table).some((fact) => chain.sources.has(fact));
    return link === undefined || !isThere ? [] : [{ table, link }];
  });
  const counted = reached.filter(({ table }) => tables.has(table));
  const facts = counted.length > 0 ? counted : reached;
  const [first] = facts;
  if (first === undefined || facts.some(({ link }) => chain.steps.some((step) => step.relationship === link)))
    return undefined;
  const { link } = first;
  const taken = chain.steps.find(({ relationship }) => relationship.to === link.to);
  if (taken === undefined) return undefined;
  const other = taken.relationship;
  // Where both links are taken each end has its own, and which is which is looked at apart.
  if (uses.reads(link.to).some((one) => one !== source && goesBy(link, one, chain.sources, uses)))
    return undefined;
  if (isAskedFor(other, link, { uses, words })) return undefined;
  return `${name} is reached by ${columnOf(link)} here, and the query goes by ${columnOf(other)}`;
}

/** The question names the role that was taken, or the table that it starts from. */
function isAskedFor(taken: Relationship, due: Relationship, { uses, words }: Asked): boolean {
  if (isSaid(taken, uses, words)) return true;
  if (taken.from === due.from) return false;
  const { datasets, dimensions } = uses.semantics;
  const names = [...datasets, ...dimensions]
    .filter(({ table }) => table === taken.from)
    .flatMap(({ name, synonyms }) => [name, ...synonyms]);
  const isNamed = names.some((name) => words.has(name));
  return isNamed || words.placesOfStems(new Set(names.map((one) => stemOf(one)))).length > 0;
}

/** A second use of the table is joined to the same rows by the link that is due. */
function goesBy(link: Relationship, source: Source, from: ReadonlySet<Source>, uses: QueryUses): boolean {
  return uses
    .linksInto(source)
    .some(({ relationship, one }) => relationship === link && from.has(one.source));
}

interface Ways {
  /** Every use that leads to the dimension. */
  readonly sources: ReadonlySet<Source>;
  readonly steps: ReturnType<QueryUses['linksInto']>;
}

function waysInto(source: Source, uses: QueryUses): Ways {
  const sources = new Set([source]);
  const steps: ReturnType<QueryUses['linksInto']>[number][] = [];
  // A set is walked as it grows.
  for (const at of sources)
    for (const step of uses.linksInto(at)) {
      steps.push(step);
      sources.add(step.one.source);
    }
  return { sources, steps };
}
