import type { Command } from 'commander';
import type { Catalog, ForeignKey, Table } from '../../catalog/index.ts';
import { readKnown } from '../../session.ts';
import { type CommandContext, runCommand, styleFor } from '../command-context.ts';
import type { Io } from '../io.ts';
import {
  addOutputOptions,
  addProjectOptions,
  type OutputOptions,
  type ProjectOptions,
  parseCount,
  readCommandConfig,
} from '../options.ts';
import { counted, escapeControl, renderJson, renderTable } from '../render/index.ts';

interface CatalogOptions extends ProjectOptions, OutputOptions {
  readonly keys?: boolean;
  readonly limit: number;
}

const DEFAULT_SHOWN = 100;

/** `candor catalog`: the tables, columns and keys that Candor knows of. */
export function addCatalogCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('catalog')
    .description('Show the tables, columns and keys that were read at the last onboarding.')
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

Nothing is read from the database but its state; \`candor profile\` shows what is known of the values.`,
    )
    .action((pattern: string | undefined, options: CatalogOptions) =>
      runCommand(context, options.output, () => runCatalog(pattern ?? '', options, context.io)),
    );
}

async function runCatalog(pattern: string, options: CatalogOptions, io: Io): Promise<number> {
  const { catalog } = await readKnown(await readCommandConfig(io, options));
  const wanted = pattern.toLowerCase();
  const tables = catalog.tables.filter(({ id }) => id.includes(wanted));
  const keys = catalog.foreignKeys.filter(
    ({ fromTable, toTable }) => fromTable.includes(wanted) || toTable.includes(wanted),
  );
  if (options.output === 'json') {
    io.stdout.write(renderJson({ tables: tables.map(withoutProfiles), foreignKeys: keys }));
    return 0;
  }
  const style = styleFor(io, io.stdout);
  const whole = tables.find(({ id }) => id === wanted);
  const lines = options.keys ? keyLines(keys) : whole ? columnLines(whole, catalog) : tableLines(tables);
  io.stdout.write(`${renderTable(lines.heads, lines.rows.slice(0, options.limit), { style })}\n`);
  io.stdout.write(`${style.dim(footer(lines, options.limit))}\n`);
  return 0;
}

interface Lines {
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

function columnLines(table: Table, { foreignKeys }: Catalog): Lines {
  const rows = table.columns.map(({ id, name, type, family, isNullable, comment = '' }) => {
    const target = foreignKeys.find(({ fromColumns }) => fromColumns.length === 1 && fromColumns[0] === id);
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

function footer({ what, rows }: Lines, limit: number): string {
  const count = counted(rows.length, what);
  return rows.length > limit ? `${count}, ${limit} shown: raise --limit or name a pattern` : count;
}
