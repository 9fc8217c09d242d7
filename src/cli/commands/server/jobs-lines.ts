/** Jobs as lines for people. */

import type { Job, JobAttempt, JobProgress } from '../../../jobs/index.ts';
import { escapeControl } from '../../../lib/index.ts';
import { renderJson } from '../../render/index.ts';

/** Id, kind, workspace, state, who started it, when, and how far it is. */
export function jobRow(job: Job): string[] {
  const { id, kind, project, state, by, createdAt, isCancelling } = job;
  return [
    id,
    kind,
    project,
    isCancelling ? 'cancelling' : state,
    escapeControl(by),
    timeOf(createdAt),
    gistOf(job),
  ];
}

export function renderJob(job: Job): string {
  const { id, kind, project, by, createdAt, notBefore, endedAt, attempts, error, result } = job;
  const lines = [
    `${kind}${project === '' ? '' : ` of ${project}`}  ${id}`,
    `started by ${escapeControl(by)} ${timeOf(createdAt)}`,
    `${job.isCancelling ? 'running, to be cancelled' : job.state}${endedAt === undefined ? '' : ` ${timeOf(endedAt)}`}`,
    ...(notBefore === undefined ? [] : [`not before ${timeOf(notBefore)}`]),
    ...(job.progress === undefined ? [] : [progressLine(job.progress)]),
    ...attempts.map(attemptLine),
    ...(error === undefined ? [] : [`${error.code}: ${escapeControl(error.message)}`, `next: ${error.next}`]),
    ...(result === undefined ? [] : [renderJson(result).trimEnd()]),
  ];
  return `${lines.join('\n')}\n`;
}

/** `profiles 3/17, shop.orders, 12 s left` */
export function progressLine({ stage, done, total, table, etaSeconds }: JobProgress): string {
  return [
    `${stage} ${done}/${total}`,
    ...(table === undefined ? [] : [escapeControl(table)]),
    ...(etaSeconds === undefined ? [] : [`${Math.ceil(etaSeconds)} s left`]),
  ].join(', ');
}

function gistOf({ state, progress, error }: Job): string {
  if (error !== undefined) return error.code;
  return state === 'running' && progress !== undefined ? progressLine(progress) : '';
}

function attemptLine({ number, worker, beganAt, endedAt, outcome, error }: JobAttempt): string {
  const end =
    outcome === undefined ? 'runs' : `${outcome}${endedAt === undefined ? '' : ` ${timeOf(endedAt)}`}`;
  return `attempt ${number}  ${worker}  ${timeOf(beganAt)}  ${end}${error === undefined ? '' : `: ${error.code}`}`;
}

function timeOf(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')}Z`;
}
