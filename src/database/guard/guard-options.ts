import type { AllowedCode, SessionProperties } from '../../sql/index.ts';
import type { AccessPolicy } from './access-policy.ts';
import type { PlanCaps } from './check-plan.ts';
import type { VisibleCatalog } from './visible-catalog.ts';

/** Whose queries come through a guarded database; there is no default, so that nobody forgets to say it. */
export type GuardOptions = OwnQueries | CallerQueries;

/**
 * Candor's own queries, while the catalog is being read and profiled: they read and nothing else, but no name is
 * checked and no policy applied. Never for SQL that a person or a model wrote.
 */
export interface OwnQueries {
  readonly kind: 'own-queries';
  readonly planCaps?: PlanCaps;
  /** Code of the database's owner that statements may run. */
  readonly allowedCode?: AllowedCode;
}

/** Queries that somebody wrote: they see the catalog, and of it what the policy leaves. */
export interface CallerQueries {
  readonly kind: 'caller-queries';
  readonly catalog: VisibleCatalog;
  readonly policy?: AccessPolicy;
  /** What `:name` in the policy stands for. A name without a value refuses the tables that ask for it. */
  readonly properties?: SessionProperties;
  readonly planCaps?: PlanCaps;
  /** Code of the database's owner that statements may run. */
  readonly allowedCode?: AllowedCode;
}
