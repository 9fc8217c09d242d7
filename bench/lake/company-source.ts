import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { LakeSource, StampedTable, TableMark } from '../../src/knowledge/lake/lake-source.ts';
import type { Company } from './company.ts';

const LISTED_AT_ONCE = 2_000;

/**
 * A company as the engine that holds its tables, in one epoch. `index` is a file that `writeIndex` made: an engine, too,
 * has its tables in order.
 */
export function companySource(company: Company, epoch: number, index: string): LakeSource {
  return {
    async *list(): AsyncGenerator<readonly TableMark[]> {
      let marks: TableMark[] = [];
      for await (const id of createInterface({ input: createReadStream(index), crlfDelay: Infinity })) {
        const stamp = company.stampOf(numberOf(id), epoch);
        if (stamp !== undefined) marks.push({ id, stamp });
        if (marks.length < LISTED_AT_ONCE) continue;
        yield marks;
        marks = [];
      }
      yield marks;
    },
    async *read(ids): AsyncGenerator<StampedTable> {
      for (const id of ids) {
        const table = company.table(numberOf(id), epoch);
        const stamp = company.stampOf(numberOf(id), epoch);
        if (table !== undefined && stamp !== undefined) yield { table, stamp };
      }
    },
  };
}

/** The ids of all tables in order, a line each. */
export async function writeIndex(company: Company, path: string): Promise<void> {
  const ids = Array.from({ length: company.tables }, (_, table) => company.tableId(table));
  await writeFile(path, `${ids.sort().join('\n')}\n`);
}

/** Names of a company end with the number of the table. */
function numberOf(id: string): number {
  return Number(id.slice(id.lastIndexOf('_') + 1));
}
