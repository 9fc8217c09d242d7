/**
 * A JSON schema as the grammars of node-llama-cpp take it. That package reads what it does not know as `null`, so
 * nothing unknown may reach it: alternatives are renamed, bounds of texts and numbers left out, what cannot be held
 * to becomes "any JSON". A grammar is therefore looser than the schema, never stricter; who asked still validates.
 */
type Schema = Readonly<Record<string, unknown>>;

const SCALARS = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }];
const ANY: Schema = {
  oneOf: [
    ...SCALARS,
    { type: 'array', items: { oneOf: SCALARS } },
    { type: 'object', additionalProperties: true },
  ],
};
const PLAIN_TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'null']);
/** Counted repetitions make a grammar large. */
const MOST_ITEMS = 50;

export function toGrammarSchema(schema: unknown): Schema {
  const { $defs, ...rest } = toSchema(schema);
  if (!isObject($defs)) return toPart(rest);
  return { ...toPart(rest), $defs: mapValues($defs, toPart) };
}

function toPart(value: unknown): Schema {
  const schema = toSchema(value);
  const { type } = schema;
  if (typeof schema.$ref === 'string' && schema.$ref.startsWith('#/$defs/')) return { $ref: schema.$ref };
  if ('const' in schema) return { const: schema.const };
  if (Array.isArray(schema.enum)) return { enum: schema.enum };
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(alternatives)) return { oneOf: alternatives.map(toPart) };
  if (type === 'object') return toObject(schema);
  if (type === 'array') return toArray(schema);
  if (PLAIN_TYPES.has(type)) return { type };
  if (Array.isArray(type) && type.length > 0 && type.every((one) => PLAIN_TYPES.has(one))) return { type };
  return ANY;
}

function toObject({ properties, additionalProperties }: Schema): Schema {
  const isOpen = additionalProperties === true || !isObject(properties);
  const others = isObject(additionalProperties) ? toPart(additionalProperties) : isOpen;
  return {
    type: 'object',
    ...(isObject(properties) && { properties: mapValues(properties, toPart) }),
    ...(others !== false && { additionalProperties: others }),
  };
}

function toArray({ items, minItems, maxItems }: Schema): Schema {
  return {
    type: 'array',
    items: toPart(items),
    ...(isFew(minItems) && { minItems }),
    ...(isFew(maxItems) && { maxItems }),
  };
}

function isFew(count: unknown): boolean {
  return typeof count === 'number' && count <= MOST_ITEMS;
}

function toSchema(value: unknown): Schema {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapValues(values: Schema, change: (value: unknown) => Schema): Schema {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}
