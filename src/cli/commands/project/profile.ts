import { type Command, Option } from 'commander';
import {
  type Column,
  type EvidenceLevel,
  renderEvidence,
  reportProfiles,
  type Table,
} from '../../../catalog/index.ts';
import type { Config } from '../../../config/index.ts';
import { CandorError } from '../../../errors.ts';
import { nearestNames } from '../../../language/index.ts';
import { escapeControl } from '../../../lib/index.ts';
import { readEvidence, readKnown } from '../../../onboarding/index.ts';
import { type CommandContext, runCommand, styleFor } from '../../context/command-context.ts';
import {
  addOutputOptions,
  addProjectOptions,
  type OutputOptions,
  type ProjectOptions,
  readCommandConfig,
} from '../../context/options.ts';
import { renderJson, renderTable } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';

interface ProfileOptions extends ProjectOptions, OutputOptions {
  readonly level: EvidenceLevel;
  readonly pii?: boolean;
}

type Known = Awaited<ReturnType<typeof readKnown>>;

/** `candor profile`: what is known of the values, level by level. */
export function defineProfileCommand(command: Command, context: CommandContext): void {
  command
    .argument('[name]', 'a table or table.column; without it, what was sampled, skipped or withheld')
    .addOption(
      new Option('--level <level>', 'L0 names, L1 types and classes, L2 values, L3 statistics')
        .choices(['L0', 'L1', 'L2', 'L3'])
        .default('L2'),
    )
    .option('--pii', 'only the columns that look personal or secret');
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor profile                            what the figures rest on: samples, skipped tables, withheld columns
  candor profile orders                     every column of a table with its class, values, nulls
  candor profile orders.status --level L3   all that is known of one column
  candor profile --pii                      columns whose values are withheld, and what gave them away

The figures are those of the last \`candor onboard\`; a figure of a sample says so, what is not known says so.`,
    )
    .action((name: string | undefined, options: ProfileOptions) =>
      runCommand(context, options.output, () => runProfile(name, options, context.io)),
    );
}

async function runProfile(name: string | undefined, options: ProfileOptions, io: Io): Promise<number> {
  const config = await readCommandConfig(io, options);
  const known = await readKnown(config);
  if (name === undefined || options.pii) printReport(known, options, io);
  else printColumns(await findColumns(name, known, config), known, options, io);
  return 0;
}

/** The columns of a table, or one of them, with all levels of evidence. */
async function findColumns(name: string, { catalog }: Known, config: Config): Promise<readonly Column[]> {
  const wanted = name.toLowerCase();
  const table = catalog.tables.find(({ id }) => id === wanted || wanted.startsWith(`${id}.`));
  const stored: Table | undefined = table && (await readEvidence(config.derivedDirectory, table.id));
  const columns = (stored ?? table)?.columns ?? [];
  const found = table?.id === wanted ? columns : columns.filter(({ id }) => id === wanted);
  if (found.length > 0) return found;
  const names = table === undefined ? catalog.tables.map(({ id }) => id) : columns.map(({ id }) => id);
  const nearest = nearestNames(wanted, names, 3);
  const hint = nearest.length === 0 ? '' : `; near it: ${nearest.join(', ')}`;
  throw new CandorError('catalog.unknown-name', `There is no table or column ${name}${hint}.`, {
    data: { name, nearest },
  });
}

function printColumns(columns: readonly Column[], known: Known, options: ProfileOptions, io: Io): void {
  const { keyOverlaps } = known.catalog;
  const evidence = columns.map((column) => renderEvidence(column, options.level, keyOverlaps));
  if (options.output === 'json') {
    io.stdout.write(renderJson({ level: options.level, columns }));
    return;
  }
  const style = styleFor(io, io.stdout);
  const [first] = evidence;
  if (evidence.length === 1 && first !== undefined) {
    const lines = first.map(({ name, value }) => `${style.dim(name.padEnd(26))}  ${escapeControl(value)}`);
    io.stdout.write(`${lines.join('\n')}\n`);
    return;
  }
  const heads = first?.map(({ name }) => name) ?? [];
  const width = io.stdout.columns === undefined ? {} : { width: io.stdout.columns };
  const rows = evidence.map((line) => line.map(({ value }) => escapeControl(value)));
  io.stdout.write(`${renderTable(heads, rows, { style, ...width })}\n`);
}

function printReport({ catalog }: Known, options: ProfileOptions, io: Io): void {
  const report = reportProfiles(catalog);
  if (options.output === 'json') {
    io.stdout.write(renderJson(options.pii ? { pii: report.pii } : report));
    return;
  }
  const style = styleFor(io, io.stdout);
  const pii = report.pii.map(({ columnId, kind, because, isWithheld }) => [
    columnId,
    kind,
    isWithheld ? 'withheld' : 'kept',
    escapeControl(because),
  ]);
  section('columns that look personal or secret', ['column', 'kind', 'values', 'because'], pii);
  if (options.pii) return;
  const sampled = report.sampled.map(({ tableId, scannedRows, rowCount }) => [
    tableId,
    scannedRows,
    rowCount,
  ]);
  section('tables of which a sample was read', ['table', 'rows read', 'rows'], sampled);
  const skipped = report.skipped.map(({ tableId, because }) => [tableId, because]);
  section('tables without a profile', ['table', 'because'], skipped);

  function section(
    title: string,
    heads: readonly string[],
    rows: readonly (readonly (string | number)[])[],
  ): void {
    const body = rows.length === 0 ? style.dim('none') : renderTable(heads, rows, { style });
    io.stdout.write(`${style.bold(title)}\n${body}\n\n`);
  }
}
