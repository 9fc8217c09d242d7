import type { Metric, SemanticModel } from '../../../../knowledge/semantic/index.ts';
import { stemOf } from '../../../../language/index.ts';
import type { Token } from '../../question/read/tokenise.ts';

/** What whole phrases of a question tell about links and metrics, beyond its single mentions. */
export function findHints(tokens: readonly Token[], semantics: SemanticModel): MetricHints {
  const stems = tokens.map((token) => (token.kind === 'word' ? stemOf(token.lower) : token.lower));
  return { roles: findRoles(stems, semantics), scattered: findScattered(tokens, stems, semantics) };
}

function findRoles(stems: readonly string[], semantics: SemanticModel): RoleMatch[] {
  return semantics.relationships.flatMap((relationship) =>
    [relationship.role ?? '', ...relationship.synonyms].flatMap((phrase) => {
      const words = stemsOf(phrase);
      const from =
        words.length === 0
          ? -1
          : stems.findIndex((_stem, at) => words.every((word, offset) => stems[at + offset] === word));
      return from < 0 ? [] : [{ relationship: relationship.name, from, to: from + words.length }];
    }),
  );
}

/** "electric cars that were delivered" names the metric known as "delivered cars"; the longest such name wins. */
function findScattered(
  tokens: readonly Token[],
  stems: readonly string[],
  semantics: SemanticModel,
): MetricHints['scattered'] {
  let best: { metric: Metric; tokens: Set<number>; words: number } | undefined;
  for (const metric of semantics.metrics) {
    for (const name of [metric.name, ...metric.synonyms]) {
      const words = stemsOf(name);
      const places = findApart(stems, words);
      if (places === undefined || isParted(tokens, places)) continue;
      if (places.some((place) => isState(tokens, place, name))) continue;
      if (words.length >= 2 && words.length > (best?.words ?? 0))
        best = { metric, tokens: new Set(places), words: words.length };
    }
  }
  return best;
}

const BE = /^(?:is|are|was|were|be|been|being|still|currently|not|now)$/;

/** "claims that are open" are not those that were opened. */
function isState(tokens: readonly Token[], place: number, name: string): boolean {
  const word = tokens[place]?.lower ?? '';
  const isParticiple = name.toLowerCase().split(/\s+/).includes(`${word}ed`);
  return isParticiple && BE.test(tokens[place - 1]?.lower ?? '');
}

/** "shipments, percent late (of those delivered)": words of two members of a list are no name. */
function isParted(tokens: readonly Token[], places: readonly number[]): boolean {
  return tokens
    .slice(Math.min(...places), Math.max(...places))
    .some(({ kind, text }) => kind === 'comma' || kind === 'stop' || text === '(');
}

function stemsOf(phrase: string): string[] {
  return phrase
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map(stemOf);
}

/** What whole phrases of a question tell beyond its single mentions. */
export interface MetricHints {
  readonly roles: readonly RoleMatch[];
  /** A metric whose words stand apart in the question ("cars that were delivered"), and the tokens that name it. */
  readonly scattered?: { readonly metric: Metric; readonly tokens: ReadonlySet<number> };
}

/** Tokens of words that choose between links ("sells in", "registered in"), with the relationship they choose. */
interface RoleMatch {
  readonly relationship: string;
  readonly from: number;
  readonly to: number;
}

/** Words of a name may stand this many words apart. */
const SPREAD = 7;

/** Where the words of a name stand, in any order and with others between; undefined where one is missing or they are far apart. */
export function findApart(
  stems: readonly string[],
  name: readonly string[],
  spread = SPREAD,
): readonly number[] | undefined {
  const places = name.map((word) => stems.indexOf(word));
  const isNear = places.every((place) => place >= 0) && Math.max(...places) - Math.min(...places) <= spread;
  return isNear ? places : undefined;
}
