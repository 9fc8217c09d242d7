/** Links of a table to itself: which of its two uses is the manager, and which is managed. */

import type { Relationship } from '../../../knowledge/semantic/index.ts';
import { isStopWord, stemOf } from '../../../language/index.ts';
import type { Source } from '../../../sql/scope/index.ts';
import { ancestor, type SqlNode } from '../../../sql/tree/index.ts';
import { type Asked, columnOf, saidLiterals } from './join-roles.ts';
import type { QueryUses } from './query-uses.ts';
import type { Place, QuestionWords } from './question-words.ts';

/** The use that refers, or the one that is referred to. */
type Side = 'referring' | 'referred';

/** Words of a question that are about one side of a link. */
interface Zone {
  readonly place: Place;
  readonly side: Side;
}

export function turnedReferences(uses: QueryUses, words: QuestionWords): readonly string[] {
  return uses.semantics.relationships.flatMap((link) => {
    const sides = link.from === link.to ? sidesOf(link, uses) : [];
    if (sides.length === 0) return [];
    const zones = zonesOf(link, words);
    const said = sides.map((one) => ({ ...one, places: saidLiterals(one.source, { uses, words }) }));
    const isTurned = zones.some(({ place, side }) => {
      const here = said.filter(({ places }) => places.some((one) => isInside(one, place)));
      return here.length > 0 && here.every((one) => one.side === other(side));
    });
    return isTurned || isNamedWrongly(link, sides) || isGroupedWrongly(link, sides, { uses, words })
      ? [
          `${columnOf(link)} refers to the ${link.role ?? link.name}, and the query takes the one that refers for the one that is referred to`,
        ]
      : [];
  });
}

/** A use that the query itself calls “boss” or “referrer” is the one that is referred to. */
function isNamedWrongly(link: Relationship, sides: readonly Sided[]): boolean {
  const nouns = new Set(nounsOf(link).map((noun) => stemOf(noun)));
  return sides.some(
    ({ source, side }) =>
      side === 'referring' && source.alias !== undefined && nouns.has(stemOf(source.key ?? '')),
  );
}

/** “how many drivers each manager has”: the managers are those that are referred to, and a line is of one of them. */
function isGroupedWrongly(link: Relationship, sides: readonly Sided[], { uses, words }: Asked): boolean {
  const isEach = nounsOf(link).some((noun) =>
    words.placesOf(noun).some(({ start }) => EACH.has(words.words[start - 1]?.plain ?? '')),
  );
  if (!isEach) return false;
  const grouped = sides.filter(({ source }) =>
    uses.mentions.some(
      (one) => one.source === source && isGroupKey(one.node) && one.id !== uses.columnId(columnOf(link)),
    ),
  );
  return grouped.length > 0 && grouped.every(({ side }) => side === 'referring');
}

const EACH: ReadonlySet<string> = new Set(['each', 'every', 'per', 'by']);

/** Of the link: what one who is referred to is called. */
function nounsOf({ role = '', synonyms }: Relationship): readonly string[] {
  return [role, ...synonyms].filter((name) => /^\p{L}+$/u.test(name)).map((name) => name.toLowerCase());
}

function isGroupKey(node: SqlNode): boolean {
  const part = ancestor(node, ({ parent }) => parent?.type === 'Select' || parent === undefined) ?? node;
  return (node.parent?.type === 'Select' ? node : part).role === 'group';
}

function other(side: Side): Side {
  return side === 'referring' ? 'referred' : 'referring';
}

interface Sided {
  readonly source: Source;
  /** Undefined in the middle of a chain, which is both. */
  readonly side: Side | undefined;
}

function sidesOf(link: Relationship, uses: QueryUses): readonly Sided[] {
  const referring = new Set<Source>();
  const referred = new Set<Source>();
  for (const source of uses.reads(link.to))
    for (const { one, relationship } of uses.linksInto(source))
      if (relationship === link) {
        referring.add(one.source);
        referred.add(source);
      }
  return [...new Set([...referring, ...referred])].map((source) => ({
    source,
    side:
      referring.has(source) && referred.has(source)
        ? undefined
        : referring.has(source)
          ? 'referring'
          : 'referred',
  }));
}

function isInside(one: Place, { start, end }: Place): boolean {
  return start <= one.start && one.end <= end;
}

