import { expect, it } from 'vitest';
import { readTracingSettings, wantsTracedContent } from './read-settings.ts';

const ENDPOINT = 'http://localhost:4318';

it.each([
  [{}, []],
  [{ OTEL_SERVICE_NAME: 'shop' }, []],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT }, ['otlp']],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ENDPOINT }, ['otlp']],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }, []],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }, []],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_SDK_DISABLED: 'True' }, []],
  [{ OTEL_TRACES_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'no' }, ['otlp']],
  [{ OTEL_TRACES_EXPORTER: 'console' }, ['console']],
  [{ OTEL_TRACES_EXPORTER: ' Console, otlp' }, ['otlp', 'console']],
])('%j asks for %j', (env, exporters) => {
  expect(readTracingSettings(env)).toMatchObject({ exporters, problems: [] });
});

it.each([
  [{}, 'http/protobuf'],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }, 'http/json'],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' }, 'http/json'],
])('%j speaks %s', (env, protocol) => {
  expect(readTracingSettings({ OTEL_TRACES_EXPORTER: 'otlp', ...env })).toMatchObject({
    protocol,
    problems: [],
  });
});

it.each([
  [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER: "zipkin" is not known', []],
  [{ OTEL_TRACES_EXPORTER: 'zipkin,console' }, '"zipkin"', ['console']],
  [
    { OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    'known are http/protobuf and http/json',
    [],
  ],
])('%j says what cannot be had, and keeps the rest', (env, problem, exporters) => {
  const settings = readTracingSettings(env);
  expect(settings.problems).toEqual([expect.stringContaining(problem)]);
  expect(settings.exporters).toEqual(exporters);
});

it.each([
  [undefined, false],
  ['', false],
  ['false', false],
  ['NO_CONTENT', false],
  ['EVENT_ONLY', false],
  ['true', true],
  ['SPAN_ONLY', true],
  ['span_and_event', true],
])('content: %j is %s', (said, wanted) => {
  expect(wantsTracedContent({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: said })).toBe(wanted);
});
