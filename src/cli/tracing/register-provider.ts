import { context, type DiagLogFunction, DiagLogLevel, diag, propagation, trace } from '@opentelemetry/api';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import type { TracingSettings } from '../../config/index.ts';
import { VERSION } from '../../version.ts';

export interface TracingOutput {
  /** Hears that spans were lost, and why. */
  readonly warn: (problem: string) => void;
  /** Of the exporter `console`. */
  readonly write: (line: string) => void;
}

/**
 * Registers the provider of the official SDK, which reads the variables of samplers, batches, headers and so on itself; what is
 * given back sends the rest and takes it away again. Throws where a package is not installed.
 */
export async function registerProvider(
  settings: TracingSettings,
  { warn, write }: TracingOutput,
): Promise<() => Promise<void>> {
  const lost: DiagLogFunction = (message) => warn(`spans are lost: ${reasonIn(message)}`);
  const silent: DiagLogFunction = () => undefined;
  diag.setLogger(
    { error: lost, warn: lost, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const spanProcessors: SpanProcessor[] = [];
  if (settings.exporters.includes('otlp'))
    spanProcessors.push(new BatchSpanProcessor(await openOtlp(settings.protocol)));
  if (settings.exporters.includes('console'))
    spanProcessors.push(new SimpleSpanProcessor(lineExporter(write)));
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'candor', 'service.version': VERSION }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors,
  });
  provider.register();
  return async () => {
    try {
      await provider.shutdown();
    } catch (error) {
      lost(error instanceof Error ? error.message : 'no reason was given');
    } finally {
      for (const api of [trace, context, propagation, diag]) api.disable();
    }
  };
}

async function openOtlp(protocol: TracingSettings['protocol']): Promise<SpanExporter> {
  if (protocol === 'http/json') {
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
    return new OTLPTraceExporter();
  }
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter();
}

/** What the SDK reports is an error as JSON, with its stack. */
function reasonIn(report: string): string {
  try {
    const { message } = JSON.parse(report) as { message?: unknown };
    if (typeof message === 'string' && message !== '') return firstLine(message);
  } catch {
    // It is a sentence.
  }
  return firstLine(report);
}

/** An address may hold a password or a key: the SDK quotes one that it cannot read. */
function firstLine(text: string): string {
  const [line = ''] = text.split('\n');
  return line.replace(/'[^']*'|\b\w+:\/\/\S+/g, '(left out)').slice(0, 300);
}

/** One line of JSON for each span: the SDK's own console exporter writes to stdout, where data goes. */
function lineExporter(write: (line: string) => void): SpanExporter {
  return {
    export(spans, done) {
      for (const span of spans) write(`${JSON.stringify(lineOf(span))}\n`);
      done({ code: 0 });
    },
    shutdown: async () => undefined,
  };
}

function lineOf(span: ReadableSpan) {
  const { traceId, spanId } = span.spanContext();
  const [seconds, nanoseconds] = span.duration;
  return {
    name: span.name,
    traceId,
    spanId,
    parentSpanId: span.parentSpanContext?.spanId,
    ms: Math.round(seconds * 1e5 + nanoseconds / 1e4) / 100,
    attributes: span.attributes,
  };
}
