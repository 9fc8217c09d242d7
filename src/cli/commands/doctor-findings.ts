/** What `candor doctor` finds, one line each. */
import { CandorError } from '../../errors.ts';
import { escapeControl, type Style } from '../render/index.ts';

export interface Finding {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'problem' | 'skipped';
  readonly detail: string;
  /** What to do about a problem or a warning. */
  readonly next?: string;
}

export async function attempt(name: string, check: () => Promise<string>): Promise<Finding> {
  try {
    return { name, status: 'ok', detail: await check() };
  } catch (error) {
    return findingOf(name, error);
  }
}

/** A known failure is a finding; anything else is a bug and goes on upwards. */
export function findingOf(name: string, error: unknown): Finding {
  if (!(error instanceof CandorError)) throw error;
  return { name, status: 'problem', detail: `${error.code}: ${error.message}`, next: error.next };
}

export function findingLine({ name, status, detail, next }: Finding, style: Style): string {
  const sign = {
    ok: style.green('ok     '),
    warning: style.yellow('warning'),
    problem: style.red('problem'),
    skipped: style.dim('skipped'),
  }[status];
  const lines = detail
    .split('\n')
    .map(escapeControl)
    .join(`\n${' '.repeat(25)}`);
  return `${sign}  ${name.padEnd(14)}  ${lines}${next === undefined ? '' : `\n${' '.repeat(25)}→ ${next}`}`;
}
