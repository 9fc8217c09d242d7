import type { Imported } from './conversion.ts';

/** What several files say, one after the other. */
export function joinImported(parts: readonly Imported[]): Imported {
  return {
    models: parts.flatMap(({ models }) => models),
    examples: parts.flatMap(({ examples }) => examples),
    notes: parts.flatMap(({ notes }) => notes),
    losses: parts.flatMap(({ losses }) => losses),
    places: new Map(parts.flatMap(({ places }) => [...(places ?? [])])),
  };
}
