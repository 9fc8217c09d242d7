import { z } from 'zod';

type Schema = Readonly<Record<string, unknown>>;

/** Keywords of OpenAI's strict form; a schema with others is refused there. Source: its guide to structured outputs. */
const STRICT_KEYWORDS: ReadonlySet<string> = new Set([
  ...[
    'type',
    'properties',
    'required',
    'additionalProperties',
    'items',
    'anyOf',
    'enum',
    'const',
    'description',
  ],
  ...[
    'minItems',
    'maxItems',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'multipleOf',
    'pattern',
  ],
]);
const NODE = z.record(z.string(), z.unknown());
const NODES = z.array(NODE);
const PROPERTIES = z.record(z.string(), NODE);
const NAMES = z.array(z.string());

/**
 * A JSON schema in the strict form, in which every property has to be there: one that may be left out is then null.
 * `undefined` where that would change what the schema takes, or where it says more than the form can.
 */
export function strictSchema(schema: Schema): Schema | undefined {
  if (Object.keys(schema).some((key) => !STRICT_KEYWORDS.has(key))) return undefined;
  const strict: Record<string, unknown> = { ...schema };
  for (const key of ['items', 'anyOf', 'properties'] as const) {
    if (schema[key] === undefined) continue;
    const inner = strictPart(key, schema[key]);
    if (inner === undefined) return undefined;
    strict[key] = inner;
  }
  if (schema.type !== 'object') return strict;
  const properties = PROPERTIES.safeParse(schema.properties).data;
  if (properties === undefined || schema.additionalProperties !== false) return undefined;
  const required = NAMES.safeParse(schema.required).data ?? [];
  const names = Object.keys(properties);
  if (names.some((name) => !required.includes(name) && !takesNull(properties[name] ?? {}))) return undefined;
  return { ...strict, required: names };
}

function strictPart(key: 'items' | 'anyOf' | 'properties', part: unknown): unknown {
  if (key === 'items') return mapStrict(NODE.safeParse(part).data);
  if (key === 'anyOf') {
    const all = NODES.safeParse(part).data?.map(strictSchema);
    return all?.includes(undefined) ? undefined : all;
  }
  const all = Object.entries(PROPERTIES.safeParse(part).data ?? {}).map(
    ([name, node]) => [name, strictSchema(node)] as const,
  );
  return all.some(([, node]) => node === undefined) ? undefined : Object.fromEntries(all);
}

function mapStrict(node: Schema | undefined): Schema | undefined {
  return node === undefined ? undefined : strictSchema(node);
}

function takesNull({ type, anyOf }: Schema): boolean {
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return true;
  return NODES.safeParse(anyOf).data?.some(takesNull) ?? false;
}
