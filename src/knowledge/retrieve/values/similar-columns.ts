/** Columns whose names are words of the question but for case, spaces and a plural (thoth.md, section 7). */
import type { Found, FoundColumn } from '../settings/retrieved.ts';
import { editRatio } from './edit-ratio.ts';

const MIN_RATIO = 0.9;

/** Columns with names at least 0.9 like a keyword or a part of one, best first, then in the order given. */
export function similarColumns(
  keywords: readonly string[],
  columns: Iterable<{ readonly id: string; readonly name: string }>,
): readonly Found<FoundColumn>[] {
  const candidates = new Map(
    keywords.flatMap(candidatesOf).flatMap((text) => {
      const name = normalise(text);
      return name === '' ? [] : [[name, text] as const];
    }),
  );
  const bestOf = new Map<string, { readonly ratio: number; readonly text: string } | undefined>();
  const found: Found<FoundColumn>[] = [];
  for (const { id, name } of columns) {
    const normal = normalise(name);
    // The same name stands in many tables.
    const best = bestOf.has(normal) ? bestOf.get(normal) : findBest(normal, candidates);
    bestOf.set(normal, best);
    if (best === undefined) continue;
    found.push({ item: { columnId: id }, score: best.ratio, because: [`its name is like “${best.text}”`] });
  }
  return found.sort((a, b) => b.score - a.score);
}

/** The keyword, the left side of `=`, what stands in brackets, and single words. */
function candidatesOf(keyword: string): string[] {
  const [left = ''] = keyword.split('=');
  const bracketed = [...keyword.matchAll(/\(([^()]*)\)/g)].map(([, inside = '']) => inside);
  return [keyword, left, ...bracketed, ...keyword.split(/[^\p{L}\p{N}_]+/u)];
}

/** `normalise('District Names')` and `normalise('district_name')` → `districtname`. */
function normalise(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\s_]+/g, '')
    .replace(/s$/, '');
}

function findBest(name: string, candidates: ReadonlyMap<string, string>) {
  const exact = candidates.get(name);
  if (exact !== undefined) return { ratio: 1, text: exact };
  let best: { readonly ratio: number; readonly text: string } | undefined;
  for (const [candidate, text] of candidates) {
    // 2·M/T cannot reach the least ratio when the lengths are too far apart.
    const most = (2 * Math.min(name.length, candidate.length)) / (name.length + candidate.length);
    if (most < MIN_RATIO) continue;
    const ratio = editRatio(name, candidate);
    if (ratio >= MIN_RATIO && ratio > (best?.ratio ?? 0)) best = { ratio, text };
  }
  return best;
}
