/** Query logs that are tables or views of an engine: the engine groups their rows, and only the groups come here. */
import type { UsageLogSettings } from '../../../config/index.ts';

/** As `candor.yml` names it; columns are those of `statements` and `tables`, the other kinds know theirs. */
export type EngineLog = Omit<UsageLogSettings, 'url'>;

/** Times without a zone, from and to before: `2025-01-31 00:00:00`. */
export interface TimeRange {
  readonly from: string;
  readonly to: string;
}

/**
 * Whether the rows are a history of the engine's own: then the guard, which keeps queries away from such tables, must not
 * stand before the connection.
 */
export function isOfEngine({ kind }: EngineLog): boolean {
  return kind !== 'statements' && kind !== 'tables';
}
