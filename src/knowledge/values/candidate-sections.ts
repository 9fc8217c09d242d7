/** The one of the two candidate searches that the parameters name: built, and opened again. */
import { unreachable } from '../../errors.ts';
import { type Sections, sectionOf } from './index-file.ts';
import type { IndexParameters } from './index-manifest.ts';
import type { CandidateSearch } from './search/candidates.ts';
import { buildGramSections, GramSearch } from './search/gram-search.ts';
import { GRAM_LENGTH, type TextGrams } from './search/grams.ts';
import { buildLshSections, chooseBands, LshSearch } from './search/lsh-search.ts';

export type CandidateSections = Sections;

/** Published defaults (thoth.md, section 13); the bands are what `chooseBands` finds for them in a tenth of a second. */
export const DEFAULT_PARAMETERS: IndexParameters = {
  candidates: 'grams',
  gram: GRAM_LENGTH,
  permutations: 100,
  threshold: 0.01,
  bands: 100,
  rows: 1,
  seed: 1,
};

/** All parameters of an index, of which only some need be named; bands and rows follow from them. */
export function indexParameters(
  chosen: Partial<Omit<IndexParameters, 'gram' | 'bands' | 'rows'>> = {},
): IndexParameters {
  const all = { ...DEFAULT_PARAMETERS, ...chosen };
  const { permutations, threshold } = all;
  const isDefault =
    permutations === DEFAULT_PARAMETERS.permutations && threshold === DEFAULT_PARAMETERS.threshold;
  return isDefault ? all : { ...all, ...chooseBands(permutations, threshold) };
}

export function buildCandidateSections(grams: TextGrams, parameters: IndexParameters): CandidateSections {
  switch (parameters.candidates) {
    case 'grams':
      return { ...buildGramSections(grams) };
    case 'minhash-lsh':
      return { ...buildLshSections(grams, parameters) };
    default:
      return unreachable(parameters.candidates);
  }
}

export function openCandidateSearch(
  sections: CandidateSections,
  parameters: IndexParameters,
  texts: number,
): CandidateSearch {
  const numbers = (name: string) => sectionOf(sections, name, Uint32Array);
  switch (parameters.candidates) {
    case 'grams':
      return new GramSearch({
        gramKeys: sectionOf(sections, 'gramKeys', Float64Array),
        postingStart: numbers('postingStart'),
        postings: numbers('postings'),
        gramCounts: sectionOf(sections, 'gramCounts', Uint8Array),
      });
    case 'minhash-lsh': {
      const lsh = {
        bucketKeys: numbers('bucketKeys'),
        bandStart: numbers('bandStart'),
        bucketStart: numbers('bucketStart'),
        members: numbers('members'),
        signatures: numbers('signatures'),
      };
      return new LshSearch(lsh, parameters, texts);
    }
    default:
      return unreachable(parameters.candidates);
  }
}
