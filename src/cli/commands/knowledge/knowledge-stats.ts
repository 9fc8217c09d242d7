import type { Command } from 'commander';
import { openStoredClusters } from '../../../knowledge/base/index.ts';
import { buildKnowledgeGraph } from '../../../knowledge/graph/index.ts';
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
import { readKnowledgeSources } from './knowledge-sources.ts';

type StatsOptions = ProjectOptions & OutputOptions;

/** `candor knowledge stats`: how much is known, and who said it. */
export function addKnowledgeStatsCommand(knowledge: Command, context: CommandContext): void {
  const command = knowledge
    .command('stats')
    .description('Count what is known of the database, who said it, and what nobody has described.');
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command.action((options: StatsOptions) =>
    runCommand(context, options.output, () => runStats(options, context.io)),
  );
}

async function runStats(options: StatsOptions, io: Io): Promise<number> {
  const config = await readCommandConfig(io, options);
  const sources = await readKnowledgeSources(config);
  // Only what was made already: counting must not take minutes.
  const clustering = await openStoredClusters(config);
  const stats = buildKnowledgeGraph({ ...sources, clustering }).stats();
  clustering?.close();
  if (options.output === 'json') {
    io.stdout.write(renderJson(stats));
    return 0;
  }
  const style = styleFor(io, io.stdout);
  const print = (heads: readonly string[], counts: Readonly<Record<string, number>>): void => {
    io.stdout.write(`${renderTable(heads, Object.entries(counts), { style })}\n\n`);
  };
  print(['thing', 'number'], stats.things);
  print(['facts by', 'number'], stats.facts);
  const { tables, columns } = stats.undescribed;
  io.stdout.write(`without a description: ${tables} of the tables, ${columns} of the columns\n`);
  return 0;
}
