import type { ToolDefinition } from '../../../model/index.ts';

interface Parameter {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly about: string;
  readonly isRequired?: true;
}

export interface ToolEntry {
  readonly about: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
}

/** Tools as a table, in the form that models are told of them: arguments are an object with nothing else in it. */
export function defineTools(tools: Readonly<Record<string, ToolEntry>>): readonly ToolDefinition[] {
  return Object.entries(tools).map(([name, { about, parameters }]) => ({
    name,
    description: about,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(parameters).map(([key, parameter]) => [
          key,
          { ...parameter.schema, description: parameter.about },
        ]),
      ),
      required: Object.entries(parameters).flatMap(([key, { isRequired }]) => (isRequired ? [key] : [])),
      additionalProperties: false,
    },
  }));
}
