import { type Command, Option } from 'commander';
import { CandorError } from '../../../errors.ts';
import { type NewStatus, setStatus } from '../../../knowledge/authored/folder/index.ts';
import { readKnown } from '../../../onboarding/index.ts';
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
import { dayOfWriting, findTableId } from './knowledge-sources.ts';

interface CertifyOptions extends ProjectOptions, OutputOptions {
  readonly deprecate?: boolean;
  readonly why?: string;
  readonly replacedBy?: string;
  readonly by?: string;
}

/** `candor knowledge certify`: says which tables to trust. */
export function addKnowledgeCertifyCommand(knowledge: Command, context: CommandContext): void {
  const command = knowledge
    .command('certify')
    .description('Say that a table is to be trusted, or no longer used.')
    .argument('<table>', 'name of the table')
    .option('--deprecate', 'it is not to be used any more')
    .option('--why <words>', 'the reason, for those who meet it')
    .addOption(
      new Option('--replaced-by <table>', 'the table to use in its place; with --deprecate').implies({
        deprecate: true,
      }),
    )
    .option('--by <name>', 'who says so (default: `user` of candor.yml)');
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor knowledge certify orders --by ada
  candor knowledge certify orders_2019 --replaced-by orders --why "moved in 2020"

Written to knowledge/status.yml; a later word on the same table replaces the earlier one. Deprecated tables are not
offered to questions; certified ones come first where two are as good.`,
    )
    .action((table: string, options: CertifyOptions) =>
      runCommand(context, options.output, () => runCertify(table, options, context.io)),
    );
}

async function runCertify(written: string, options: CertifyOptions, io: Io): Promise<number> {
  const config = await readCommandConfig(io, options);
  const by = options.by ?? config.user;
  if (by === undefined)
    throw new CandorError(
      'knowledge.refused',
      'It is not known who says so: give --by, or set `user` in candor.yml.',
    );
  const { catalog } = await readKnown(config);
  const status: NewStatus = {
    table: findTableId(written, catalog),
    status: options.deprecate === true ? 'deprecated' : 'certified',
    by,
    at: dayOfWriting(),
    ...(options.why === undefined ? {} : { why: options.why }),
    ...(options.replacedBy === undefined ? {} : { replacedBy: findTableId(options.replacedBy, catalog) }),
  };
  await setStatus(config.knowledgeDirectory, status);
  if (options.output === 'json') io.stdout.write(renderJson(status));
  else io.stdout.write(`${status.table} is ${status.status}, says ${by}: knowledge/status.yml\n`);
  return 0;
}
