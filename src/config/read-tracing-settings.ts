import type { Environment, TracingSettings } from './config.ts';

const EXPORTERS = ['otlp', 'console'] as const;
const PROTOCOLS = ['http/protobuf', 'http/json'] as const;
/** As instrumentations of language models spell it; the older ones know `true` alone. */
const CONTENT_VALUES: ReadonlySet<string> = new Set(['true', 'span_only', 'span_and_event']);

/**
 * What the usual variables of OpenTelemetry ask for; where it cannot be had, `problems` says so, since a variable that is meant
 * for other programs must not keep a question from its answer.
 */
export function readTracingSettings(env: Environment): TracingSettings {
  const problems: string[] = [];
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return { exporters: [], problems };
  const names = exporterNames(env);
  const exporters = EXPORTERS.filter((known) => names.includes(known));
  for (const name of names)
    if (name !== 'none' && !exporters.some((known) => known === name))
      problems.push(
        `OTEL_TRACES_EXPORTER: ${quoted(name)} is not known here; known are otlp, console and none`,
      );
  if (!exporters.includes('otlp')) return { exporters, problems };
  const asked =
    said(env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL) ?? said(env.OTEL_EXPORTER_OTLP_PROTOCOL) ?? PROTOCOLS[0];
  const protocol = PROTOCOLS.find((known) => known === asked);
  if (protocol !== undefined) return { exporters, protocol, problems };
  problems.push(
    `OTEL_EXPORTER_OTLP_PROTOCOL: ${quoted(asked)} is not known here; known are ${PROTOCOLS.join(' and ')}, which collectors take at port 4318`,
  );
  return { exporters: exporters.filter((name) => name !== 'otlp'), problems };
}

/** Whether spans may hold what people ask, what models say, and SQL. */
export function wantsTracedContent(env: Environment): boolean {
  const said = env.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT ?? '';
  return CONTENT_VALUES.has(said.trim().toLowerCase());
}

/** An address alone asks for the export as well. */
function exporterNames(env: Environment): readonly string[] {
  const named = said(env.OTEL_TRACES_EXPORTER);
  const address = said(env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) ?? said(env.OTEL_EXPORTER_OTLP_ENDPOINT);
  const all = named ?? (address === undefined ? 'none' : 'otlp');
  return all
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
}

/** OpenTelemetry takes an empty variable for one that is not set. */
function said(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim().toLowerCase();
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 50));
}
