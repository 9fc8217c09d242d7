/** Whether a statement would run code of the database's owner under a name that the lists take for the engine's. */
import type { DialectName } from '../dialect.ts';
import { significantTokens, type Token } from '../lex-sql.ts';
import type { NamedSchema } from '../scope/schema-index.ts';
import type { Span } from '../span.ts';
import { child, type SqlNode, type SqlTree } from '../tree/node.ts';
import { checkDisguisedCalls } from './check-disguised-calls.ts';
import { operatorSigns } from './operator-signs.ts';
import type { OwnCode, OwnThing } from './own-code.ts';
import { READING } from './reading-dialects.ts';

export interface OwnUse {
  readonly thing: OwnThing;
  readonly span: Span;
}

/** Dialects in which a person can define operators that stand in place of the engine's. */
const HAS_OPERATORS: ReadonlySet<DialectName> = new Set(['postgres']);

/**
 * The first use of the owner's code in a statement; `undefined` when there is none. Names behind a dot are looked up in
 * `schema`; without one they are taken for columns.
 */
export function findOwnCode(tree: SqlTree, own: OwnCode, schema?: NamedSchema): OwnUse | undefined {
  if (own.length === 0) return undefined;
  const named = new Map<string, OwnThing>(
    own.flatMap((thing) => (thing.whenRead ? [] : [[`${thing.kind} ${thing.name}`, thing] as const])),
  );
  const used = usedNames(tree);
  const names = new Set(used.map(({ name }) => name));
  for (const { name, span } of used) {
    const thing = named.get(name);
    if (thing !== undefined && isReached(thing, names)) return { thing, span };
  }
  const attribute = schema && findAttribute(tree, named, schema);
  if (attribute !== undefined) return attribute;
  const silent = own.find(
    (thing) =>
      (thing.kind === 'cast' && isCastReached(thing, names)) ||
      (thing.whenRead !== undefined && isReached(thing, names) && mayRun(thing, tree)),
  );
  return silent && { thing: silent, span: tree.root };
}

/** NULL is checked as well; the functions make rows of the type of what they are given. */
const VALUES_FROM = /^(?:null$|jsonb?_populate_record)/;

/** `zips = '{x}'` makes a value of the type of the column, `json_populate_record(t, …)` one of every column of t. */
function mayRun({ whenRead }: OwnThing, tree: SqlTree): boolean {
  if (whenRead === 'always') return true;
  return tree.tokens.some(
    (token) => token.kind === 'text' || (token.kind !== 'comment' && VALUES_FROM.test(bare(token))),
  );
}

/** `('x').unaccent` where no row has such a column. */
function findAttribute(
  tree: SqlTree,
  named: ReadonlyMap<string, OwnThing>,
  schema: NamedSchema,
): OwnUse | undefined {
  const listed = READING[tree.dialect].functions;
  const functions = [...named.values()].flatMap(({ kind, name }) =>
    kind === 'function' && listed.has(name) ? [name] : [],
  );
  if (functions.length === 0) return undefined;
  const refusal = checkDisguisedCalls(tree, schema, new Set(functions));
  const thing = refusal && named.get(`function ${refusal.offending}`);
  return thing && { thing, span: refusal.span };
}

interface UsedName {
  /** `function upper`, `operator ===`, `type dom1`, `collation ci`, `table orders`. */
  readonly name: string;
  readonly span: Span;
}

function usedNames(tree: SqlTree): readonly UsedName[] {
  const used: UsedName[] = [];
  for (const node of tree.nodes) {
    const name = nameOf(node);
    if (name !== undefined) used.push({ name, span: node });
  }
  const tokens = significantTokens(tree.tokens);
  used.push(...collations(tokens), ...calls(tokens));
  if (!HAS_OPERATORS.has(tree.dialect)) return used;
  const starEnds = new Set(tree.nodes.filter(({ type }) => type === 'Star').map(({ end }) => end));
  for (const { sign, span } of operatorSigns(tree.tokens, starEnds))
    used.push({ name: `operator ${sign}`, span });
  return used;
}

function nameOf(node: SqlNode): string | undefined {
  if (node.flags.call !== undefined) return `function ${(node.value ?? '').toLowerCase()}`;
  if (node.type === 'DataType') return `type ${(node.value ?? '').toLowerCase()}`;
  if (node.type !== 'Table') return undefined;
  const name = child(node, 'this');
  return name?.type === 'Identifier' ? `table ${(name.value ?? '').toLowerCase()}` : undefined;
}

/** Names before a bracket: calls that the grammar has words for, as UNNEST, are looked up by name all the same. */
function calls(tokens: readonly Token[]): readonly UsedName[] {
  return tokens.flatMap((token, index) => {
    const isName = token.kind === 'word' || token.kind === 'quoted-name';
    if (!isName || tokens[index + 1]?.text !== '(') return [];
    return [{ name: `function ${bare(token)}`, span: { start: token.start, end: token.end } }];
  });
}

/** `COLLATE ci`, `COLLATE "app"."ci"`. */
function collations(tokens: readonly Token[]): readonly UsedName[] {
  return tokens.flatMap((token, index) => {
    if (token.kind !== 'word' || token.text.toLowerCase() !== 'collate') return [];
    const [first, dot, second] = tokens.slice(index + 1, index + 4);
    if (first === undefined) return [];
    const name = dot?.text === '.' && second ? `${bare(first)}.${bare(second)}` : bare(first);
    return [{ name: `collation ${name}`, span: { start: first.start, end: first.end } }];
  });
}

function bare({ kind, text }: Token): string {
  return (kind === 'quoted-name' ? text.slice(1, -1).replaceAll('""', '"') : text).toLowerCase();
}

function isReached({ onlyWith }: OwnThing, names: ReadonlySet<string>): boolean {
  if (onlyWith === undefined) return true;
  return (
    onlyWith.types.some((type) => names.has(`type ${type}`)) ||
    onlyWith.tables.some((table) => names.has(`table ${table}`))
  );
}

/** A cast has no name in a statement; `||` makes a text of what stands beside it by a cast of its own. */
function isCastReached(thing: OwnThing, names: ReadonlySet<string>): boolean {
  if (!isReached(thing, names)) return false;
  if (thing.isExplicit !== true || thing.onlyWith === undefined) return true;
  return names.has('operator ||') || [...names].some((name) => name.startsWith('type '));
}
