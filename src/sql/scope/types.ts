/** The family of every expression's type, through operators, functions, subqueries and the columns names mean. */
import { child, type SqlNode, type SqlTree } from '../tree/node.ts';
import { FUNCTION_FAMILIES, type FunctionFamily } from './function-families.ts';
import type { Family, Output, Scopes } from './scope.ts';
import { elementFamilyOf, familyOf } from './type-family.ts';

interface Typing {
  readonly scopes: Scopes;
  readonly families: (Family | undefined)[];
  /** `undefined` while an output is being looked at. */
  readonly outputs: Map<Output, Family | undefined>;
}

/** Families by node id; a node that is no expression, or whose type cannot be told, is `unknown`. */
export function types(tree: SqlTree, scopes: Scopes): readonly Family[] {
  const typing: Typing = { scopes, families: new Array(tree.nodes.length), outputs: new Map() };
  // Children have higher ids than their parents, so backwards they come first and nothing nests deeply.
  for (let id = tree.nodes.length - 1; id >= 0; id -= 1) familyAt(typing, tree.nodes[id] as SqlNode);
  return typing.families.map((family) => family ?? 'unknown');
}

function familyAt(typing: Typing, node: SqlNode): Family {
  const known = typing.families[node.id];
  if (known !== undefined) return known;
  const family = readFamily(typing, node);
  typing.families[node.id] = family;
  return family;
}

type Reader = (typing: Typing, node: SqlNode) => Family;

/** What a function gives comes before what its node type gives: one type stands for functions of several kinds. */
function readFamily(typing: Typing, node: SqlNode): Family {
  const rule = node.flags.call === undefined ? undefined : FUNCTION_FAMILIES.get(functionName(node));
  if (rule !== undefined) return callFamily(typing, node, rule);
  return FIXED.get(node.type) ?? READERS.get(node.type)?.(typing, node) ?? 'unknown';
}

/** In upper case, without a schema before it. */
function functionName(node: SqlNode): string {
  const written = (node.value ?? '').toUpperCase();
  return written.slice(written.lastIndexOf('.') + 1);
}

const ARGUMENTS: ReadonlySet<string> = new Set(['this', 'expressions', 'true', 'false']);

function callFamily(typing: Typing, node: SqlNode, rule: FunctionFamily): Family {
  const parts = node.children.filter(({ role }) => ARGUMENTS.has(role));
  if (rule === 'argument') return parts[0] === undefined ? 'unknown' : familyAt(typing, parts[0]);
  if (rule === 'arguments') return combine(typing, parts);
  return rule === 'branches' ? combine(typing, parts.slice(1)) : rule;
}

/** The one family that all have, as far as they have one. */
function combine(typing: Typing, nodes: readonly SqlNode[]): Family {
  return unite(nodes.map((node) => familyAt(typing, node)));
}

function unite(families: readonly Family[]): Family {
  const known = new Set(families.filter((family) => family !== 'unknown'));
  const [only] = known;
  return known.size === 1 && only !== undefined ? only : 'unknown';
}

function columnFamily(typing: Typing, node: SqlNode): Family {
  const reference = typing.scopes.references[node.id];
  if (reference?.kind === 'text') return 'text';
  if (reference?.kind === 'row') return 'other';
  if (reference?.kind !== 'column' && reference?.kind !== 'alias') return 'unknown';
  return reference.fields.length === 0 ? outputFamily(typing, reference.output) : 'unknown';
}

function outputFamily(typing: Typing, output: Output): Family {
  if (typing.outputs.has(output)) return typing.outputs.get(output) ?? 'unknown';
  typing.outputs.set(output, undefined);
  const family = originFamily(typing, output);
  typing.outputs.set(output, family);
  return family;
}

function originFamily(typing: Typing, { origin }: Output): Family {
  switch (origin.kind) {
    case 'schema':
      return familyOf(origin.column.type);
    case 'expression':
      return familyAt(typing, origin.node);
    case 'element':
      return elementFamily(typing, origin.node);
    case 'outputs':
      return unite(origin.outputs.map((output) => outputFamily(typing, output)));
    case 'family':
      return origin.family;
    case 'unknown':
      return 'unknown';
  }
}

