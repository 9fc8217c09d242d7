import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { makeShop } from '../e2e/cli/make-shop.ts';

/** A shop, and the staff in a project beside it that the shop's server serves as well. Returns the folder of the shop. */
export function makeWorkspaces(folder: string, server: Readonly<Record<string, unknown>> = {}): string {
  const [shop, staff] = [join(folder, 'shop'), join(folder, 'people')];
  for (const each of [shop, staff]) mkdirSync(each);
  makeShop(join(shop, 'shop.db'));
  makeStaff(join(staff, 'staff.db'));
  const search = { embedding: 'none' };
  const ofShop = { groups: { sales: { tables: ['orders'] } }, workspaces: { hr: '../people' }, ...server };
  write(join(shop, 'candor.yml'), { database: 'sqlite:shop.db', search, server: ofShop });
  write(join(staff, 'candor.yml'), {
    ...{ database: 'sqlite:staff.db', search },
    server: { groups: { hr: { approval: 'ask' } } },
  });
  return shop;
}

function write(path: string, config: unknown): void {
  writeFileSync(path, JSON.stringify(config));
}

function makeStaff(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE employees (id INTEGER PRIMARY KEY, name TEXT NOT NULL, team TEXT NOT NULL)');
  const add = database.prepare('INSERT INTO employees (name, team) VALUES (?, ?)');
  for (const [name, team] of [
    ['Ada', 'research'],
    ['Bo', 'sales'],
    ['Cy', 'research'],
  ])
    add.run(name, team);
  database.close();
}
