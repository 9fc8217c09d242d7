import type { Argument, Command, Option } from 'commander';
import { buildWholeProgram, EXIT_CODES } from '../src/cli/index.ts';
import { CONFIG_DEFAULTS, CONFIG_SCHEMA } from '../src/config/index.ts';
import { SESSION_SETTINGS } from '../src/database/session-settings/index.ts';
import { ERROR_TABLE } from '../src/errors.ts';

const NOTE = '<!-- Written by scripts/generate-docs.ts; change the source, then run it again. -->';

/** The pages of docs/reference by file name. */
export async function renderReference(): Promise<
  Record<'cli.md' | 'config.md' | 'errors.md' | 'settings.md', string>
> {
  return {
    'cli.md': await renderCommands(),
    'config.md': renderConfig(),
    'errors.md': renderErrors(),
    'settings.md': renderSettings(),
  };
}

function renderSettings(): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  const sections = Object.entries(SESSION_SETTINGS).flatMap(([dialect, settings]) => [
    `## ${dialect}`,
    [
      '| setting | value | what another value changes | how it is held |',
      '|---|---|---|---|',
      ...settings.map(
        ({ name, value, changes, hold, isRequired, only }) =>
          `| \`${name}\`${only === undefined ? '' : ` (${only})`} | ${value === '' ? 'empty' : `\`${cell(value)}\``} | ${cell(changes)} | ${isRequired ? 'required' : hold} |`,
      ),
    ].join('\n'),
  ]);
  return page('Settings that change rows', [
    'Every session of ours is set to these values, whatever the server, the account or the machine has as its default.',
    '`pinned`: where an engine does not take the value, each answer says so. `required`: our reading of the statement relies on it, so an engine that does not take it is not used. `watched`: no session may set it; where it has another value, each answer says so.',
    ...sections,
  ]);
}

async function renderCommands(): Promise<string> {
  const silent = { write: () => {}, isTerminal: false };
  const program = await buildWholeProgram({
    io: { stdout: silent, stderr: silent, cwd: '.', program: 'candor', signal: new AbortController().signal },
    finish: () => {},
  });
  const exits = EXIT_CODES.map(({ code, meaning }) => `| ${code} | ${meaning} |`);
  return page('The command line', [
    'stdout has data only; progress, notices and errors go to stderr.',
    ...commandsBelow(program).flatMap(renderCommand),
    '## Exit codes',
    ['| code | meaning |', '|---|---|', ...exits].join('\n'),
  ]);
}

/** Every command with its full name, groups before their members. */
function commandsBelow(command: Command, prefix = 'candor'): { name: string; command: Command }[] {
  return command.commands.flatMap((child) => {
    const name = `${prefix} ${child.name()}`;
    return [{ name, command: child }, ...commandsBelow(child, name)];
  });
}

function renderCommand({ name, command }: { name: string; command: Command }): string[] {
  const parts = [
    ...command.registeredArguments.map((argument) => [`\`${placeOf(argument)}\``, argument.description]),
    ...command.options.map((option) => [`\`${option.flags}\``, describeOption(option)]),
  ].map((cells) => `| ${cells.map((cell) => (cell ?? '').replaceAll('|', '\\|')).join(' | ')} |`);
  const table =
    parts.length === 0 ? [] : [['| argument or flag | meaning |', '|---|---|', ...parts].join('\n')];
  return [`## ${name}`, command.description(), ...table];
}

function placeOf(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function describeOption({ description, argChoices, defaultValue }: Option): string {
  const choices = argChoices ? ` (${argChoices.join(', ')})` : '';
  const isTold = defaultValue === undefined || typeof defaultValue === 'boolean';
  return `${description}${choices}${isTold ? '' : ` (default: ${String(defaultValue)})`}`;
}

function renderConfig(): string {
  const defaults: Record<string, number | string> = {
    'limits.rows': CONFIG_DEFAULTS.limits.rows,
    'limits.bytes': CONFIG_DEFAULTS.limits.bytes,
    'limits.timeoutMs': CONFIG_DEFAULTS.limits.timeoutMs,
    'profile.pii': CONFIG_DEFAULTS.profile.pii,
    'search.embedding': CONFIG_DEFAULTS.search.embedding,
    minProbability: CONFIG_DEFAULTS.minProbability,
  };
  const { limits, profile, values, search, ...keys } = CONFIG_SCHEMA.shape;
  const sections = Object.entries({ limits, profile, values, search }).flatMap(([section, schema]) =>
    Object.entries(schema.unwrap().shape).map(([key, inner]) => [`${section}.${key}`, inner] as const),
  );
  const rows = [...Object.entries(keys), ...sections].map(
    ([key, schema]) => `| \`${key}\` | ${schema.description ?? ''} | ${defaults[key] ?? ''} |`,
  );
  return page('candor.yml', [
    'Text values may hold `$' +
      '{NAME}`, which takes an environment variable. See [the project folder](../guides/project-folder.md).',
    ['| key | meaning | default |', '|---|---|---|', ...rows].join('\n'),
    '## Environment variables',
    [
      '| variable | meaning |',
      '|---|---|',
      '| `NO_COLOR` | no colour and no underlining, whatever its value; also off when stdout is no terminal |',
      '| `CANDOR_DATA` | folder of the benchmark data for `candor eval` |',
      '| `CANDOR_EVAL_POSTGRES` | PostgreSQL server that `candor eval defog` and `candor eval broken` make databases on, as an account that may create them |',
      '| `CANDOR_EVAL_MARIADB` | MariaDB server that `candor eval broken` makes a database on, as an account that may create it |',
      '| `PGPASSWORD`, `MYSQL_PWD`, `TRINO_PASSWORD` | the password where a `postgres://`, `mysql://` or `trino://` URL names a user and none |',
      '| `GOOGLE_APPLICATION_CREDENTIALS` | the key file where a `bigquery://` URL names none |',
    ].join('\n'),
  ]);
}

function renderErrors(): string {
  const rows = Object.entries(ERROR_TABLE).map(
    ([code, { kind, next }]) => `| \`${code}\` | ${kind} | ${next} |`,
  );
  return page('Error codes', [
    'A code is `stage.reason` and is never used for anything else. `caller`: what was given is wrong (exit code 2). ' +
      '`environment`: a file, an engine or missing data (3). `bug`: ours (70). With `--output json`, stdout has ' +
      '`{"error": {"code", "message", "next", "data"}}`.',
    ['| code | kind | what to do |', '|---|---|---|', ...rows].join('\n'),
  ]);
}

function page(title: string, blocks: readonly string[]): string {
  return `${[`# ${title}`, NOTE, ...blocks].join('\n\n')}\n`;
}
