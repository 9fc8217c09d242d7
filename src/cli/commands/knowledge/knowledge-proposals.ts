import { type Command, Option } from 'commander';
import type { Config } from '../../../config/index.ts';
import {
  dropProposal,
  findProposal,
  type Proposal,
  publishProposal,
  readProposals,
} from '../../../knowledge/authored/index.ts';
import { escapeControl } from '../../../lib/index.ts';
import { type CommandContext, runCommand } from '../../context/command-context.ts';
import {
  addOutputOptions,
  addProjectOptions,
  type OutputOptions,
  type ProjectOptions,
  readCommandConfig,
} from '../../context/options.ts';
import { renderJson } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';

interface ProposalsOptions extends ProjectOptions, OutputOptions {
  readonly accept?: string;
  readonly withdraw?: string;
}

/** `candor knowledge proposals`: what people said in conversations, reviewed. */
export function addKnowledgeProposalsCommand(knowledge: Command, context: CommandContext): void {
  const command = knowledge
    .command('proposals')
    .description('List what people asked to be remembered in conversations; accept or withdraw one.')
    .addOption(
      new Option(
        '--accept <key>',
        'it holds for everybody: a note, or a synonym of the semantic model',
      ).conflicts('withdraw'),
    )
    .option('--withdraw <key>', 'it holds for nobody, its author included');
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor chat "remember that an order counts only when it is paid"
  candor knowledge proposals
  candor knowledge proposals --accept 3f2a9c01d5e7
  candor knowledge proposals --withdraw 3f2a9c01d5e7

Until then a proposal holds for its author alone. All wait in knowledge/proposed.md, which stays yours to edit.`,
    )
    .action((options: ProposalsOptions) =>
      runCommand(context, options.output, () => runProposals(options, context.io)),
    );
}

async function runProposals(options: ProposalsOptions, io: Io): Promise<number> {
  const config = await readCommandConfig(io, options);
  if (options.accept !== undefined) return accept(options.accept, config, options, io);
  if (options.withdraw !== undefined) return withdraw(options.withdraw, config, options, io);
  const proposals = await readProposals(config.knowledgeDirectory);
  if (options.output === 'json') io.stdout.write(renderJson({ proposals: proposals.map(shown) }));
  else if (proposals.length === 0) io.stdout.write('Nothing waits for a review.\n');
  else for (const proposal of proposals) io.stdout.write(`${escapeControl(lineOf(proposal))}\n`);
  return 0;
}

async function accept(
  key: string,
  { knowledgeDirectory: knowledge, semanticsDirectory: semantics }: Config,
  { output }: ProposalsOptions,
  io: Io,
): Promise<number> {
  const proposal = await findProposal(knowledge, key);
  const file = await publishProposal({ knowledge, semantics }, proposal);
  // Taken out last: where writing fails it goes on waiting.
  await dropProposal(knowledge, key);
  if (output === 'json') io.stdout.write(renderJson({ ...shown(proposal), file }));
  else io.stdout.write(`${escapeControl(`everybody’s now, in ${file}: ${proposal.text}`)}\n`);
  return 0;
}

async function withdraw(key: string, config: Config, { output }: ProposalsOptions, io: Io): Promise<number> {
  const proposal = await dropProposal(config.knowledgeDirectory, key);
  if (output === 'json') io.stdout.write(renderJson(shown(proposal)));
  else io.stdout.write(`${escapeControl(`withdrawn: ${proposal.text}`)}\n`);
  return 0;
}

function shown({ key, text, by, at, tables, synonym }: Proposal): object {
  return { key, text, by, at, tables, synonym };
}

function lineOf({ key, text, by, at, synonym }: Proposal): string {
  const what = synonym === undefined ? 'note' : 'synonym';
  return `${key}  ${what}  ${text}  (${[by, at].filter((part) => part !== undefined).join(', ')})`;
}
