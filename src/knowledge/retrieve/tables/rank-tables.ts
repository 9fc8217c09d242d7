/** From the signs of each family of tables to one order: a weighted sum of shares, the likeliest first. */

import type { TableSettings } from '../settings/retrieval-settings.ts';
import { databaseOf } from './choose-members.ts';
import type { TableFamily } from './table-families.ts';

/** What speaks for a family; absent signs count as zero. */
export interface TableSigns {
  readonly family: TableFamily;
  /** BM25 of its best member. */
  readonly words: number;
  /** Share of its name that the question has. */
  readonly names: number;
  /** Cosine of its best member. */
  readonly cosine: number;
  /** The question names it as a table. */
  readonly isNamed: boolean;
  readonly isCertified: boolean;
  readonly isDeprecated: boolean;
  readonly popularity: number;
}

export interface RankedFamily {
  readonly signs: TableSigns;
  /** In [0, 1]. */
  readonly score: number;
}

export interface TableRanking {
  /** Best first. */
  readonly families: readonly RankedFamily[];
  /** How well a database or schema fits: the mean of its three best tables. */
  strengthOf(neighbourhood: string): number;
}

/** Tables of one question are mostly neighbours; this many of them speak for the rest. */
const NEIGHBOURS = 3;

/**
 * Words and cosines count as shares of the best one, so that their scales do not matter; cosines from the least one
 * seen, because encoders place all texts within a narrow cone. Ties: popularity, then the pattern of the name.
 */
export function rankTables(signs: readonly TableSigns[], settings: TableSettings): TableRanking {
  const mostWords = most(signs.map(({ words }) => words));
  const mostPopular = most(signs.map(({ popularity }) => popularity));
  const cosines = signs.map(({ cosine }) => cosine).filter((cosine) => cosine > 0);
  const highest = most(cosines);
  const lowest = cosines.length > 1 ? cosines.reduce((least, each) => Math.min(least, each), 1) : 0;
  const own = signs.map((each) => {
    const nearness = each.cosine > 0 ? share(each.cosine - lowest, highest - lowest) : 0;
    return (
      settings.words * share(each.words, mostWords) +
      settings.names * each.names +
      settings.vectors * nearness
    );
  });
  const strength = strengths(signs, own);
  const limit =
    settings.words +
    settings.names +
    settings.vectors +
    settings.certified +
    settings.popular +
    settings.neighbours;
  const families = signs.map((each, at) => {
    const around = most(neighbourhoods(each.family).map((name) => strength.get(name) ?? 0));
    const score =
      (own[at] ?? 0) +
      settings.neighbours * around +
      (each.isCertified ? settings.certified : 0) +
      settings.popular * share(each.popularity, mostPopular);
    const standing = each.isDeprecated ? settings.deprecated : 1;
    return { signs: each, score: each.isNamed ? 1 : Math.min(1, (score / limit) * standing) };
  });
  return { families: families.sort(byScore), strengthOf: (name) => strength.get(name) ?? 0 };
}

function byScore(a: RankedFamily, b: RankedFamily): number {
  return (
    b.score - a.score ||
    b.signs.popularity - a.signs.popularity ||
    (a.signs.family.pattern < b.signs.family.pattern ? -1 : 1)
  );
}

function strengths(signs: readonly TableSigns[], own: readonly number[]): ReadonlyMap<string, number> {
  const scores = new Map<string, number[]>();
  for (const [at, { family }] of signs.entries()) {
    for (const name of neighbourhoods(family)) {
      const known = scores.get(name);
      if (known === undefined) scores.set(name, [own[at] ?? 0]);
      else known.push(own[at] ?? 0);
    }
  }
  return new Map(
    [...scores].map(([name, list]) => {
      const best = list.sort((a, b) => b - a).slice(0, NEIGHBOURS);
      return [name, best.reduce((total, each) => total + each, 0) / NEIGHBOURS];
    }),
  );
}

function neighbourhoods({ members }: TableFamily): readonly string[] {
  return [...new Set(members.map(databaseOf))];
}

function share(value: number, most: number): number {
  return most > 0 ? Math.max(0, value) / most : 0;
}

/** Without spreading: a warehouse has more tables than a call may have arguments. */
function most(values: readonly number[]): number {
  return values.reduce((highest, each) => Math.max(highest, each), 0);
}
