import type { Config } from '../../config/index.ts';
import { type OpenOptions, openProject, type Session } from '../../session/index.ts';
import { type CardLayout, makeProgress } from '../render/index.ts';
import type { Io, Output } from '../terminal/io.ts';
import { styleFor } from './command-context.ts';
import { commandLine, type ProjectOptions } from './options.ts';

/** Opens a session with progress on stderr, uses it and closes it whatever happens. */
export async function withSession<T>(
  config: Config,
  io: Io,
  isQuiet: boolean,
  use: (session: Session) => Promise<T>,
  options: Pick<OpenOptions, 'isUntrained'> = {},
): Promise<T> {
  const progress = makeProgress(io.stderr, isQuiet);
  const session = await openProject(config, {
    ...options,
    onProgress: progress.report,
    signal: io.signal,
  }).finally(progress.clear);
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}

/** How cards of a session look on one output; commands in them name the same project and database. */
export function cardLayout(
  session: Session,
  io: Io,
  output: Output,
  place: ProjectOptions,
  { maxRows, isExecuted }: Pick<CardLayout, 'maxRows' | 'isExecuted'>,
): CardLayout {
  return {
    style: styleFor(io, output),
    dialect: session.database.dialect,
    ...(output.columns === undefined ? {} : { width: output.columns }),
    maxRows,
    isExecuted,
    askCommand: commandLine(io, 'ask', place),
    replayCommand: commandLine(io, 'replay', place),
  };
}
