import type { SharedTable } from '../../catalog/share/index.ts';
import type { Found, FoundTable } from '../../knowledge/retrieve/index.ts';
import { orNothing, type RankerDesk } from './ranker-desk.ts';
import { tableCard } from './table-cards.ts';

/** A table that was found, with the ranker's word on it. */
export interface RankedTable {
  readonly table: SharedTable;
  readonly found: Found<FoundTable>;
  /** From 1 to 10; absent where nobody scored it. */
  readonly score?: number;
  readonly because: string;
}

/**
 * The tables best first: by score, of equal ones the certified, then the popular, then as retrieval had them. What the
 * ranker did not score comes last. Without a ranker, or where it says nothing usable, the order of retrieval.
 */
export async function rankTables(desk: RankerDesk): Promise<readonly RankedTable[]> {
  const { reasoner, question, settings, warnings, sources, names } = desk;
  const found = foundTables(desk);
  if (!settings.useTableRanker || found.length === 0) return found;
  const cards = found.map((each) => tableCard(each.found, each.table, desk));
  const scored = await orNothing(
    reasoner.rankTables(question, cards),
    desk,
    'tables stay in the order of retrieval',
  );
  if (scored === undefined) return found;
  const shown = new Set(found.map(({ table }) => table.id));
  const scores = new Map<unknown, { readonly score: number; readonly because: string }>();
  let unknown = 0;
  for (const { name, score, because } of scored) {
    const table = names.table(name, shown);
    // A family has one place in the list, whichever of its members was named.
    const key = table && (sources.tables.familyOf(table.id) ?? table.id);
    if (key === undefined) unknown += 1;
    // Said twice, the first word counts.
    else if (!scores.has(key)) scores.set(key, { score, because });
  }
  const ranked = found.map((each) => {
    const said = scores.get(sources.tables.familyOf(each.table.id) ?? each.table.id);
    return said === undefined ? each : { ...each, ...said };
  });
  if (unknown > 0) warnings.push(`the table ranker gave names that are not in its list: ${unknown}`);
  const missing = ranked.filter(({ score }) => score === undefined).length;
  if (missing > 0) warnings.push(`the table ranker left ${missing} of ${ranked.length} tables unscored`);
  return ranked.toSorted(byRank);
}

function byRank(a: RankedTable, b: RankedTable): number {
  const certified = Number(b.found.item.isCertified) - Number(a.found.item.isCertified);
  return (b.score ?? 0) - (a.score ?? 0) || certified || b.found.item.popularity - a.found.item.popularity;
}

/** What retrieval found; the first tables of the catalog where that is nothing: a writer needs something to see. */
function foundTables({ sources, settings, warnings }: RankerDesk): readonly RankedTable[] {
  const { tables, retrieved } = sources;
  const found = retrieved.tables.slice(0, settings.retrieveTables).flatMap((each) => {
    const table = tables.table(each.item.tableId);
    return table === undefined ? [] : [{ table, found: each, because: each.because.join('; ') }];
  });
  if (found.length > 0 || tables.catalog.tables.length === 0) return found;
  const first = tables.families
    .slice(0, settings.retrieveTables)
    .flatMap(({ members }) => members.slice(0, 1));
  warnings.push(`retrieval found no table: the first ${first.length} of the catalog were taken`);
  return first.map(({ table }) => ({
    table,
    found: {
      item: { tableId: table.id, isCertified: false, isDeprecated: false, popularity: 0 },
      score: 0,
      because: [],
    },
    because: 'among the first tables of the catalog',
  }));
}
