/** Who runs which table of a lake, before and after a share of its tables and users drifted. */
import type { TableAccess } from '../../src/knowledge/usage/table-accesses.ts';
import type { Company } from './company.ts';

/** Every so many users one reads other tables of the team than before. */
const DRIFTED_USERS = 100;
/** A changed table loses every so many of its readers. */
const LOST_READERS = 4;

/** In the epoch 0 as the company is; in the epoch 1 a hundredth of the tables and of the users have drifted. */
export function* lakeAccesses(company: Company, epoch: 0 | 1): Generator<TableAccess> {
  const ids = new Map<number, string>();
  const idOf = (table: number): string => {
    const known = ids.get(table) ?? company.tableId(table);
    ids.set(table, known);
    return known;
  };
  for (let user = 0; user < company.users; user += 1) {
    const isDrifted = epoch === 1 && user % DRIFTED_USERS === 0;
    // Of the same team: a user beyond the last one.
    const reader = isDrifted ? user + company.teams * Math.ceil(company.users / company.teams) : user;
    // One text for each name, as what reads a log gives it.
    const name = company.userName(user);
    for (const { table, runs } of company.readsOf(reader)) {
      const access = { user: name, tableId: idOf(table), runs };
      if (epoch === 0) {
        yield access;
        continue;
      }
      const stamp = company.stampOf(table, 1);
      if (stamp === undefined) continue;
      const isChanged = stamp !== 'v0';
      if (isChanged && (table + user) % LOST_READERS === 0) continue;
      yield isChanged ? { ...access, runs: runs * 2 } : access;
    }
  }
}
