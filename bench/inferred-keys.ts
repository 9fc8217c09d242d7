/**
 * How many of the keys that databases declare are found by names and values alone, where no key is declared, and how many of what is found
 * are declared. `--data FOLDER` holds SQLite files; tables without a row are left out, since nothing can be found by their values.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Catalog } from '../src/catalog/index.ts';
import { readCatalog } from '../src/catalog/read-catalog.ts';
import { connect, decorate } from '../src/database/index.ts';
import { orEnd, readOutput } from './bench-options.ts';
import { printReport } from './print-report.ts';

const options = orEnd(() => {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      list: { type: 'boolean', default: false },
      smoke: { type: 'boolean', default: false },
      output: { type: 'string', default: 'table' },
    },
  });
  if (values.data === undefined) throw new RangeError('--data names a folder of SQLite files');
  return {
    data: values.data,
    isListed: values.list,
    isSmoke: values.smoke,
    output: readOutput(values.output),
  };
});

const files = readdirSync(options.data, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(?:sqlite|sqlite3|db)$/.test(path))
  .sort();
const total = { declared: 0, found: 0, right: 0, turned: 0 };
const shares: number[] = [];
for (const path of options.isSmoke ? files.slice(0, 2) : files) {
  const database = await connect(`sqlite:${join(options.data, path)}`);
  try {
    const { foreignKeys } = await database.readSchema();
    const bare = decorate(database, (below) => ({
      readSchema: async () => {
        const schema = await below.readSchema();
        return {
          ...schema,
          foreignKeys: [],
          tables: schema.tables.map((table) => ({ ...table, primaryKey: [] })),
        };
      },
    }));
    const catalog = await readCatalog(bare);
    count(path, catalog, foreignKeys);
  } catch (error) {
    process.stderr.write(`${path} is not measured: ${error instanceof Error ? error.message : error}\n`);
  } finally {
    await database.close();
  }
}

function count(
  path: string,
  catalog: Catalog,
  declared: readonly {
    fromTable: string;
    fromColumns: readonly string[];
    toTable: string;
    toColumns: readonly string[];
  }[],
): void {
  const filled = new Set(
    catalog.tables.filter(({ rowCount }) => rowCount > 0).map(({ name }) => name.toLowerCase()),
  );
  const wanted = new Set(
    declared
      .filter(
        ({ fromColumns, fromTable, toTable }) =>
          fromColumns.length === 1 &&
          filled.has(fromTable.toLowerCase()) &&
          filled.has(toTable.toLowerCase()),
      )
      .map(({ fromTable, fromColumns, toTable, toColumns }) =>
        `${fromTable}.${fromColumns[0]} → ${toTable}.${toColumns[0]}`.toLowerCase(),
      ),
  );
  const names = new Map(
    catalog.tables.flatMap((table) =>
      table.columns.map((column) => [column.id, `${table.name}.${column.name}`.toLowerCase()]),
    ),
  );
  const found = catalog.foreignKeys.map(
    ({ fromColumns, toColumns }) => [names.get(fromColumns[0]!), names.get(toColumns[0]!)] as const,
  );
  const right = found.filter(([from, to]) => wanted.has(`${from} → ${to}`));
  const turned = found.filter(([from, to]) => wanted.has(`${to} → ${from}`));
  total.declared += wanted.size;
  total.found += found.length;
  total.right += right.length;
  total.turned += turned.length;
  if (wanted.size > 0) shares.push(right.length / wanted.size);
  if (!options.isListed) return;
  const known = new Set(found.map(([from, to]) => `${from} → ${to}`));
  for (const key of wanted) if (!known.has(key)) process.stdout.write(`${path} lacks ${key}\n`);
  for (const key of known) if (!wanted.has(key)) process.stdout.write(`${path} has ${key}\n`);
}

printReport(
  {
    bench: 'inferred-keys',
    about: 'keys found by names and values where none is declared, beside those that are declared',
    rows: [{ ...total, databases: shares.length }],
    figures: { recall: total.right / total.declared, precision: total.right / total.found },
  },
  options,
);
