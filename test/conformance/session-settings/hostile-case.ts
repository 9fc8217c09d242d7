/** One setting whose default somebody else has changed before we connect. */
export interface HostileCase {
  readonly setting: string;
  /** As the engine is told. */
  readonly hostile: string;
  /** What SET GLOBAL is told, where it is not the setting itself, and what undoes it. */
  readonly change?: string;
  readonly back?: string;
  /** A statement whose rows are others under the hostile value. */
  readonly sql: string;
  /** It cannot be shown to change rows on this machine, or at this size; that it is pinned is shown all the same. */
  readonly isNotFelt?: true;
}
