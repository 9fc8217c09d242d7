import { describe, expect, it } from 'vitest';
import { buildCatalog } from './build-catalog.ts';
import { readDdl } from './read-ddl.ts';

const DDL = `
-- a dump; CREATE TABLE ghost (a INT)
CREATE TABLE IF NOT EXISTS "state" (abbreviation TEXT primary key, name TEXT default 'a, b');
CREATE TABLE [zip data] (
  zip INTEGER constraint z_pk PRIMARY KEY autoincrement,
  \`state of\` TEXT REFERENCES state, price DECIMAL(8, 2) NOT NULL CHECK (price > 0)
);
CREATE TABLE visit (
  zip INTEGER, day DATE, note TEXT,
  PRIMARY KEY (zip ASC, day),
  CONSTRAINT fk FOREIGN KEY (zip) REFERENCES "zip data" (zip) ON DELETE CASCADE
);
CREATE TABLE leg (a INT, b DATE, FOREIGN KEY (a, b) REFERENCES visit, FOREIGN KEY (a) REFERENCES nowhere (x));
CREATE INDEX i ON visit (day);`;

describe('CREATE TABLE statements', () => {
  const { tables, keys } = readDdl(DDL);

  it('give tables with their columns and types', () => {
    expect(
      tables.map(({ name, columns }) => [name, columns.map((each) => `${each.name} ${each.type}`)]),
    ).toEqual([
      ['state', ['abbreviation TEXT', 'name TEXT']],
      ['zip data', ['zip INTEGER', 'state of TEXT', 'price DECIMAL(8,2)']],
      ['visit', ['zip INTEGER', 'day DATE', 'note TEXT']],
      ['leg', ['a INT', 'b DATE']],
    ]);
  });

  it('give primary keys, of a column or of a clause', () => {
    expect(tables.map(({ primaryKey }) => primaryKey)).toEqual([
      ['abbreviation'],
      ['zip'],
      ['zip', 'day'],
      [],
    ]);
  });

  it('give links, to the primary key where no column is named', () => {
    expect(
      keys.map((key) => `${key.fromTable}(${key.fromColumns}) → ${key.toTable}(${key.toColumns})`),
    ).toEqual([
      'zip data(state of) → state(abbreviation)',
      'visit(zip) → zip data(zip)',
      'leg(a,b) → visit(zip,day)',
      'leg(a) → nowhere(x)',
    ]);
  });

  it('make a catalog that names the links it had to leave out', () => {
    const catalog = buildCatalog('d', 'sqlite', { tables, keys });
    expect(catalog.foreignKeys).toHaveLength(3);
    expect(catalog.leftOut).toEqual([
      { name: 'leg(a) → nowhere(x)', because: 'a foreign key whose columns the schema does not have' },
    ]);
    expect(catalog.tables[1]?.columns[2]).toMatchObject({ id: 'zip data.price', family: 'number' });
    expect(catalog.tables[2]?.primaryKey).toEqual(['visit.zip', 'visit.day']);
  });
});
