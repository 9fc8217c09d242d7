/** Long statements are analysed in threads of their own, so that whoever sends one keeps nobody else waiting. */
import { CandorError } from '../../errors.ts';
import type { AnalysedStatement } from './analyse-statement.ts';
import type { LongStatement } from './analysis-protocol.ts';
import { Analyst } from './analyst-thread.ts';

/** Shared by all guarded databases of the process; started when first needed, ended when idle. */
const MOST_ANALYSTS = 2;
/** Statements that may wait for one of them. */
const MOST_WAITING = 50;
/** A statement that waited so long is told to come again. */
const LONGEST_WAIT_MS = 20_000;
/** So long one analysis may take; then a thread is free for certain. */
const RETRY_SECONDS = 10;

interface Waiting {
  readonly start: (analyst: Analyst) => void;
}

const analysts = new Set<Analyst>();
const waiting: Waiting[] = [];

/**
 * What `analyseStatement` gives and throws, found in another thread. Throws besides `sql.analysis-failed` when the
 * analysis takes too long or its thread dies, `server.overloaded` when too many statements wait for theirs, and
 * `database.cancelled`.
 */
export async function analyseAside(statement: LongStatement): Promise<AnalysedStatement> {
  const analyst = freeAnalyst() ?? (await nextAnalyst(statement.signal));
  try {
    return await analyst.analyse(statement);
  } finally {
    if (!analyst.isAlive) analysts.delete(analyst);
    passOn(analyst);
  }
}

function freeAnalyst(): Analyst | undefined {
  for (const analyst of analysts) {
    if (!analyst.isAlive) analysts.delete(analyst);
    else if (!analyst.isTaken) return taken(analyst);
  }
  if (analysts.size >= MOST_ANALYSTS) return undefined;
  const analyst = new Analyst();
  analysts.add(analyst);
  return taken(analyst);
}

function taken(analyst: Analyst): Analyst {
  analyst.isTaken = true;
  return analyst;
}

function nextAnalyst(signal: AbortSignal | undefined): Promise<Analyst> {
  if (waiting.length >= MOST_WAITING) return Promise.reject(overloaded());
  return new Promise((resolve, reject) => {
    const leave = (error: CandorError): void => {
      const at = waiting.indexOf(own);
      if (at >= 0) waiting.splice(at, 1);
      settle();
      reject(error);
    };
    const cancel = (): void => leave(new CandorError('database.cancelled', 'The query was cancelled.'));
    const timer = setTimeout(() => leave(overloaded()), LONGEST_WAIT_MS);
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    };
    const own: Waiting = {
      start: (analyst) => {
        settle();
        resolve(taken(analyst));
      },
    };
    signal?.addEventListener('abort', cancel, { once: true });
    waiting.push(own);
  });
}

/** The one that is free now, or a new one in the place of one that died, takes the statement that waits longest. */
function passOn(analyst: Analyst): void {
  analyst.isTaken = false;
  if (waiting.length === 0) return;
  const free = freeAnalyst();
  if (free !== undefined) waiting.shift()?.start(free);
}

function overloaded(): CandorError {
  return new CandorError(
    'server.overloaded',
    `Too many long statements wait for their analysis. Try again in ${RETRY_SECONDS} s, or in shorter ones.`,
    { data: { retryAfter: RETRY_SECONDS } },
  );
}
