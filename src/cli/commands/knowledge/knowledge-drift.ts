import type { Command } from 'commander';
import { findDrift } from '../../../knowledge/graph/index.ts';
import { escapeControl } from '../../../lib/index.ts';
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
import { readKnowledgeSources } from './knowledge-sources.ts';

interface DriftOptions extends ProjectOptions, OutputOptions {
  readonly limit: number;
}

const DEFAULT_SHOWN = 100;
/** As a replay that came out differently: what was written down no longer holds. */
const DRIFTED = 1;

/** `candor knowledge drift`: what is written down and no longer true of the database. */
export function addKnowledgeDriftCommand(knowledge: Command, context: CommandContext): void {
  const command = knowledge
    .command('drift')
    .description('Find what notes, metrics, verified pairs and logs name that the database no longer has.')
    .option('--limit <n>', 'lines at most', parseCount, DEFAULT_SHOWN);
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor onboard && candor knowledge drift     after a change of the schema, in CI

The exit code is 0 when everything holds and 1 when something does not. Names are compared with the last onboarding.`,
    )
    .action((options: DriftOptions) =>
      runCommand(context, options.output, () => runDrift(options, context.io)),
    );
}

async function runDrift(options: DriftOptions, io: Io): Promise<number> {
  const sources = await readKnowledgeSources(await readCommandConfig(io, options));
  const drift = findDrift(sources);
  if (options.output === 'json') {
    io.stdout.write(renderJson(drift));
  } else if (drift.length === 0) {
    io.stdout.write('everything that is written down is there\n');
  } else {
    const style = styleFor(io, io.stdout);
    const rows = drift
      .slice(0, options.limit)
      .map(({ kind, place, what }) => [kind, place, escapeControl(what)]);
    io.stdout.write(`${renderTable(['of', 'place', 'what'], rows, { style })}\n`);
    const cut = drift.length > options.limit ? `, ${options.limit} shown: raise --limit` : '';
    io.stdout.write(`${style.dim(`${counted(drift.length, 'finding')}${cut}`)}\n`);
  }
  return drift.length === 0 ? 0 : DRIFTED;
}
