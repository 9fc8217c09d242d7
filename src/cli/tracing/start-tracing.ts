import { setTimeout as wait } from 'node:timers/promises';
import { readTracing, type TracingSettings } from '../../config/index.ts';
import { escapeControl } from '../../lib/index.ts';
import type { Io } from '../terminal/io.ts';

export interface Tracing {
  /** Sends what is left, for so long as people wait; nothing is traced afterwards. False: it was given up, and may still be tried. */
  stop(): Promise<boolean>;
}

const NOT_TRACED: Tracing = { stop: async () => true };

/** Nobody waits longer for a collector at the end of a command. */
const FLUSH_MS = 2_000;

/** With the versions they are tested with; they come together. */
const VERSIONS = { '2': '2.12.1', '0': '0.223.1' } as const;

/**
 * Sends spans to where the usual variables of OpenTelemetry say, for as long as a command runs. Packages are loaded here alone,
 * and only where a variable asks. Whatever fails is said once on stderr and fails nothing.
 */
export async function startTracing({ env, stderr }: Pick<Io, 'env' | 'stderr'>): Promise<Tracing> {
  const settings = readTracing(env);
  const warn = (problem: string): void => stderr.write(`tracing: ${escapeControl(problem)}\n`);
  for (const problem of settings.problems) warn(problem);
  if (settings.exporters.length === 0) return NOT_TRACED;
  try {
    const { registerProvider } = await import('./register-provider.ts');
    const warnOnce = once(warn);
    const shutdown = await registerProvider(settings, {
      warn: warnOnce,
      write: (line) => stderr.write(line),
    });
    return { stop: () => stopWithin(FLUSH_MS, shutdown, warnOnce) };
  } catch (error) {
    warn(
      isMissing(error)
        ? `it needs packages that are not installed; ${installLine(settings)}`
        : reasonOf(error),
    );
    return NOT_TRACED;
  }
}

async function stopWithin(
  ms: number,
  shutdown: () => Promise<void>,
  warn: (problem: string) => void,
): Promise<boolean> {
  const isSent = await Promise.race([shutdown().then(() => true), wait(ms, false, { ref: false })]);
  if (!isSent) warn(`spans are lost: the collector has not taken them within ${ms / 1000} seconds`);
  return isSent;
}

function installLine({ exporters, protocol }: TracingSettings): string {
  const exporter = protocol === 'http/json' ? 'http' : 'proto';
  const packages = [
    `@opentelemetry/sdk-trace-node@${VERSIONS[2]}`,
    `@opentelemetry/resources@${VERSIONS[2]}`,
    ...(exporters.includes('otlp') ? [`@opentelemetry/exporter-trace-otlp-${exporter}@${VERSIONS[0]}`] : []),
  ];
  return `add them with: npm install ${packages.join(' ')}`;
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'no reason was given';
}

/** A collector that is down is one piece of news, however often it is tried. */
function once(tell: (text: string) => void): (text: string) => void {
  let isTold = false;
  return (text) => {
    if (!isTold) tell(text);
    isTold = true;
  };
}
