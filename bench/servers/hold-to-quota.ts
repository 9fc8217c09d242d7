import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface QuotaGroup {
  /** Holds a process, and those it starts from now on, to the quota of the group. */
  add(pid: number): void;
  /** Lets a process go, and removes the group, which must have no other. */
  leave(pid: number): void;
  /** Removes it, once its processes have ended. */
  remove(): void;
}

const ROOT = '/sys/fs/cgroup';
/** Short, so that a process that has used up its share does not stand still for long. */
const PERIOD_US = 20_000;

/**
 * A control group that may use so much of one core, `share` in (0, 1], and gets it before other work of the machine does. Throws where
 * this machine lets us make none.
 */
export function holdToQuota(name: string, share: number): QuotaGroup {
  const isSecond = existsSync(join(ROOT, 'cgroup.controllers'));
  const folder = join(ROOT, isSecond ? '' : 'cpu', `candor-bench-${process.pid}-${name}`);
  const quota = Math.round(PERIOD_US * share);
  try {
    mkdirSync(folder);
    if (isSecond) {
      writeFileSync(join(folder, 'cpu.max'), `${quota} ${PERIOD_US}`);
      writeFileSync(join(folder, 'cpu.weight'), '1000');
    } else {
      writeFileSync(join(folder, 'cpu.shares'), '10240');
      writeFileSync(join(folder, 'cpu.cfs_period_us'), String(PERIOD_US));
      writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(quota));
    }
  } catch (cause) {
    throw new Error(`No control group with a quota of CPU can be made in ${ROOT}.`, { cause });
  }
  return {
    add: (pid) => writeFileSync(join(folder, 'cgroup.procs'), String(pid)),
    leave: (pid) => {
      writeFileSync(join(folder, '..', 'cgroup.procs'), String(pid));
      rmdirSync(folder);
    },
    remove: () => rmdirSync(folder),
  };
}
