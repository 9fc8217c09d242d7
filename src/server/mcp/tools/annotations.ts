import type { ToolAnnotations } from '@modelcontextprotocol/server';

/** Of a tool that reads, gives the same for the same, and reaches nothing but the database. */
export const LOCAL: ToolAnnotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
