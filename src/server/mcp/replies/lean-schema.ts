import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';

/** What a reader of the list does without, besides `additionalProperties: false`: it holds all the same, since calls and replies go through the schema itself. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  '$schema',
  'propertyNames',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
]);

/**
 * The same schema, listed in fewer words: a model pays for the list in every conversation. Without `$schema` the protocol
 * means JSON Schema 2020-12, which zod writes.
 */
export function leanSchema<Schema extends z.ZodType>(
  schema: Schema,
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const whole: StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>>['~standard'] = schema['~standard'];
  const { input, output } = whole.jsonSchema;
  const jsonSchema: typeof whole.jsonSchema = {
    input: (options) => trimmed(input(options)),
    output: (options) => trimmed(output(options)),
  };
  return { '~standard': { ...whole, jsonSchema } };
}

function trimmed(schema: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !LEFT_OUT.has(key) && value !== false && !isBoundOfSafeIntegers(value))
      .map(([key, value]) => [key, key === 'properties' ? mapValues(value) : trimmedValue(value)]),
  );
}

/** Names of fields are nobody's keywords. */
function mapValues(properties: unknown): unknown {
  if (!isRecord(properties)) return properties;
  return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, trimmedValue(inner)]));
}

function trimmedValue(value: unknown): unknown {
  return isRecord(value) ? trimmed(value) : value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isBoundOfSafeIntegers(value: unknown): boolean {
  return value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER;
}
