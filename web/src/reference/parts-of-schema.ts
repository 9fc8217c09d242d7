import type { Messages } from '../i18n/english.ts';
import type { OpenApi, Schema } from './open-api.ts';
import { resolveSchema } from './resolve-schema.ts';

export interface SchemaPart {
  readonly key: string;
  /** Of a field; absent: one of several things that it may be. */
  readonly name?: string;
  readonly isRequired?: boolean;
  readonly schema: Schema;
}

/** What stands inside a schema: fields, what a list holds, the choices. Empty: there is nothing more to say. */
export function partsOfSchema(
  given: Schema,
  document: OpenApi,
  words: Pick<Messages['desk'], 'anyName' | 'eachItem'>,
): readonly SchemaPart[] {
  const { schema } = resolveSchema(given, document);
  const { properties = {}, required = [], additionalProperties, items } = schema;
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return choices.map((choice, at) => ({ key: String(at), schema: choice }));
  if (items !== undefined) {
    const inner = partsOfSchema(items, document, words);
    return inner.length === 0 ? [] : [{ key: 'item', name: words.eachItem, schema: items }];
  }
  const fields = Object.entries(properties).map(([name, field]) => ({
    ...{ key: name, name, schema: field },
    isRequired: required.includes(name),
  }));
  return typeof additionalProperties === 'object'
    ? [...fields, { key: '*', name: words.anyName, schema: additionalProperties }]
    : fields;
}
