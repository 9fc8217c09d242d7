import { readFile, rename, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import {
  type ConverseOptions,
  converse,
  keepIn,
  NEW_TALK,
  parseTalk,
  type Reply,
  type Talk,
} from '../../../agent/index.ts';
import { CandorError, toCandorError } from '../../../errors.ts';
import { ANSWER_MODE_NAMES, type AnswerMode } from '../../../generation/index.ts';
import type { Session } from '../../../session/index.ts';
import type { SessionProperties } from '../../../sql/rewrite/index.ts';
import { type CommandContext, runCommand, styleFor } from '../../context/command-context.ts';
import {
  addModelOptions,
  addOutputOptions,
  addProjectOptions,
  addPropertyOption,
  type ModelOptions,
  noonOf,
  type OutputOptions,
  type ProjectOptions,
  parseDay,
  parseShare,
  readCommandConfig,
} from '../../context/options.ts';
import { cardLayout, withSession } from '../../context/with-session.ts';
import { errorJson, makeProgress, renderError, renderJson, renderReply } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';
import { ERROR_EXIT } from '../../terminal/io.ts';

/** `candor chat`: a conversation, a line a turn; what is asked goes on from what was asked. */
export function defineChatCommand(command: Command, context: CommandContext): void {
  command
    .argument('[turns...]', 'what to say, one turn each; without any, lines of standard input')
    .option('--guided', 'show the tables of a question to choose from before its query is written')
    .option('--talk <file>', 'go on with the talk in this file, and keep it there; made where there is none')
    .option(
      '--hint <text>',
      'what the questions do not say themselves: definitions, formulas, meanings of codes',
    )
    .addOption(
      new Option('--mode <mode>', 'with a model: how much it may spend on a query').choices([
        ...ANSWER_MODE_NAMES,
      ]),
    )
    .option(
      '--target-risk <share>',
      'share of answers that may be wrong (default: targetRisk of candor.yml)',
      parseShare,
    )
    .option('--today <day>', 'the day that "today" and "this year" refer to, YYYY-MM-DD', parseDay);
  addModelOptions(command);
  addPropertyOption(command);
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor chat                                              at a terminal: a line is a turn, :quit ends it
  candor chat "how many orders per city?" "only 2024" "explain this query"
  candor chat --guided "revenue by region" ok              first its tables, then the query over the ticked ones
  candor chat "which tables hold revenue?" "fix: SELECT nmae FROM customers"
  candor chat --talk monday.json "and by month?"           goes on where the talk in the file ended
  candor chat --output json < turns.txt                    one reply a line, for scripts

Lines that begin with a colon: :guided on, :guided off, :new (forget what was said), :help, :quit. A line that ends with \\
goes on in the next one. A turn that fails is told on stderr and the talk goes on; the exit code is that of the first failure.`,
    )
    .action((turns: readonly string[], options: ChatOptions) =>
      runCommand(context, options.output, () => runChat(turns, options, context.io)),
    );
}

export async function runChat(turns: readonly string[], options: ChatOptions, io: Io): Promise<number> {
  const lines = turns.length > 0 ? turns : io.readLines?.('> ');
  if (lines === undefined)
    throw new CandorError(
      'question.empty',
      'There is nothing to say: give turns, or lines on standard input.',
    );
  const config = await readCommandConfig(io, options, options.property);
  if (config.model === undefined && options.mode !== undefined)
    throw new CandorError(
      'model.none',
      'There is no model to choose a mode for: the built-in engine answers.',
    );
  const file = options.talk === undefined ? undefined : resolve(io.cwd, options.talk);
  const talk = file === undefined ? NEW_TALK : await readTalk(file);
  return withSession(config, io, options.quiet === true, (session) =>
    new ChatLoop(
      session,
      { io, options, file, now: options.today === undefined ? undefined : noonOf(options.today) },
      talk,
    ).run(lines),
  );
}

export interface ChatPlace {
  readonly io: Io;
  readonly options: ChatOptions;
  /** Where the talk is kept. */
  readonly file: string | undefined;
  readonly now: Date | undefined;
}

const SHOWN_ROWS = 20;
const HELP = 'Lines with a colon: :guided on, :guided off, :new, :help, :quit. All else is said.';

/** Reads turns, says what they come to, and goes on; lives for one command. */
class ChatLoop {
  readonly #opened: Session;
  /** With what was said to be remembered since. */
  #session: Session;
  readonly #place: ChatPlace;
  #talk: Talk;
  #isGuided: boolean;
  #exitCode = 0;

  constructor(session: Session, place: ChatPlace, talk: Talk) {
    this.#opened = session;
    this.#session = session;
    this.#place = place;
    this.#talk = talk;
    this.#isGuided = place.options.guided === true;
  }

  /** The exit code: that of the first turn that failed. */
  async run(lines: Iterable<string> | AsyncIterable<string>): Promise<number> {
    let begun = '';
    for await (const line of lines) {
      if (line.endsWith('\\')) {
        begun += `${line.slice(0, -1)}\n`;
        continue;
      }
      const text = `${begun}${line}`.trim();
      begun = '';
      if (text === ':quit' || text === ':q') break;
      if (text.startsWith(':')) await this.#command(text);
      else if (text !== '') await this.#say(text);
    }
    this.#place.io.signal.throwIfAborted();
    if (begun.trim() !== '') await this.#say(begun.trim());
    return this.#exitCode;
  }

  async #command(text: string): Promise<void> {
    const { io } = this.#place;
    if (text === ':new') {
      this.#talk = NEW_TALK;
      await this.#keep();
      io.stderr.write('a new talk\n');
    } else if (text === ':guided on' || text === ':guided off') {
      this.#isGuided = text.endsWith('on');
      io.stderr.write(`guided ${this.#isGuided ? 'on: the tables come first' : 'off'}\n`);
    } else io.stderr.write(text === ':help' ? `${HELP}\n` : `There is no ${text.split(' ')[0]}. ${HELP}\n`);
  }

  async #say(text: string): Promise<void> {
    const { io, options, now } = this.#place;
    const { mode, hint, targetRisk, quiet } = options;
    // The built-in engine answers before a line could be read.
    const progress = makeProgress(io.stderr, quiet === true || this.#session.models === undefined);
    const asking: ConverseOptions = {
      ...(mode !== undefined && { mode }),
      ...(hint !== undefined && { hint }),
      ...(targetRisk !== undefined && { targetRisk }),
      ...(now !== undefined && { now }),
      signal: io.signal,
      keep: async (change) => {
        const kept = await keepIn(this.#opened)(change);
        this.#session = await this.#opened.withKnowledgeNow();
        return kept;
      },
      onEvent: (event) => {
        if (event.kind === 'stage') progress.report({ stage: event.stage, done: 0, total: 0 });
      },
    };
    try {
      const turn = { text, guided: this.#isGuided };
      const reply = await converse(turn, this.#talk, this.#session, asking).finally(progress.clear);
      this.#talk = reply.talk;
      this.#print(reply);
    } catch (error) {
      // Whoever pressed Ctrl-C wants no further turn.
      if (io.signal.aborted) throw error;
      this.#printFailure(toCandorError(error));
    }
    await this.#keep();
  }

  #print(reply: Reply): void {
    const { io, options } = this.#place;
    if (options.output === 'json') {
      io.stdout.write(renderJson(reply, 0));
      return;
    }
    const size = { maxRows: SHOWN_ROWS, isExecuted: options.mode !== 'no-execution' };
    const layout = cardLayout(this.#session, io, io.stdout, options, size);
    io.stdout.write(`${renderReply(reply, layout)}\n`);
  }

  #printFailure(failure: CandorError): void {
    const { io, options } = this.#place;
    if (options.output === 'json') io.stdout.write(renderJson(errorJson(failure), 0));
    io.stderr.write(renderError(failure, styleFor(io, io.stderr)));
    if (this.#exitCode === 0) this.#exitCode = ERROR_EXIT[failure.kind];
  }

  async #keep(): Promise<void> {
    const { file } = this.#place;
    if (file !== undefined) await writeTalk(file, this.#talk);
  }
}

interface ChatOptions extends ProjectOptions, OutputOptions, ModelOptions {
  readonly guided?: boolean;
  readonly talk?: string;
  readonly mode?: AnswerMode;
  readonly hint?: string;
  readonly today?: string;
  readonly targetRisk?: number;
  readonly property: SessionProperties;
}

/** A talk that is kept in a file, or a new one where there is no file yet. Throws `talk.invalid`. */
async function readTalk(path: string): Promise<Talk> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return NEW_TALK;
    throw new CandorError('talk.invalid', `cannot read ${path}: ${messageOf(error)}`, { cause: error });
  }
  try {
    return parseTalk(JSON.parse(text));
  } catch (error) {
    throw new CandorError('talk.invalid', `${path}: ${messageOf(error)}`, { cause: error });
  }
}

/** Whole or not at all. Throws `talk.not-writable`. */
async function writeTalk(path: string, talk: Talk): Promise<void> {
  try {
    await writeFile(`${path}.tmp`, `${JSON.stringify(talk, null, 2)}\n`);
    await rename(`${path}.tmp`, path);
  } catch (error) {
    throw new CandorError('talk.not-writable', `cannot write ${path}: ${messageOf(error)}`, { cause: error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
