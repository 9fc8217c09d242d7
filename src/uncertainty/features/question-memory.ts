import type { SchemaFacts } from '../../faults/index.ts';
import type { AskedQuestion } from './asked-question.ts';

/**
 * What was found for a question, by name: its candidates ask for the same tables, columns and words. Lives as long as the
 * question; another schema beside the same question starts anew.
 */
export function questionMemory<Value>(): (
  asked: AskedQuestion,
  schema?: SchemaFacts,
) => (name: string, find: (name: string) => Value) => Value {
  const known = new WeakMap<
    AskedQuestion,
    { readonly schema: SchemaFacts | undefined; readonly found: Map<string, Value> }
  >();
  return (asked, schema) => {
    let memory = known.get(asked);
    if (memory?.schema !== schema || memory === undefined) {
      memory = { schema, found: new Map() };
      known.set(asked, memory);
    }
    const { found } = memory;
    return (name, find) => {
      const before = found.get(name);
      if (before !== undefined) return before;
      const value = find(name);
      found.set(name, value);
      return value;
    };
  };
}
