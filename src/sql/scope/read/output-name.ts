/** The name a select item shows without an alias, by the rule of the dialect. */
import { child, type SqlNode, type SqlTree, textOf } from '../../tree/node.ts';
import type { NameRules, NumberedName } from '../state/name-rules.ts';

export interface OutputName {
  readonly name: string | undefined;
  /** What an outer name must equal in lower case. */
  readonly key: string | undefined;
}

const NAMELESS: OutputName = { name: undefined, key: undefined };

interface Item {
  readonly node: SqlNode;
  /** Place in the select list, from 0. */
  readonly index: number;
}

export function outputName(tree: SqlTree, { node, index }: Item, rules: NameRules): OutputName {
  const own = plainName(node);
  if (own !== undefined) return named(own);
  if (typeof rules.unnamedOutput === 'object')
    return { name: undefined, key: numbered(rules.unnamedOutput, index) };
  if (rules.unnamedOutput === 'function') return named(functionName(node));
  return { name: undefined, key: textOf(tree, node).toLowerCase() };
}

/** `column{0}` with its place: `column1`. */
export function numbered({ template, first }: NumberedName, index: number): string {
  return template.replace('{0}', String(index + first));
}

function named(name: string | undefined): OutputName {
  return name === undefined ? NAMELESS : { name, key: name.toLowerCase() };
}

/** The last part of a column or of a path into one. */
export function plainName(node: SqlNode): string | undefined {
  switch (node.type) {
    case 'Column':
      return node.children.at(-1)?.value;
    case 'Dot': {
      const field = child(node, 'expression');
      return field?.type === 'Identifier' ? field.value : undefined;
    }
    case 'Paren':
      return node.children[0] && plainName(node.children[0]);
    default:
      return undefined;
  }
}

/** PostgreSQL names a call after its function, a cast after what is cast, and leaves the rest without a name. */
function functionName(node: SqlNode): string | undefined {
  const inner = child(node, 'this');
  switch (node.type) {
    case 'Cast':
    case 'TryCast':
      return (inner && (plainName(inner) ?? functionName(inner))) ?? child(node, 'to')?.value;
    case 'Case':
      return 'case';
    case 'Exists':
      return 'exists';
    case 'Array':
      return 'array';
    case 'Window':
    case 'Filter':
    case 'WithinGroup':
    case 'Paren':
    case 'Collate':
    case 'Bracket':
      return inner && (plainName(inner) ?? functionName(inner));
    default:
      return node.flags.call === undefined ? undefined : lastPart(node.value ?? '');
  }
}

/** `pg_catalog.lower` is called lower. */
function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}
