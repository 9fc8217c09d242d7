import type { OpenApi, Schema } from './open-api.ts';

export interface Resolved {
  /** What the document calls it; absent: it has no name there. */
  readonly name?: string;
  readonly schema: Schema;
}

const PREFIX = '#/components/schemas/';

/** The schema that a reference names, and one object for parts that hold together (`allOf`). */
export function resolveSchema(schema: Schema, document: OpenApi): Resolved {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace(PREFIX, '');
    const named = document.components?.schemas?.[name];
    // A reference of the document to nothing is shown by its name.
    return named === undefined ? { name, schema: {} } : { ...resolveSchema(named, document), name };
  }
  if (schema.allOf === undefined) return { schema };
  const parts = schema.allOf.map((part) => resolveSchema(part, document).schema);
  const { allOf: _, ...own } = schema;
  return {
    schema: {
      type: 'object',
      ...own,
      properties: Object.assign({}, ...parts.map(({ properties }) => properties), own.properties),
      required: [...parts.flatMap(({ required = [] }) => required), ...(own.required ?? [])],
    },
  };
}
