import type { OpenApi, Schema } from './open-api.ts';
import { resolveSchema } from './resolve-schema.ts';

const DEEPEST = 4;

/** A value that fits a schema: its own example, else the fields it cannot be without. */
export function exampleOf(given: Schema, document: OpenApi, depth = 0): unknown {
  const { schema } = resolveSchema(given, document);
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [choice] = schema.oneOf ?? schema.anyOf ?? [];
  if (depth > DEEPEST) return null;
  if (choice !== undefined) return exampleOf(choice, document, depth + 1);
  switch (typeof schema.type === 'string' ? schema.type : schema.type?.[0]) {
    case 'object': {
      const { properties = {}, required = [] } = schema;
      const shown = Object.entries(properties).filter(
        ([name, { example }]) => required.includes(name) || example !== undefined,
      );
      return Object.fromEntries(shown.map(([name, field]) => [name, exampleOf(field, document, depth + 1)]));
    }
    case 'array':
      return schema.items === undefined ? [] : [exampleOf(schema.items, document, depth + 1)];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return '…';
  }
}
