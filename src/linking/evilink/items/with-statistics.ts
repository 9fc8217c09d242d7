/** Columns with their statistics, which a loaded catalog leaves in the store. */
import type { SharedColumn } from '../../../catalog/index.ts';
import type { ViewedTable } from '../../../reasoning/index.ts';
import type { EvilinkSources } from './evilink-sources.ts';

type StatisticsOf = EvilinkSources['statisticsOf'];

/** One column after the other: statistics are read table by table. */
export async function tablesWithStatistics(
  tables: readonly ViewedTable[],
  statisticsOf: StatisticsOf,
): Promise<readonly ViewedTable[]> {
  const filled: ViewedTable[] = [];
  for (const viewed of tables) {
    const columns: SharedColumn[] = [];
    for (const column of viewed.columns) columns.push(await columnWithStatistics(column, statisticsOf));
    filled.push({ ...viewed, columns });
  }
  return filled;
}

/** The column itself where nothing is known of its values. */
export async function columnWithStatistics(
  column: SharedColumn,
  statisticsOf: StatisticsOf,
): Promise<SharedColumn> {
  const { profile } = column;
  if (profile === undefined || profile.statistics !== undefined) return column;
  const statistics = await statisticsOf?.(column.id);
  return statistics === undefined ? column : { ...column, profile: { ...profile, statistics } };
}
