import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Config, readConfig } from '../../config/index.ts';
import { redactUrl } from '../../database/http/index.ts';
import type { SessionProperties } from '../../sql/rewrite/index.ts';
import { shellQuote } from '../render/index.ts';
import type { Io } from '../terminal/io.ts';
import type { OutputFormat } from './command-context.ts';

/** Which project and database a command works on. */
export interface ProjectOptions {
  readonly project?: string;
  readonly database?: string;
}

export interface OutputOptions {
  readonly output: OutputFormat;
  readonly quiet?: boolean;
}

/** Adds `--project`. */
export function addProjectOption(command: Command): Command {
  return command.option(
    '--project <dir>',
    'project folder (default: the nearest folder with a candor.yml, upwards from here)',
  );
}

/** Adds `--project` and `--database`. */
export function addProjectOptions(command: Command): Command {
  return addProjectOption(command).option(
    '--database <url>',
    'database to use: a URL or a name from `connections` (default: the one in candor.yml)',
  );
}

/** Whom to ask besides the built-in engine. */
export interface ModelOptions {
  readonly model?: string;
  readonly private?: boolean;
}

/** Adds `--model` and `--private`. */
export function addModelOptions(
  command: Command,
  otherwise: 'model.name of candor.yml' | 'the built-in engine' = 'model.name of candor.yml',
): Command {
  return command
    .option(
      '--model <name>',
      `a language model: openai:<model>, anthropic:<model>, google:<model>, gguf:<file>; none: the built-in engine (default: ${otherwise})`,
    )
    .option('--private', 'tell the model no cell of the database: names, types and redacted examples only');
}

/** Adds `--property`, which may be given several times. */
export function addPropertyOption(command: Command): Command {
  return command.option(
    '--property <name=value>',
    'a session property that row filters name as :name; may be given again',
    collectProperty,
    {},
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
export function readCommandConfig(
  io: Io,
  { project, database, model, private: isPrivate }: ProjectOptions & ModelOptions,
  sessionProperties: SessionProperties = {},
): Promise<Config> {
  return readConfig({
    cwd: io.cwd,
    sessionProperties,
    ...(project === undefined ? {} : { project }),
    ...(database === undefined ? {} : { database }),
    ...(model === undefined ? {} : { model }),
    ...(isPrivate === undefined ? {} : { isPrivate }),
    ...(io.env === undefined ? {} : { env: io.env }),
  });
}

/** A command of ours as the person would type it, with the project and database they named. */
export function commandLine(io: Io, verb: string, { project, database }: ProjectOptions): string {
  const flags = [
    ...(project === undefined ? [] : ['--project', shellQuote(project)]),
    ...(database === undefined ? [] : ['--database', shellQuote(redactUrl(database))]),
  ];
  return [io.program, verb, ...flags].join(' ');
}

/** For options that may be given again: all their values, in order. */
export function collectText(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

/** Reads `name=value` beside those given before; a value that is a whole number counts as one. */
function collectProperty(text: string, before: SessionProperties): SessionProperties {
  const [, name, value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('Give name=value, for example tenant=7.');
  const isNumber = /^-?(?:0|[1-9]\d{0,14})$/.test(value);
  return { ...before, [name]: isNumber ? Number(value) : value };
}

/** Reads an assumption and what to take instead: `time=all`. */
export function collectChoice(
  text: string,
  before: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const [, id, choice] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (id === undefined || choice === undefined)
    throw new InvalidArgumentError('Give id=choice as an answer prints it, for example time=all.');
  return { ...before, [id]: choice };
}

/** Reads a number of rows: `250000`, `250k`, `50M`, `2G`. */
export function parseRows(text: string): number {
  const [, digits = '', unit = ''] = /^([1-9]\d{0,14})([kMG]?)$/.exec(text) ?? [];
  const rows = Number(digits) * ({ '': 1, k: 1e3, M: 1e6, G: 1e9 }[unit] ?? 1);
  if (digits !== '' && Number.isSafeInteger(rows)) return rows;
  throw new InvalidArgumentError('Give a number of rows such as 250000, 250k or 50M.');
}

/** Reads a whole number of at least one. */
export function parseCount(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give a whole number from 1 to 9999999.');
}

/** Reads a share strictly between 0 and 1. */
export function parseShare(text: string): number {
  const share = /^0?\.\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (share > 0 && share < 1) return share;
  throw new InvalidArgumentError('Give a share between 0 and 1 such as 0.1.');
}

/** Reads a rate from 0 to 1, both included. */
export function parseRate(text: string): number {
  const rate = /^(?:[01]?\.\d{1,6}|[01])$/.test(text) ? Number(text) : Number.NaN;
  if (rate >= 0 && rate <= 1) return rate;
  throw new InvalidArgumentError('Give a rate from 0 to 1 such as 0.95.');
}

/** Reads an amount of US dollars. */
export function parseDollars(text: string): number {
  const dollars = /^\d{0,6}(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (dollars > 0) return dollars;
  throw new InvalidArgumentError('Give an amount of US dollars above 0 such as 1.50.');
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

/** A TCP port; 0 is any that is free. */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new InvalidArgumentError('Give a port from 0 to 65535.');
}
