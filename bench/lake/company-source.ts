import type { LakeSource, StampedTable, TableMark } from '../../src/knowledge/lake/lake-source.ts';
import type { Company } from './company.ts';

/** A company as the engine that holds its tables: in one epoch, schema by schema. */
export function companySource(company: Company, epoch: number): LakeSource {
  return {
    async *list(): AsyncGenerator<TableMark> {
      for (const tables of schemasOf(company))
        for (const { id, table } of inOrder(company, tables)) {
          const stamp = company.stampOf(table, epoch);
          if (stamp !== undefined) yield { id, stamp };
        }
    },
    async *read(ids): AsyncGenerator<StampedTable> {
      for (const id of ids) {
        const number = Number(id.slice(id.lastIndexOf('_') + 1));
        const table = company.table(number, epoch);
        const stamp = company.stampOf(number, epoch);
        if (table !== undefined && stamp !== undefined) yield { table, stamp };
      }
    },
  };
}

/** Numbers of the tables of each schema, in the order of the schemas' names. */
function schemasOf(company: Company): number[][] {
  const byTeam = new Map<number | undefined, number[]>();
  for (let table = 0; table < company.tables; table += 1) {
    const team = company.teamOfTable(table);
    const known = byTeam.get(team);
    if (known === undefined) byTeam.set(team, [table]);
    else known.push(table);
  }
  const schemas = [...byTeam.values()].map((tables) => {
    const id = company.tableId(tables[0] ?? 0);
    return { prefix: id.slice(0, id.lastIndexOf('.') + 1), tables };
  });
  return schemas.sort((a, b) => (a.prefix < b.prefix ? -1 : 1)).map(({ tables }) => tables);
}

function inOrder(company: Company, tables: readonly number[]): { id: string; table: number }[] {
  return tables
    .map((table) => ({ id: company.tableId(table), table }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
