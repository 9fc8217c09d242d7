import type { RunState } from '../state/server-state.ts';

/** One thing that happened in a run: a name and its data as JSON text, in one order. */
export interface RunEvent {
  /** 1, 2, 3, …: what a reader names to go on behind it. */
  readonly id: number;
  readonly name: string;
  readonly data: string;
}

/** A run as the work in it knows it. */
export interface RunInWork {
  readonly id: string;
  /** What the work is about. */
  readonly subject: string;
  readonly signal: AbortSignal;
  emit(name: string, data: unknown): void;
  /** The last event, told once `write` has kept what it tells of; `within` a transaction where the state is shared. */
  finish(write: (within?: RunState) => Promise<void>, name: string, data: unknown): Promise<void>;
}

/** A run as its readers know it, whichever server it is in work on. */
export interface FollowedRun {
  readonly id: string;
  /** What the work is about. */
  readonly subject: string;
  /** Events behind the one with the id, those to come as well; ends with the run, or when `signal` is aborted. */
  read(after: number, signal: AbortSignal): AsyncGenerator<RunEvent>;
  cancel(): void | Promise<void>;
}

/** The runs of one workspace. */
export interface Runs {
  /** Of this server, in work. */
  readonly running: number;
  readonly isClosing: boolean;
  /**
   * One run at a time for each `subject`; one that is known under the id is given back, and one whose server is gone is worked on
   * here. `work` never rejects: it emits what went wrong. Throws `server.busy`, `server.overloaded`, `server.closing`,
   * `server.invalid-request`, and as the state does where it is shared.
   */
  start(
    id: string,
    subject: string,
    work: (run: RunInWork) => Promise<void>,
  ): FollowedRun | Promise<FollowedRun>;
  /** In work, or ended not long ago. */
  find(id: string): FollowedRun | undefined | Promise<FollowedRun | undefined>;
  /** Takes no more runs, lets those in work go on for so long, then cancels them and waits for them. */
  close(graceMs?: number): Promise<void>;
}
