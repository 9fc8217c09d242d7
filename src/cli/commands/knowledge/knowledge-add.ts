import { type Command, Option } from 'commander';
import { addNote } from '../../../knowledge/authored/index.ts';
import { readKnown } from '../../../onboarding/index.ts';
import { type CommandContext, runCommand } from '../../context/command-context.ts';
import {
  addOutputOptions,
  addProjectOptions,
  collectText,
  type OutputOptions,
  type ProjectOptions,
  readCommandConfig,
} from '../../context/options.ts';
import { renderJson } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';
import { dayOfWriting, findTableId } from './knowledge-sources.ts';

interface AddOptions extends ProjectOptions, OutputOptions {
  readonly topic?: string;
  readonly table: readonly string[];
  readonly area: readonly string[];
  readonly kind?: 'background' | 'data' | 'preference';
  readonly user?: string;
  readonly by?: string;
}

/** `candor knowledge add note`: writes a business rule down. */
export function addKnowledgeAddCommand(knowledge: Command, context: CommandContext): void {
  const add = knowledge.command('add').description('Write something down in knowledge/.');
  const command = add
    .command('note')
    .description('Write a business rule down in plain words, one statement a note.')
    .argument('<text>', 'the rule, 2,000 characters at most')
    .option('--topic <words>', 'heading it goes under, and name of its file (default: Notes)')
    .option('--table <name>', 'a table it is about; may be given again', collectText, [])
    .option('--area <id>', 'a product area it holds for; may be given again', collectText, [])
    .addOption(new Option('--kind <kind>', 'what it is for').choices(['background', 'data', 'preference']))
    .option('--user <name>', 'whose it is alone (default: everybody’s)')
    .option('--by <name>', 'who says so (default: `user` of candor.yml)');
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor knowledge add note "An order counts on the day it is signed (\`orders.signed_on\`)." --topic Definitions
  candor knowledge add note "Money is in EUR." --table orders --kind data
  candor knowledge add note "I want figures by week." --user ada --kind preference

Names written as \`code\` are linked to tables and columns. The file stays yours to edit; nothing else in it changes.`,
    )
    .action((text: string, options: AddOptions) =>
      runCommand(context, options.output, () => runAdd(text, options, context.io)),
    );
}

async function runAdd(text: string, options: AddOptions, io: Io): Promise<number> {
  const config = await readCommandConfig(io, options);
  const tables = options.table.length === 0 ? [] : await tableIds(options.table);
  const by = options.by ?? config.user;
  const file = await addNote(config.knowledgeDirectory, {
    text,
    tables,
    areas: [...options.area],
    at: dayOfWriting(),
    ...(by === undefined ? {} : { by }),
    ...(options.topic === undefined ? {} : { topic: options.topic }),
    ...(options.kind === undefined ? {} : { kind: options.kind }),
    ...(options.user === undefined ? {} : { user: options.user }),
  });
  const path = `knowledge/${file}`;
  io.stdout.write(options.output === 'json' ? renderJson({ file: path, tables }) : `added to ${path}\n`);
  return 0;

  async function tableIds(written: readonly string[]): Promise<string[]> {
    const { catalog } = await readKnown(config);
    return written.map((name) => findTableId(name, catalog));
  }
}
