import type { Authored, JargonTerm, Note, ProductArea } from '../authored/authored.ts';
import type { SemanticModel } from '../semantic/semantic-model.ts';
import type { Fact } from './knowledge-graph.ts';

export interface AuthoredFacts {
  readonly notes: readonly Fact<Note>[];
  /** Of `knowledge/` and of the semantic model; the same word with the same meaning once. */
  readonly jargon: readonly Fact<JargonTerm>[];
  readonly areas: readonly Fact<ProductArea>[];
}

/** What people wrote, with who, when and where. */
export function authoredFacts({
  authored: { notes, jargon, areas },
  semantics,
}: {
  readonly authored: Authored;
  readonly semantics: SemanticModel;
}): AuthoredFacts {
  const keyOf = ({ term, meaning }: Pick<JargonTerm, 'term' | 'meaning'>): string =>
    JSON.stringify([term.toLowerCase(), meaning.toLowerCase()]);
  const terms = new Map(jargon.map((term) => [keyOf(term), term]));
  for (const { term, meaning } of semantics.jargon)
    if (!terms.has(keyOf({ term, meaning })))
      terms.set(keyOf({ term, meaning }), { term, meaning, place: 'semantics' });
  return {
    notes: notes.map((value) => ({
      value,
      from: {
        source: 'person',
        ...(value.by === undefined ? {} : { by: value.by }),
        ...(value.at === undefined ? {} : { at: value.at }),
        place: value.place,
      },
    })),
    jargon: [...terms.values()].map((value) => ({ value, from: { source: 'person', place: value.place } })),
    areas: areas.map((value) => ({ value, from: { source: 'person', place: 'knowledge/areas.yml' } })),
  };
}
