/** People who start jobs while everything breaks: each start is sent until it is answered, and now and then twice. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { JOB_KINDS, type Job, type JobKind, type JobQueue } from '../../src/jobs/index.ts';
import { type ChaosProject, changeRows, growLog } from './installation.ts';

const ASK_AGAIN_MS = 200;

export class Starter {
  readonly #queue: JobQueue;
  readonly #random: () => number;
  /** Jobs that the queue has said it took, by their id. */
  readonly accepted = new Map<string, JobKind>();
  /** Starts that were sent more than once. */
  duplicates = 0;
  /** Starts that were told of a job that waited already. */
  coalesced = 0;
  cancels = 0;

  constructor(queue: JobQueue, random: () => number) {
    this.#queue = queue;
    this.#random = random;
  }

  /** Starts a job of some kind, after what would make it have work to do. */
  async startSome(projects: readonly ChaosProject[]): Promise<void> {
    const project = this.#pick(projects);
    const kind = this.#pick(JOB_KINDS);
    if ((kind === 'onboard' || kind === 'refresh') && this.#random() < 0.2) changeRows(project, this.#random);
    if (kind === 'usage' && this.#random() < 0.3) await growLog(project, 50);
    const job = await this.start(project, kind);
    if (this.#random() < 0.01) {
      await wait(this.#random() * 1_000);
      this.cancels += 1;
      await untilAnswered(() => this.#queue.cancel(job.id, 'chaos'));
    }
  }

  async start(project: ChaosProject, kind: JobKind): Promise<Job> {
    const id = randomUUID();
    const times = this.#random() < 0.3 ? 3 : 1;
    if (times > 1) this.duplicates += times - 1;
    const started = await Promise.all(
      Array.from({ length: times }, () =>
        untilAnswered(() => this.#queue.start(project.name, kind, { by: 'chaos', id })),
      ),
    );
    const own = started.find(({ job }) => job.id === id);
    if (own === undefined) this.coalesced += 1;
    else this.accepted.set(id, kind);
    return (own ?? started[0])?.job ?? unanswered();
  }

  #pick<Each>(all: readonly Each[]): Each {
    return all[Math.floor(this.#random() * all.length)] ?? unanswered();
  }
}

/** As a client does that must know: the same request, until there is a reply. */
export async function untilAnswered<Reply>(ask: () => Promise<Reply>): Promise<Reply> {
  for (let tries = 0; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      if (tries > 300) throw error;
      await wait(ASK_AGAIN_MS);
    }
  }
}

function unanswered(): never {
  throw new Error('nothing to choose from');
}
