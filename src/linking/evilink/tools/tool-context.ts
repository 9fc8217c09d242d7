/** What the tools of refinement work with. */
import type { EvilinkSettings } from '../items/evilink-settings.ts';
import type { EvilinkSources } from '../items/evilink-sources.ts';
import type { LinkItems } from '../items/link-items.ts';
import type { NameResolver } from '../items/resolve-names.ts';
import type { SchemaScope } from '../items/schema-scope.ts';
import type { LinkState } from '../state/link-state.ts';
import type { Votes } from '../state/votes.ts';

export interface ToolContext {
  readonly sources: EvilinkSources;
  readonly settings: EvilinkSettings;
  readonly items: LinkItems;
  readonly names: NameResolver;
  readonly scope: SchemaScope;
  readonly votes: Votes;
  /** Ids of tables that the reasoner knows: they decide between equal names. */
  readonly near: ReadonlySet<string>;
  readonly signal?: AbortSignal | undefined;
  /** Counted up while the tools of one question run. */
  readonly used: ToolUse;
}

interface ToolUse {
  probes: number;
  /** Fields whose statistics were looked at. */
  readonly statistics: Set<string>;
}

/** What one call did: only `keep` and `discard` give another state. */
export interface ToolOutcome {
  readonly state: LinkState;
  readonly text: string;
}
