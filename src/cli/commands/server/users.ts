import { randomBytes, randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../../../config/index.ts';
import { CandorError } from '../../../errors.ts';
import { escapeControl } from '../../../lib/index.ts';
import { AuditLog, makeKey, openServerState, PeopleStore } from '../../../server/index.ts';
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

/** `candor users`: who may use a server, and what they did. */
export function defineUsersCommand(users: Command, context: CommandContext): void {
  users.addHelpText(
    'after',
    `
Examples:
  candor users add ann --admin            prints her key, once
  candor users add bob --group sales      what a group may see stands under server.groups in candor.yml
  candor users list
  candor users audit --since 2026-11-01

There are no passwords. Keys are kept as hashes; who loses one gets another. docs/guides/users.md says what groups can do.`,
  );
  addUserCommands(users, context);
  addUserListCommands(users, context);
}

interface ListOptions extends ProjectOptions, OutputOptions {}

interface AuditOptions extends ProjectOptions {
  readonly since: string;
  readonly until: string;
}

/** `users list` and `users audit`. */
function addUserListCommands(users: Command, context: CommandContext): void {
  addOutputOptions(
    addProjectOptions(users.command('list').description('Who there is, with groups and keys.')),
    ['table', 'json'],
  )
    .addHelpText('after', '\nExamples:\n  candor users list\n  candor users list --output json')
    .action((options: ListOptions) =>
      runCommand(context, options.output, () =>
        withPeople(options, context.io, async ({ store }) => {
          const listed = await Promise.all(
            (await store.listUsers()).map(async ({ id, ...user }) => ({
              ...user,
              keys: await store.listKeys(id),
            })),
          );
          if (options.output === 'json') return renderJson(listed);
          return listed.map(lineOf).join('');
        }),
      ),
    );
  const audit = users
    .command('audit')
    .description('What people did, as lines of JSON, the oldest first.')
    .option('--since <day>', 'from this day on, YYYY-MM-DD', parseDay, '2000-01-01')
    .option('--until <day>', 'up to this day, itself left out', parseDay, '9999-01-01');
  addProjectOptions(audit)
    .addHelpText('after', '\nExamples:\n  candor users audit --since 2026-11-01 > november.jsonl')
    .action((options: AuditOptions) =>
      runCommand(context, 'table', () =>
        withPeople(options, context.io, async ({ log }) => {
          const entries = await log.list(options.since, options.until, Number.MAX_SAFE_INTEGER);
          return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
        }),
      ),
    );
}

function lineOf(user: {
  readonly name: string;
  readonly isAdmin: boolean;
  readonly isDisabled: boolean;
  readonly groups: readonly string[];
  readonly keys: readonly { readonly prefix: string; readonly expiresAt?: string }[];
}): string {
  const { name, isAdmin, isDisabled, groups, keys } = user;
  const marks = [...(isAdmin ? ['admin'] : []), ...groups, ...(isDisabled ? ['disabled'] : [])];
  const shown = keys.map(({ prefix, expiresAt }) =>
    expiresAt === undefined ? prefix : `${prefix} until ${expiresAt.slice(0, 10)}`,
  );
  return `${escapeControl(name)}  ${marks.join(', ') || 'no group'}  keys: ${shown.join(', ') || 'none'}\n`;
}

function parseDay(value: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) throw new InvalidArgumentError('Give a day as YYYY-MM-DD.');
  return value;
}

interface ChangeOptions extends ProjectOptions {
  readonly admin?: boolean;
  readonly group: readonly string[];
  readonly days?: number;
}

const DAY_MS = 86_400_000;

/** `users add`, `key`, `revoke`, `disable` and `enable`. */
function addUserCommands(users: Command, context: CommandContext): void {
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

export interface KnownPeople {
  readonly store: PeopleStore;
  readonly log: AuditLog;
  readonly config: Config;
}

/** Names of the groups that some workspace of a project gives rights to. Throws `config.*`. */
async function groupsOfWorkspaces({ server }: Config, io: Io): Promise<ReadonlySet<string>> {
  const folders = Object.values(server.workspaces);
  const others = await Promise.all(folders.map((project) => readCommandConfig(io, { project })));
  return new Set(
    [server, ...others.map((other) => other.server)].flatMap(({ groups }) => Object.keys(groups)),
  );
}

/** Runs work on the users of a project and prints what it says. Throws `config.*`, `store.unusable`. */
async function withPeople(
  options: ProjectOptions,
  io: Io,
  work: (people: KnownPeople) => Promise<string>,
): Promise<number> {
  const config = await readCommandConfig(io, options);
  const state = await openServerState(config);
  try {
    io.stdout.write(await work({ store: new PeopleStore(state), log: new AuditLog(state), config }));
    return 0;
  } finally {
    await state.close();
  }
}
