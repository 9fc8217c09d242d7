import type { SemanticModel } from '../../knowledge/semantic/index.ts';
import { quoted, wordPattern } from './word-pattern.ts';

/** Finds the columns that hold a text as a value. */
export type ValueColumns = (text: string) => readonly string[];

const BEFORE_VALUE = /(?:^|\s)(?:for|of|in|from|at|with|is|are|was|were|not|than)\s+(?:the\s+)?$/i;
/** Words of a longer stored name that may stand on either side. */
const REACH = 2;

/**
 * Whether words stand for a stored value rather than for what they say: inside a longer value ("sales consultant"), beside the
 * name of the dimension that holds it ("segment volume"), or behind a preposition where the figure is named elsewhere.
 */
export function standsForValue(
  text: string,
  term: RegExpExecArray,
  semantics: SemanticModel,
  columnsOf: ValueColumns,
): boolean {
  if (isPartOfValue(text, term, semantics, columnsOf)) return true;
  const [before, after] = [text.slice(0, term.index), text.slice(term.index + term[0].length)];
  const columns = columnsOf(term[0]);
  const holders = semantics.dimensions.filter((dimension) => columns.includes(dimension.column));
  if (holders.length === 0) return false;
  const names = holders.flatMap((dimension) => [dimension.name, ...dimension.synonyms]);
  const isBeside = names.some(
    (name) =>
      new RegExp(`(?<![\\p{L}\\p{N}])${quoted(name)}s?(?:\\s+(?:is|are|was|of|=))?\\s+$`, 'iu').test(
        before,
      ) || new RegExp(`^\\s+${quoted(name)}s?(?![\\p{L}\\p{N}])`, 'iu').test(after),
  );
  return isBeside || (BEFORE_VALUE.test(before) && namesFigure(before, after, semantics));
}

/** Whether the words stand inside a longer stored value, or inside words that are mapped to one. */
export function isPartOfValue(
  text: string,
  term: RegExpExecArray,
  semantics: SemanticModel,
  columnsOf: ValueColumns,
): boolean {
  const [before, after] = [text.slice(0, term.index), text.slice(term.index + term[0].length)];
  return isInside(text, term, semantics) || isPartOfName(before, term[0], after, columnsOf);
}

/** "sales consultant", where the semantic model maps these words to a value. */
function isInside(text: string, term: RegExpExecArray, { valueMappings }: SemanticModel): boolean {
  const end = term.index + term[0].length;
  return valueMappings
    .flatMap(({ surface }) => surface)
    .filter((surface) => surface.length > term[0].length)
    .some((surface) => {
      const found = wordPattern(surface, text).exec(text);
      return found !== null && found.index <= term.index && found.index + found[0].length >= end;
    });
}

function isPartOfName(before: string, term: string, after: string, columnsOf: ValueColumns): boolean {
  const [left, right] = [before.match(/\S+/g) ?? [], after.match(/[^\s?.!,;]+/g) ?? []];
  for (let back = 0; back <= Math.min(REACH, left.length); back++)
    for (let on = 0; on <= Math.min(REACH, right.length); on++) {
      if (back + on === 0) continue;
      const words = [...left.slice(left.length - back), term, ...right.slice(0, on)];
      if (columnsOf(words.join(' ')).length > 0) return true;
    }
  return false;
}

/** Another figure is named in full, so the words need not be one. */
function namesFigure(before: string, after: string, semantics: SemanticModel): boolean {
  return semantics.metrics
    .flatMap(({ name, synonyms }) => [name, ...synonyms])
    .some((name) => [before, after].some((side) => wordPattern(name, side).test(side)));
}
