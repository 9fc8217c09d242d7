import {
  type ConverseOptions,
  converse,
  keepIn,
  NEW_TALK,
  type Reply,
  type Talk,
} from '../../agent/index.ts';
import { type CandorError, toCandorError } from '../../errors.ts';
import type { Session } from '../../session.ts';
import { withKnowledgeNow } from '../../session-for-reader.ts';
import { styleFor } from '../command-context.ts';
import { ERROR_EXIT } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { errorJson, makeProgress, renderError, renderJson, renderReply } from '../render/index.ts';
import { writeTalk } from '../talk-file.ts';
import { cardLayout } from '../with-session.ts';
import type { ChatOptions } from './chat-options.ts';

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
export class ChatLoop {
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
        this.#session = await withKnowledgeNow(this.#opened);
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
