import { Document, isScalar, Scalar, visit } from 'yaml';

/** The text of a value as every tool reads it: no anchors, no folded lines, and `<<` as a key of its own in quotes, no merge. */
export function writeYaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Pair: (_, { key }) => {
      if (isScalar(key) && key.value === '<<') key.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document.toString({ lineWidth: 0 });
}
