import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Config, readConfig } from '../config/index.ts';
import type { OutputFormat } from './command-context.ts';
import type { Io } from './io.ts';
import { shellQuote } from './render/index.ts';

/** Which project and database a command works on. */
export interface ProjectOptions {
  readonly project?: string;
  readonly database?: string;
}

export interface OutputOptions {
  readonly output: OutputFormat;
  readonly quiet?: boolean;
}

/** Adds `--project` and `--database`. */
export function addProjectOptions(command: Command): Command {
  return command
    .option(
      '--project <dir>',
      'project folder (default: the nearest folder with a candor.yml, upwards from here)',
    )
    .option(
      '--database <url>',
      'database to use, sqlite:path or duckdb:path (default: the one in candor.yml)',
    );
}

/** Adds `--output` with the formats a command can print, and `--quiet`. */
export function addOutputOptions(command: Command, formats: readonly OutputFormat[]): Command {
  return command
    .addOption(
      new Option('--output <format>', 'how to print on stdout').choices([...formats]).default('table'),
    )
    .option('--quiet', 'no progress and no notices on stderr; errors are still printed');
}

/** Reads the configuration a command was pointed at. */
export function readCommandConfig(io: Io, { project, database }: ProjectOptions): Promise<Config> {
  return readConfig({
    cwd: io.cwd,
    ...(project === undefined ? {} : { project }),
    ...(database === undefined ? {} : { database }),
    ...(io.env === undefined ? {} : { env: io.env }),
  });
}

/** A command of ours as the person would type it, with the project and database they named. */
export function commandLine(io: Io, verb: string, { project, database }: ProjectOptions): string {
  const flags = [
    ...(project === undefined ? [] : ['--project', shellQuote(project)]),
    ...(database === undefined ? [] : ['--database', shellQuote(database)]),
  ];
  return [io.program, verb, ...flags].join(' ');
}

/** Reads a whole number of at least one. */
export function parseCount(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give a whole number from 1 to 9999999.');
}

/** Reads a day, YYYY-MM-DD, that exists. */
export function parseDay(text: string): string {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(text)) return text;
  throw new InvalidArgumentError('Give a day as YYYY-MM-DD.');
}

/** Noon UTC of a day: the same calendar day in nearly every time zone. */
export function noonOf(day: string): Date {
  return new Date(`${day}T12:00:00Z`);
}
