/** Which part of the schema the writer sees. */
export { type LinkedSchema, linkReasons, linkSchema } from './link-schema.ts';
