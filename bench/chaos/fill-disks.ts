/** Jobs on a disk that is full: they fail and say so, and once there is room they are done as if nothing had been. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { JobQueue } from '../../src/jobs/index.ts';
import { settle, untilEnded } from './count-jobs.ts';
import { type ChaosProject, changeRows, growLog, type Installation } from './installation.ts';
import type { Starter } from './starter.ts';
import { WorkerPool } from './worker-pool.ts';

/** What a job may say where nothing can be written. */
const CODES = new Set(['store.unusable', 'files.unusable', 'catalog.not-writable']);
const DISK_KB = 8_192;
const FREE_KB = 40;

interface Parts {
  readonly queue: JobQueue;
  readonly starter: Starter;
  readonly isSmoke: boolean;
}

export interface FullDisks {
  /** Attempts that failed for want of room. */
  readonly failedForRoom: number;
  /** Disks that were filled: files may grow no more, and, where this account may mount one, a disk without room. */
  readonly fullDisks: number;
  /** Jobs that failed for another reason, or did not fail at all. */
  readonly wrong: number;
}

export async function fillDisks(installation: Installation, parts: Parts): Promise<FullDisks> {
  const [first, second] = installation.projects;
  if (first === undefined || second === undefined) throw new Error('two projects are needed');
  const limited = await onFull(installation, second, { parts, fileLimitKb: 16, makeRoom: () => undefined });
  // A quick run leaves out the one that needs root.
  const disk = parts.isSmoke ? undefined : mountDisk(first);
  if (disk === undefined) return { ...limited, fullDisks: 1 };
  try {
    const full = await onFull(installation, first, { parts, makeRoom: disk.makeRoom });
    return {
      failedForRoom: limited.failedForRoom + full.failedForRoom,
      fullDisks: 2,
      wrong: limited.wrong + full.wrong,
    };
  } finally {
    await disk.remove();
  }
}

interface Full {
  readonly parts: Parts;
  readonly fileLimitKb?: number;
  readonly makeRoom: () => void;
}

async function onFull(
  { root }: Installation,
  project: ChaosProject,
  { parts: { queue, starter }, fileLimitKb, makeRoom }: Full,
): Promise<Omit<FullDisks, 'fullDisks'>> {
  changeRows(project, () => 0.5);
  await growLog(project, 500);
  // Derived files that are not there must be written.
  const limited = new WorkerPool({ root, workers: 1, ...(fileLimitKb !== undefined && { fileLimitKb }) });
  const ids: string[] = [];
  for (const kind of ['onboard', 'usage'] as const) ids.push((await starter.start(project, kind)).id);
  const codes = await firstFailures(queue, ids);
  await limited.close();
  makeRoom();
  const whole = new WorkerPool({ root, workers: 1 });
  await untilEnded(queue, 120);
  await settle(starter, queue, [project]);
  await whole.close();
  return {
    failedForRoom: codes.filter((code) => CODES.has(code)).length,
    wrong: codes.filter((code) => !CODES.has(code)).length,
  };
}

/** How each of the jobs failed first; `none` where it did not within half a minute. */
async function firstFailures(queue: JobQueue, ids: readonly string[]): Promise<string[]> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const jobs = await Promise.all(ids.map((id) => queue.show(id)));
    const codes = jobs.map(
      ({ attempts }) => attempts.find(({ outcome }) => outcome === 'failed')?.error?.code,
    );
    if (codes.every((code) => code !== undefined) || performance.now() > deadline)
      return codes.map((code) => code ?? 'none');
    await wait(200);
  }
}

/** A small disk in memory for what is derived of a project, nearly full; undefined where this account may mount none. */
function mountDisk(project: ChaosProject): { makeRoom(): void; remove(): Promise<void> } | undefined {
  const disk = mkdtempSync(join(tmpdir(), 'candor-disk-'));
  const derived = join(project.root, '.candor');
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_KB}k`, 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    rmSync(disk, { recursive: true });
    return undefined;
  }
  rmSync(derived, { recursive: true, force: true });
  mkdirSync(join(disk, 'derived'));
  symlinkSync(join(disk, 'derived'), derived);
  const filler = join(disk, 'filler');
  writeFileSync(filler, Buffer.alloc((DISK_KB - FREE_KB) * 1_024));
  return {
    makeRoom: () => rmSync(filler),
    remove: async () => {
      execFileSync('cp', ['-r', join(disk, 'derived'), `${derived}-kept`]);
      rmSync(derived);
      execFileSync('mv', [`${derived}-kept`, derived]);
      execFileSync('umount', [disk]);
      rmSync(disk, { recursive: true });
    },
  };
}
