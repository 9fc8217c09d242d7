import type { Scopes } from '../scope/scope.ts';
import type { NameResolver } from './normal-options.ts';

/** Names as a schema has them: `normalise(tree, { resolve: (tree) => resolverFromScopes(scopes(tree, schema)) })`. */
export function resolverFromScopes({ references }: Scopes): NameResolver {
  return ({ id }) => {
    const reference = references[id];
    switch (reference?.kind) {
      case 'column':
      case 'hidden':
        return { kind: 'source', node: reference.source.node };
      case 'open':
        return reference.source && { kind: 'source', node: reference.source.node };
      case 'text':
        return { kind: 'text' };
      default:
        return undefined;
    }
  };
}
