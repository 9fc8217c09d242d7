/** What a graph is made of. */
import type { Catalog } from '../../catalog/index.ts';
import type { Authored } from '../authored/authored.ts';
import type { VerifiedPair } from '../authored/examples.ts';
import type { StoredClusters } from '../clusters/stored-clusters.ts';
import type { SemanticModel } from '../semantic/semantic-model.ts';
import type { Usage } from '../usage/usage.ts';

export interface GraphSources {
  /** With the links of the semantic model (`addSemanticKeys`). */
  readonly catalog: Catalog;
  readonly semantics: SemanticModel;
  readonly authored: Authored;
  readonly examples: readonly VerifiedPair[];
  readonly usage?: Usage | undefined;
  readonly clustering?: Pick<StoredClusters, 'about' | 'clustersOf' | 'users'> | undefined;
  /** Day the catalog was read, YYYY-MM-DD. */
  readonly readAt?: string | undefined;
}

/** Makes a value the first time it is asked for. */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
