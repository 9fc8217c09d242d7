import type { SharedColumn } from '../../catalog/share/index.ts';
import { isUnusableReply } from '../../reasoning/roles/index.ts';
import type { LinkQuestion } from '../../reasoning/roles/link-reasoner.ts';
import type { RankQuestion, RankReasoner } from '../../reasoning/roles/rank-reasoner.ts';
import { indexItems, type LinkItems } from '../evilink/items/link-items.ts';
import { type NameResolver, resolveNames } from '../evilink/items/resolve-names.ts';
import { type ColumnSigns, columnSigns } from './column-signs.ts';
import { type KnownJoin, knownJoins } from './known-joins.ts';
import type { RankerSettings } from './ranker-settings.ts';
import type { RankerSources } from './ranker-sources.ts';

/** What both rankers work with for one question. */
export interface RankerDesk {
  readonly question: RankQuestion;
  readonly reasoner: RankReasoner;
  readonly sources: RankerSources;
  readonly settings: RankerSettings;
  readonly items: LinkItems;
  readonly names: NameResolver;
  readonly joinsOf: (tableId: string) => readonly KnownJoin[];
  readonly signsOf: (column: SharedColumn) => ColumnSigns;
  readonly warnings: string[];
}

export function setDesk(
  { text, hint = '', ledger, signal }: LinkQuestion,
  reasoner: RankReasoner,
  { sources, settings }: { readonly sources: RankerSources; readonly settings: RankerSettings },
): RankerDesk {
  const { tables, retrieved, graph } = sources;
  const items = indexItems(tables);
  const notes = retrieved.notes.map(({ item }) => item.text);
  const jargon = retrieved.jargon.map(({ term, meaning }) => ({ term, meaning }));
  return {
    question: { text, hint, notes, jargon, ledger, signal },
    reasoner,
    sources,
    settings,
    items,
    names: resolveNames(tables, items),
    joinsOf: knownJoins(tables, graph),
    signsOf: columnSigns(retrieved, tables, sources.sharing),
    warnings: [],
  };
}

/** What a ranker says; nothing, with a warning, where its reply could not be used. Other failures go on. */
export async function orNothing<Item>(
  asked: Promise<readonly Item[]>,
  desk: RankerDesk,
  warning: string,
): Promise<readonly Item[] | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (!isUnusableReply(error)) throw error;
    desk.warnings.push(`${warning}: ${error.message}`);
    return undefined;
  }
}
