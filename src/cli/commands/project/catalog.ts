import type { Command } from 'commander';
import type { ForeignKey, Table } from '../../../catalog/index.ts';
import type { Config } from '../../../config/index.ts';
import { escapeControl } from '../../../lib/index.ts';
import { openKnownLake, readKnown } from '../../../onboarding/index.ts';
import { type CommandContext, runCommand, styleFor } from '../../context/command-context.ts';
import {
  addOutputOptions,
  addProjectOptions,
  type OutputOptions,
  type ProjectOptions,
  parseCount,
  readCommandConfig,
} from '../../context/options.ts';
import { counted, renderJson, renderTable } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';

interface CatalogOptions extends ProjectOptions, OutputOptions {
  readonly keys?: boolean;
  readonly limit: number;
}

const DEFAULT_SHOWN = 100;

/** `candor catalog`: the tables, columns and keys that Candor knows of. */
export function defineCatalogCommand(command: Command, context: CommandContext): void {
  command
    .argument('[pattern]', 'only tables whose name contains this; a whole name shows its columns')
    .option('--keys', 'foreign keys: declared, of the semantic model, inferred with how sure')
    .option('--limit <n>', 'lines at most', parseCount, DEFAULT_SHOWN);
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor catalog              all tables with their rows and columns
  candor catalog order        tables with "order" in their name
  candor catalog orders       the columns of the table orders
  candor catalog --keys       how the tables are linked, and who says so

Of a lake (\`catalog: lake\`) as many tables are read as lines are shown.
Nothing is read from the database but its state; \`candor profile\` shows what is known of the values.`,
    )
    .action((pattern: string | undefined, options: CatalogOptions) =>
      runCommand(context, options.output, () => runCatalog(pattern ?? '', options, context.io)),
    );
}

async function runCatalog(pattern: string, options: CatalogOptions, io: Io): Promise<number> {
  const config = await readCommandConfig(io, options);
  const wanted = pattern.toLowerCase();
  const isLake = config.catalog === 'lake';
  const found = isLake ? await findInLake(config, wanted, options.limit) : await findKnown(config, wanted);
  const { tables, keys, count } = found;
  if (options.output === 'json') {
    io.stdout.write(
      renderJson({ tables: tables.map(withoutProfiles), foreignKeys: keys, tableCount: count }),
    );
    return 0;
  }
  const style = styleFor(io, io.stdout);
  const whole = tables.find(({ id }) => id === wanted);
  const lines = options.keys
    ? keyLines(keys)
    : whole
      ? columnLines(whole, keys)
      : { ...tableLines(tables), count };
  io.stdout.write(`${renderTable(lines.heads, lines.rows.slice(0, options.limit), { style })}\n`);
  io.stdout.write(`${style.dim(footer(lines, options.limit))}\n`);
  return 0;
}

interface Found {
  readonly tables: readonly Table[];
  /** From these tables and, unless they are of a lake, to them. */
  readonly keys: readonly ForeignKey[];
  /** Of all tables that fit. */
  readonly count: number;
}

async function findKnown(config: Config, wanted: string): Promise<Found> {
  const { catalog } = await readKnown(config);
  const tables = catalog.tables.filter(({ id }) => id.includes(wanted));
  const keys = catalog.foreignKeys.filter(
    ({ fromTable, toTable }) => fromTable.includes(wanted) || toTable.includes(wanted),
  );
  return { tables, keys, count: tables.length };
}

/** Of a lake only what is shown is read: as many tables as lines, and the keys that lead from them. */
async function findInLake(config: Config, wanted: string, limit: number): Promise<Found> {
  const lake = await openKnownLake(config);
  try {
    const { ids, count } = await lake.containing(wanted, limit);
    // A whole name shows its columns, though others that contain it stand before it.
    const all = new Set([...(await lake.tables([wanted])).map(({ id }) => id), ...ids]);
    return { tables: await lake.tables(all), keys: await lake.foreignKeys(all), count };
  } finally {
    lake.close();
  }
}

interface Lines {
  /** Of all; absent: as many as rows. */
  readonly count?: number;
  readonly what: 'table' | 'column' | 'key';
  readonly heads: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

function tableLines(tables: readonly Table[]): Lines {
  const rows = tables.map(({ id, kind, rowCount, columns, comment = '' }) => [
    id,
    kind,
    rowCount,
    columns.length,
    escapeControl(comment),
  ]);
  return { what: 'table', heads: ['table', 'kind', 'rows', 'columns', 'comment'], rows };
}

function columnLines(table: Table, keys: readonly ForeignKey[]): Lines {
  const rows = table.columns.map(({ id, name, type, family, isNullable, comment = '' }) => {
    const target = keys.find(({ fromColumns }) => fromColumns.length === 1 && fromColumns[0] === id);
    const key = table.primaryKey.includes(id)
      ? 'primary'
      : target === undefined
        ? ''
        : `→ ${target.toColumns[0]}`;
    return [name, type, family, isNullable ? 'null' : 'not null', key, escapeControl(comment)];
  });
  return { what: 'column', heads: ['column', 'type', 'family', 'nulls', 'key', 'comment'], rows };
}

function keyLines(keys: readonly ForeignKey[]): Lines {
  const rows = keys.map(({ fromColumns, toColumns, source, confidence }) => [
    fromColumns.join(', '),
    toColumns.join(', '),
    source,
    confidence === undefined ? '' : confidence.toFixed(2),
  ]);
  return { what: 'key', heads: ['from', 'to', 'source', 'confidence'], rows };
}

function withoutProfiles(table: Table): unknown {
  return { ...table, columns: table.columns.map(({ profile: _, ...column }) => column) };
}

function footer({ what, rows, count: all = rows.length }: Lines, limit: number): string {
  const count = counted(all, what);
  return all > limit ? `${count}, ${limit} shown: raise --limit or name a pattern` : count;
}
