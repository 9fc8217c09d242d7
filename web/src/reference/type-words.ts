import type { Messages } from '../i18n/english.ts';
import type { OpenApi, Schema } from './open-api.ts';
import { resolveSchema } from './resolve-schema.ts';

type Words = Messages['desk'];

/** What a value is, in one line: `list of TestCase`, `text, 200 characters at most`. */
export function typeWords(schema: Schema, document: OpenApi, desk: Words): string {
  return [
    kindWords(schema, document, desk),
    ...boundWords(resolveSchema(schema, document).schema, desk),
  ].join(', ');
}

function kindWords(given: Schema, document: OpenApi, desk: Words): string {
  const { name, schema } = resolveSchema(given, document);
  if (name !== undefined) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) {
    const words = choices.map((each) => kindWords(each, document, desk));
    return words.join('').length > 80 ? desk.types.oneOf : words.join(desk.orType);
  }
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['any']);
  return types
    .map((type) =>
      type === 'array' && schema.items !== undefined
        ? desk.listOf(kindWords(schema.items, document, desk))
        : nameOf(type, desk),
    )
    .join(desk.orType);
}

function nameOf(type: string, { types }: Words): string {
  return type in types ? types[type as keyof typeof types] : type;
}

function boundWords(schema: Schema, desk: Words): readonly string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, maxLength, maxItems, format } = schema;
  // Every safe number is a bound that says nothing.
  const says = (bound: number | undefined): bound is number =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  return [
    ...(format === undefined ? [] : [format]),
    ...(says(minimum) ? [desk.from(minimum)] : []),
    ...(says(exclusiveMinimum) ? [desk.above(exclusiveMinimum)] : []),
    ...(says(maximum) ? [desk.upTo(maximum)] : []),
    ...(says(exclusiveMaximum) ? [desk.below(exclusiveMaximum)] : []),
    ...(says(maxLength) ? [desk.characters(maxLength)] : []),
    ...(says(maxItems) ? [desk.items(maxItems)] : []),
    ...(schema.default === undefined ? [] : [desk.orElse(JSON.stringify(schema.default))]),
  ];
}
