import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { LakeSource, StampedTable, TableMark } from '../../src/knowledge/lake/lake-source.ts';
import type { Company } from './company.ts';

const CHUNK_BYTES = 1 << 17;

/**
 * A company as the engine that holds its tables, in one epoch. `index` is a file that `writeIndex` made: an engine, too,
 * has its tables in order.
 */
export function companySource(company: Company, epoch: number, index: string): LakeSource {
  return {
    async *list(): AsyncGenerator<readonly TableMark[]> {
      for await (const ids of readLines(index))
        yield ids.flatMap((id): TableMark[] => {
          const stamp = company.stampOf(numberOf(id), epoch);
          return stamp === undefined ? [] : [{ id, stamp }];
        });
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

/** Some whole lines at a time. */
async function* readLines(path: string): AsyncGenerator<readonly string[]> {
  let rest = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: CHUNK_BYTES })) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
  if (rest !== '') yield [rest];
}

/** Names of a company end with the number of the table. */
function numberOf(id: string): number {
  return Number(id.slice(id.lastIndexOf('_') + 1));
}