/** Of an array written out, or of a column declared as an array. */
function elementFamily(typing: Typing, node: SqlNode): Family {
  if (node.type === 'Array') return combine(typing, node.children);
  const reference = typing.scopes.references[node.id];
  const origin = reference?.kind === 'column' ? reference.output.origin : undefined;
  return origin?.kind === 'schema' ? elementFamilyOf(origin.column.type) : 'unknown';
}

/** A subquery as a value is its first column. */
function queryFamily(typing: Typing, node: SqlNode): Family {
  let query: SqlNode | undefined = node;
  while (query?.type === 'Subquery') query = child(query, 'this');
  const output = query && typing.scopes.places[query.id]?.outputs.list[0];
  return output === undefined ? 'unknown' : outputFamily(typing, output);
}

function firstFamily(typing: Typing, node: SqlNode): Family {
  const inner = child(node, 'this') ?? node.children[0];
  return inner === undefined ? 'unknown' : familyAt(typing, inner);
}

function literalFamily(_typing: Typing, node: SqlNode): Family {
  return node.flags.string === undefined ? 'numeric' : 'text';
}

function castFamily({ scopes }: Typing, node: SqlNode): Family {
  const to = child(node, 'to');
  return to === undefined ? 'unknown' : familyOf(scopes.tree.text.slice(to.start, to.end));
}

function caseFamily(typing: Typing, node: SqlNode): Family {
  const values = node.children.flatMap((part) => {
    if (part.role === 'ifs') return child(part, 'true') ?? [];
    return part.role === 'default' ? [part] : [];
  });
  return combine(typing, values);
}

/** A date moved by something stays a date; the difference of two is a number. */
function sumFamily(typing: Typing, node: SqlNode): Family {
  const families = node.children.map((part) => familyAt(typing, part));
  const dates = families.filter((family) => family === 'date').length;
  if (dates === 1 || (dates > 1 && node.type === 'Add')) return 'date';
  if (dates === 0 && node.children.some((part) => part.type === 'Interval')) {
    return families.every((family) => family === 'other') ? 'other' : 'date';
  }
  return 'numeric';
}

/** Written as an operator it gives JSON; the functions give what the path leads to. */
function jsonFamily(_typing: Typing, node: SqlNode): Family {
  return node.flags.call === undefined ? 'other' : 'unknown';
}

function kwargFamily(typing: Typing, node: SqlNode): Family {
  const value = child(node, 'expression');
  return value === undefined ? 'unknown' : familyAt(typing, value);
}

const FIXED: ReadonlyMap<string, Family> = new Map(
  Object.entries({
    bool: `Boolean And Or Xor Not EQ NEQ GT GTE LT LTE NullSafeEQ NullSafeNEQ Is Like ILike Glob SimilarTo RegexpLike
      RegexpILike Escape Between In Exists`,
    numeric: `Mul Div IntDiv Mod Pow BitwiseAnd BitwiseOr BitwiseXor BitwiseLeftShift BitwiseRightShift Neg Pos
      BitwiseNot Extract`,
    text: 'DPipe Collate JSONExtractScalar',
    date: 'AtTimeZone',
    other: 'Interval Array Struct Map Tuple Comprehension Lambda HexString BitString',
  }).flatMap(([family, names]) => names.split(/\s+/).map((name) => [name, family as Family] as const)),
);

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['Column', columnFamily],
  ['Literal', literalFamily],
  ['Add', sumFamily],
  ['Sub', sumFamily],
  ['Cast', castFamily],
  ['TryCast', castFamily],
  ['Case', caseFamily],
  ['JSONExtract', jsonFamily],
  ['Kwarg', kwargFamily],
  ...['Select', 'Union', 'Intersect', 'Except', 'Values', 'Pivot', 'Subquery'].map(
    (type) => [type, queryFamily] as const,
  ),
  ...[
    'Alias',
    'Paren',
    'Window',
    'Filter',
    'WithinGroup',
    'IgnoreNulls',
    'RespectNulls',
    'Distinct',
    'Ordered',
    'Where',
    'Having',
    'Qualify',
    'Any',
    'All',
  ].map((type) => [type, firstFamily] as const),
]);
