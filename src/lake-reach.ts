/** How a session reaches the tables of a lake, of which it holds none itself. */
export interface LakeReach<Opened> {
  /**
   * Ids of the tables that a question may need, likeliest first: found in the scope of who asks, or named. Absent `user`:
   * the one of the configuration.
   */
  tablesFor(question: string, user?: string): Promise<readonly string[]>;
  /** A session as if these tables were all there is. Throws `catalog.unknown-name` for one that is not in the lake. */
  within(tables: readonly string[]): Promise<Opened>;
  close(): Promise<void>;
}

/** The same reach, where every session that it opens is made another; closing it closes nothing. */
export function overEach<Opened>(
  lake: LakeReach<Opened>,
  change: (opened: Opened) => Promise<Opened>,
): LakeReach<Opened> {
  return {
    tablesFor: (question, user) => lake.tablesFor(question, user),
    within: async (tables) => change(await lake.within(tables)),
    close: async () => undefined,
  };
}
