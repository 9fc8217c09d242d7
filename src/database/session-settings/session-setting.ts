/** A setting of an engine that changes rows, and what a session of ours does about it. */
export interface SessionSetting {
  /** As the engine spells it. */
  readonly name: string;
  /** In the engine's own words: a literal where it is told in SQL. */
  readonly value: string;
  /** What another value would do to rows. */
  readonly changes: string;
  /**
   * `pinned`: every session is set to the value. `watched`: no session may set it, so another value is said with each
   * answer.
   */
  readonly hold: 'pinned' | 'watched';
  /** Our own reading of the text relies on it: an engine that does not take it is not used at all. */
  readonly isRequired?: true;
  /** The one product of the dialect that has it. */
  readonly only?: 'MySQL' | 'MariaDB';
}

/** What is true of most rows of a table of settings. */
export function pinned(name: string, value: string, changes: string): SessionSetting {
  return { name, value, changes, hold: 'pinned' };
}

export function required(name: string, value: string, changes: string): SessionSetting {
  return { name, value, changes, hold: 'pinned', isRequired: true };
}

export function watched(name: string, value: string, changes: string): SessionSetting {
  return { name, value, changes, hold: 'watched' };
}
