import type { SemanticModel } from '../../knowledge/index.ts';
import type { Boundary } from '../../reasoning/index.ts';
import type { Request } from '../request.ts';

/** Words the semantic model lists as things this database does not hold. */
export function outOfScope(request: Request, semantics: SemanticModel): Boundary | null {
  for (const { term, why } of semantics.outOfScope) {
    const escaped = term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    if (!new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'iu').test(request.text)) continue;
    const nearest = semantics.metrics.slice(0, 5).map((metric) => metric.name);
    return {
      kind: 'reject',
      reason: 'scope',
      missing: term,
      message: `“${term}” is not in this database: ${why}`,
      nearest,
    };
  }
  return null;
}
