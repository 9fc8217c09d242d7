/** Anchors that multiply ("billion laughs") and texts nested without end are refused by the YAML library with an error of its own. */
export function orYamlFault<Read>(read: () => Read, faultOf: (why: string) => Error): Read {
  try {
    return read();
  } catch (error) {
    if (error instanceof ReferenceError) throw faultOf(`its anchors cannot be followed: ${error.message}`);
    if (error instanceof RangeError)
      throw faultOf('it is nested too deep; values stand at most some hundred levels deep');
    throw error;
  }
}
