/** How many processes read one SQLite or DuckDB file, and what each of them may take of the machine. */
import { availableParallelism, totalmem } from 'node:os';

/** As `candor.yml` gives it; what is absent is set by the machine. */
export interface EmbeddedSettings {
  /** Processes that read one file at the same time. */
  readonly processes?: number;
  /** Bytes of memory that one of them may take in all. */
  readonly memoryBytes?: number;
  /** Bytes that the query of one of them may put into temporary files; 0: none. */
  readonly temporaryBytes?: number;
  /** Threads of one query (DuckDB). */
  readonly threads?: number;
}

export type EmbeddedLimits = Required<EmbeddedSettings>;

export interface Machine {
  readonly cores: number;
  /** Of the machine, or of the container where that has less. */
  readonly memoryBytes: number;
}

const MIB = 1024 * 1024;
const MOST_PROCESSES = 4;
const MOST_MEMORY = 2048 * MIB;
/** An executor with its engine takes up to half of that before any query. */
const LEAST_MEMORY = 256 * MIB;

/**
 * One process more than there are cores, at most 4, so that a long query on every core leaves one free; all of them together
 * at most half of the memory, each at most 2 GB; half of the cores for one query of DuckDB; no temporary files.
 */
export function embeddedLimits(
  given: EmbeddedSettings,
  { cores, memoryBytes }: Machine = thisMachine(),
): EmbeddedLimits {
  const processes = given.processes ?? Math.min(MOST_PROCESSES, cores + 1);
  const share = Math.floor(memoryBytes / 2 / processes);
  return {
    processes,
    memoryBytes: given.memoryBytes ?? Math.max(LEAST_MEMORY, Math.min(MOST_MEMORY, share)),
    temporaryBytes: given.temporaryBytes ?? 0,
    threads: given.threads ?? Math.max(1, Math.floor(cores / 2)),
  };
}

function thisMachine(): Machine {
  // Without a container it is 0 or a number beyond every machine.
  const container = process.constrainedMemory();
  const memoryBytes = container > 0 ? Math.min(container, totalmem()) : totalmem();
  return { cores: availableParallelism(), memoryBytes };
}
