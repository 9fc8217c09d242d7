import { CandorError } from '../../errors.ts';

/** How a session finds the tables of a lake, of which it holds none itself. */
export interface TableProvider<Opened> {
  /**
   * Ids of the tables that a question may need, likeliest first: found in the scope of who asks, or named. Absent `user`:
   * the one of the configuration.
   */
  tablesFor(question: string, user?: string): Promise<readonly string[]>;
  /** A session as if these tables were all there is. Throws `catalog.unknown-name` for one that is not in the lake. */
  within(tables: readonly string[]): Promise<Opened>;
  close(): Promise<void>;
}

/** The same lake, where every session that it opens is made another; closing it closes nothing. */
export function eachOpened<Opened>(
  lake: TableProvider<Opened>,
  change: (opened: Opened) => Promise<Opened>,
): TableProvider<Opened> {
  return {
    tablesFor: (question, user) => lake.tablesFor(question, user),
    within: async (tables) => change(await lake.within(tables)),
    close: async () => undefined,
  };
}

/** The same lake for one person, who sees none of the other tables in it. */
export function onlyVisible<Opened>(
  lake: TableProvider<Opened>,
  user: string,
  isVisible: (tableId: string) => boolean,
): TableProvider<Opened> {
  return {
    ...lake,
    tablesFor: async (question) => (await lake.tablesFor(question, user)).filter(isVisible),
    within: async (tables) => {
      const hidden = tables.find((id) => !isVisible(id));
      if (hidden !== undefined) throw new CandorError('catalog.unknown-name', `there is no table ${hidden}`);
      return lake.within(tables);
    },
  };
}
