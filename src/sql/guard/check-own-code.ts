/** Whether a statement would run code of the database's owner under a name that the lists take for the engine's. */

import type { DialectName } from '../dialects/dialect.ts';
import { significantTokens, type Token } from '../dialects/lex-sql.ts';
import { withoutQuotes } from '../dialects/quoting.ts';
import type { Span } from '../dialects/span.ts';
import type { NamedSchema } from '../scope/state/schema-index.ts';
import { child, type SqlNode, type SqlTree } from '../tree/node.ts';
import { checkDisguisedCalls } from './check-disguised-calls.ts';
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
  return (kind === 'quoted-name' ? withoutQuotes(text) : text).toLowerCase();
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

/** The operators that PostgreSQL looks up by name for a text, those that are written as words among them. */
interface UsedSign {
  readonly sign: string;
  readonly span: Span;
}

const SIGN = /^[-+*/<>=~!@#%^&|`?]+$/;
/** A longer operator may end in + or - only if it holds one of these. */
const MAY_END_IN_SIGN = /[~!@#%^&|`?]/;

/** Words behind which the engine looks up an operator by its sign, as if the sign stood there. */
const BY_WORD: Readonly<Record<string, readonly string[]>> = {
  like: ['~~', '!~~'],
  ilike: ['~~*', '!~~*'],
  similar: ['~', '!~'],
  between: ['>=', '<=', '<', '>'],
  in: ['=', '<>'],
  distinct: ['='],
  nullif: ['='],
  case: ['='],
  using: ['='],
  natural: ['='],
};

/**
 * The signs in a text, cut as the engine cuts them: `a=-1` has `=` and `-`, `a @-@ b` one. A star that stands for columns
 * is none; `starEnds` says where those end.
 */
function operatorSigns(tokens: readonly Token[], starEnds: ReadonlySet<number>): readonly UsedSign[] {
  const signs: UsedSign[] = [];
  let run = '';
  let start = 0;
  const flush = (): void => {
    for (const sign of cutRun(run)) signs.push({ sign, span: { start, end: start + run.length } });
    run = '';
  };
  for (const token of tokens) {
    if (token.kind !== 'word' && SIGN.test(token.text) && !starEnds.has(token.end)) {
      if (run === '') start = token.start;
      run += token.text;
      continue;
    }
    flush();
    if (token.kind !== 'word') continue;
    const byWord = token.text.toLowerCase();
    if (Object.hasOwn(BY_WORD, byWord))
      for (const sign of BY_WORD[byWord] ?? []) signs.push({ sign, span: token });
  }
  flush();
  return signs;
}

function cutRun(run: string): readonly string[] {
  const signs: string[] = [];
  for (let rest = run; rest !== ''; ) {
    let sign = rest;
    while (sign.length > 1 && /[-+]$/.test(sign) && !MAY_END_IN_SIGN.test(sign)) sign = sign.slice(0, -1);
    signs.push(sign === '!=' ? '<>' : sign);
    rest = rest.slice(sign.length);
  }
  return signs;
}

/** What a database runs under a name that people take for the engine's: code that its owner put there. */
export type OwnKind = 'function' | 'operator' | 'type' | 'cast' | 'collation';

/** One thing that the owner of a database made, as plain data. */
export interface OwnThing {
  readonly kind: OwnKind;
  /** As SQL writes it, in small letters: `unaccent`, `===`, `dom1`, `app.dom1`, `box2 as text`. */
  readonly name: string;
  /**
   * The only statements that it can be part of: those that write one of these types, or read one of these tables, which
   * hold values of such a type. Absent: any statement may reach it.
   */
  readonly onlyWith?: { readonly types: readonly string[]; readonly tables: readonly string[] };
  /**
   * Set for a type whose code also runs where its name is not written: always where one of the tables is read, or only
   * where the statement holds a text, a NULL or a document that may become a value of it.
   */
  readonly whenRead?: 'always' | 'with-values';
  /** A cast that the engine applies only where a statement writes a type. */
  readonly isExplicit?: boolean;
}

export type OwnCode = readonly OwnThing[];

/** Names that a statement may use although the database's owner wrote what stands behind them. */
export interface AllowedCode {
  readonly functions?: readonly string[];
  readonly operators?: readonly string[];
  readonly types?: readonly string[];
  readonly casts?: readonly string[];
  readonly collations?: readonly string[];
}

const LISTS: Readonly<Record<OwnKind, keyof AllowedCode>> = {
  function: 'functions',
  operator: 'operators',
  type: 'types',
  cast: 'casts',
  collation: 'collations',
};

/** The list of `guard.allow` in which a thing is named. */
export function allowListOf(kind: OwnKind): keyof AllowedCode {
  return LISTS[kind];
}

/** What is left to refuse. */
export function withoutAllowed(own: OwnCode, allowed: AllowedCode = {}): OwnCode {
  const names = new Set(
    Object.entries(LISTS).flatMap(([kind, list]) =>
      (allowed[list] ?? []).map((name) => `${kind} ${name.trim().toLowerCase()}`),
    ),
  );
  return names.size === 0 ? own : own.filter(({ kind, name }) => !names.has(`${kind} ${name}`));
}

/** Those that a statement could be refused for: a function that no list has is refused anyhow. */
export function redefining(own: OwnCode, dialect: DialectName): OwnCode {
  const { functions, tableFunctions } = READING[dialect];
  return own.filter(
    ({ kind, name }) => kind !== 'function' || functions.has(name) || tableFunctions.has(name),
  );
}
