import { randomBytes, randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import { CandorError } from '../../errors.ts';
import { makeKey, type PeopleStore } from '../../server/index.ts';
import { type CommandContext, runCommand } from '../command-context.ts';
import { addProjectOptions, type ProjectOptions } from '../options.ts';
import { groupsOfWorkspaces, withPeople } from '../with-people.ts';

interface ChangeOptions extends ProjectOptions {
  readonly admin?: boolean;
  readonly group: readonly string[];
  readonly days?: number;
}

const DAY_MS = 86_400_000;

/** `users add`, `key`, `revoke`, `disable` and `enable`. */
export function addUserCommands(users: Command, context: CommandContext): void {
  addAdd(users, context);
  addKey(users, context);
  const change = (
    { usage, description, example }: Change,
    work: (given: string, store: PeopleStore) => Promise<string>,
  ): void => {
    addProjectOptions(users.command(usage).description(description))
      .addHelpText('after', `\nExamples:\n  ${example}`)
      .action((given: string, options: ProjectOptions) =>
        runCommand(context, 'table', () =>
          withPeople(options, context.io, async ({ store }) => `${await work(given, store)}\n`),
        ),
      );
  };
  change(
    {
      usage: 'revoke <key>',
      description: 'A key no longer works; its first letters name it.',
      example: 'candor users revoke 1f3a9c02',
    },
    async (prefix, store) => {
      await store.revokeKey(prefix);
      return `revoked ${prefix}`;
    },
  );
  change(
    {
      usage: 'disable <name>',
      description: 'Somebody may no longer do anything; what they did stays.',
      example: 'candor users disable bob',
    },
    async (name, store) => {
      await store.changeUser(name, { isDisabled: true });
      return `disabled ${name}`;
    },
  );
  change(
    { usage: 'enable <name>', description: 'Takes that back.', example: 'candor users enable bob' },
    async (name, store) => {
      await store.changeUser(name, { isDisabled: false });
      return `enabled ${name}`;
    },
  );
}

interface Change {
  readonly usage: string;
  readonly description: string;
  readonly example: string;
}

function addAdd(users: Command, context: CommandContext): void {
  const command = users
    .command('add <name>')
    .description('Add somebody and print their key, once.')
    .option('--admin', 'sees every table and the audit log')
    .option('--group <name>', 'a group of server.groups; may be given again', collectGroup, [])
    .option('--days <n>', 'after so many days the key no longer works', parseDays);
  addProjectOptions(command)
    .addHelpText(
      'after',
      '\nExamples:\n  candor users add ann --admin\n  candor users add bob --group sales --days 90',
    )
    .action((name: string, options: ChangeOptions) =>
      runCommand(context, 'table', () =>
        withPeople(options, context.io, async ({ store, config }) => {
          checkName(name);
          const known = await groupsOfWorkspaces(config, context.io);
          for (const group of options.group)
            if (!known.has(group))
              throw new CandorError(
                'people.unknown-group',
                `There is no group ${JSON.stringify(group.slice(0, 80))}.`,
              );
          const [id, now] = [randomUUID(), new Date()];
          const isAdmin = options.admin === true;
          await store.addUser({ id, name, isAdmin, groups: options.group, createdAt: now.toISOString() });
          return giveKey(store, id, options, now);
        }),
      ),
    );
}

function addKey(users: Command, context: CommandContext): void {
  const command = users
    .command('key <name>')
    .description('Give somebody another key and print it, once.')
    .option('--days <n>', 'after so many days it no longer works', parseDays);
  addProjectOptions(command)
    .addHelpText('after', '\nExamples:\n  candor users key ann\n  candor users key reports --days 365')
    .action((name: string, options: ChangeOptions) =>
      runCommand(context, 'table', () =>
        withPeople(options, context.io, async ({ store }) =>
          giveKey(store, (await store.readUser(name)).id, options, new Date()),
        ),
      ),
    );
}

async function giveKey(
  store: PeopleStore,
  id: string,
  { days }: Pick<ChangeOptions, 'days'>,
  now: Date,
): Promise<string> {
  const key = makeKey(randomBytes);
  const expiresAt = days === undefined ? undefined : new Date(now.getTime() + days * DAY_MS).toISOString();
  await store.addKey(id, key, {
    createdAt: now.toISOString(),
    ...(expiresAt !== undefined && { expiresAt }),
  });
  return `${key}\n`;
}

function checkName(name: string): void {
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,79}$/u.test(name))
    throw new CandorError(
      'people.unknown',
      `${JSON.stringify(name.slice(0, 80))} is no name: use letters, digits and . _ @ -.`,
    );
}

function collectGroup(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

function parseDays(value: string): number {
  const days = Number(value);
  if (!Number.isInteger(days) || days < 1 || days > 3_650)
    throw new InvalidArgumentError('Give whole days from 1 to 3650.');
  return days;
}
