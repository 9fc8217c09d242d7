import { join, resolve } from 'node:path';
import type { z } from 'zod';
import { CandorError } from '../errors.ts';
import type { ConfigRequest, Environment, ModelSettings, TracingSettings } from './config.ts';
import { CONFIG_DEFAULTS, type CONFIG_SCHEMA, MODEL_NAME } from './config-schema.ts';

/** Where the makers of models look for their keys, too. */
const KEY_VARIABLES: Readonly<Record<string, string>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GEMINI_API_KEY',
};

export interface ModelPlace {
  /** Where relative folders and files of the project start. */
  readonly root: string;
  readonly derivedDirectory: string;
  readonly env: Environment;
}

/**
 * The language model that answers; undefined where none is named, or `none`. A name given for once overrides the project's; what the
 * project says of its model (URL, key, price) holds for it only where both are of the same kind. Throws `model.unknown`.
 */
export function readModelSettings(
  given: z.infer<typeof CONFIG_SCHEMA>['model'],
  { model: named, isPrivate, cwd }: Pick<ConfigRequest, 'model' | 'isPrivate' | 'cwd'>,
  { root, derivedDirectory, env }: ModelPlace,
): ModelSettings | undefined {
  const name = named ?? given?.name ?? 'none';
  const problem = MODEL_NAME.safeParse(name).error?.issues[0];
  if (problem !== undefined)
    throw new CandorError(
      'model.unknown',
      `no language model is called ${JSON.stringify(name.slice(0, 100))}: ${problem.message}`,
    );
  if (name === 'none') return undefined;
  const isOwn = named === undefined || named === given?.name;
  const isSameKind = kindOf(name) === kindOf(given?.name ?? '');
  const {
    url,
    key,
    reflector,
    price,
    contextWindow,
    json,
    contract,
    refuses,
    cache,
    record,
    replay,
    ...rest
  } = given ?? {};
  const found = isSameKind ? key : undefined;
  const apiKey =
    found ?? (isSameKind && url !== undefined ? undefined : env[KEY_VARIABLES[kindOf(name)] ?? '']);
  return {
    ...CONFIG_DEFAULTS.model,
    ...withoutAbsent({ ...rest, ...(isSameKind && { url, reflector }) }),
    ...withoutAbsent(isOwn ? { price, contextWindow, json, contract, refuses } : {}),
    ...withoutAbsent({ key: apiKey }),
    name: withAbsoluteFile(name, isOwn ? root : cwd),
    private: isPrivate ?? given?.private ?? false,
    traceContent: given?.traceContent ?? wantsTracedContent(env),
    ...(cache === true && { cache: join(derivedDirectory, 'replies') }),
    ...(record !== undefined && { record: resolve(root, record) }),
    ...(replay !== undefined && { replay: resolve(root, replay) }),
  };
}

function kindOf(name: string): string {
  return name.split(':', 1)[0] ?? '';
}

function withAbsoluteFile(name: string, folder: string): string {
  return kindOf(name) === 'gguf' ? `gguf:${resolve(folder, name.slice('gguf:'.length).trim())}` : name;
}

type Present<Given> = { [Key in keyof Given]?: Exclude<Given[Key], undefined> };

function withoutAbsent<Given extends object>(given: Given): Present<Given> {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Present<Given>;
}

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
