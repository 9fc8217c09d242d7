/** Which part of the schema the writer sees, and why. */
export { type LinkedSchema, linkSchema } from './link-schema.ts';