function zonesOf({ role = '', synonyms }: Relationship, words: QuestionWords): readonly Zone[] {
  const uses = [role, ...synonyms].flatMap((phrase) => wordUses(phrase, words));
  return uses.flatMap(({ at, behind, after }) => [
    ...(after === undefined ? [] : [{ place: zoneAfter(behind, words), side: after }]),
    ...(after === undefined ? [] : [{ place: zoneBefore(at, words), side: other(after) }]),
  ]);
}

interface WordUse {
  readonly at: number;
  readonly behind: number;
  /** What stands behind it is about. */
  readonly after: Side | undefined;
}

/** “recommended by”, “reports to” and “manager” are read as what they are: a verb with its particle, or a noun. */
function wordUses(phrase: string, words: QuestionWords): readonly WordUse[] {
  const [, verb = '', particle = ''] = /^(\S+)(?:\s.*)?\s(by|to)$/i.exec(phrase) ?? [];
  if (verb === '')
    return [...words.placesOf(phrase).map((place) => nounUse(place, words)), ...verbsOf(phrase, words)];
  const stem = stemOf(verb.toLowerCase());
  return words.words.flatMap(({ raw }, at) =>
    stemOf(raw.toLowerCase()) === stem ? [verbUse(at, particle.toLowerCase(), words)] : [],
  );
}

/** “who manage drivers”, “managed by”: what a manager does. */
function verbsOf(noun: string, words: QuestionWords): readonly WordUse[] {
  const stem = stemOf(noun.toLowerCase());
  return words.words.flatMap(({ raw }, at) =>
    /[eo]r$/i.test(noun) && VERB.test(raw) && stemOf(raw.toLowerCase()) === stem
      ? [verbUse(at, 'by', words)]
      : [],
  );
}

const VERB = /(?:ed|ing|[^rs]|[^r]s)$/i;

/** “managers of drivers”, “a driver's manager”: the driver refers; “whose manager is a driver”: he is referred to. */
function nounUse({ start, end }: Place, { words }: QuestionWords): WordUse {
  const [before, next] = [words[start - 1]?.plain ?? '', words[end]?.plain ?? ''];
  const isOwned = OWNING.has(before);
  const after = OF.has(next) ? 'referring' : isOwned ? 'referred' : undefined;
  return { at: start, behind: end, after };
}

const OF: ReadonlySet<string> = new Set(['of', 'for']);
const OWNING: ReadonlySet<string> = new Set(
  'whose s their his her own under by with having has have no a the as'.split(' '),
);

/** “recommended by X” is passive, “who recommended X” is not; the “reports of X” report to X. */
function verbUse(at: number, particle: string, { words }: QuestionWords): WordUse {
  const next = words.slice(at + 1, at + 1 + FARTHEST_PARTICLE).map(({ plain }) => plain);
  // “through the recommendation of X”
  if (NOUN.test(words[at]?.raw ?? ''))
    return { at, behind: at + 2, after: MADE_BY.has(next[0] ?? '') ? 'referred' : undefined };
  const found = next.indexOf(particle);
  if (found >= 0) return { at, behind: at + found + 2, after: 'referred' };
  if (particle === 'to') return { at, behind: at + 1, after: next[0] === 'of' ? 'referred' : undefined };
  const before = words.slice(Math.max(0, at - 2), at).map(({ plain }) => plain);
  return { at, behind: at + 1, after: before.some((one) => BEING.has(one)) ? 'referred' : 'referring' };
}

const NOUN = /(?:ions?|als?|ments?)$/i;
const MADE_BY: ReadonlySet<string> = new Set(['of', 'by', 'from']);
const FARTHEST_PARTICLE = 3;
const BEING: ReadonlySet<string> = new Set('is are was wa were be been being got get'.split(' '));
/** How far the words of a side may stand. */
const FARTHEST = 6;

function zoneAfter(start: number, { words }: QuestionWords): Place {
  let end = start;
  while (end < start + FARTHEST && words[end]?.clause === words[start]?.clause && !isStop(words[end]?.plain))
    end += 1;
  return { start, end };
}

function zoneBefore(end: number, { words }: QuestionWords): Place {
  let start = end;
  while (start > 0 && start > end - FARTHEST && words[start - 1]?.clause === words[end]?.clause) start -= 1;
  return { start, end };
}

function isStop(word = ''): boolean {
  return word !== 'of' && word !== 'for' && isStopWord(word, 'clause');
}
