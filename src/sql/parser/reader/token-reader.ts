/** Reads significant tokens one by one and makes nodes out of what was read. */
import type { Token } from '../../dialects/lex-sql.ts';
import type { Flags, SqlNode } from '../../tree/node.ts';
import type { NodeType, Role } from '../../tree/node-types.ts';
import type { Grammar } from './grammar.ts';

// Nodes while the tree is being built; `finishTree` gives them ids and parents and freezes them.

/** A node under construction: the same object that later is the frozen `SqlNode`. */
export interface Draft {
  id: number;
  type: NodeType;
  role: Role;
  parent: Draft | undefined;
  children: Draft[];
  start: number;
  end: number;
  value: string | undefined;
  flags: Flags;
}

export const NO_FLAGS: Flags = Object.freeze({});
const NO_CHILDREN: readonly SqlNode[] = Object.freeze([]);

/** Puts a node into a slot of its future parent. */
export function as(role: Role, node: Draft): Draft {
  node.role = role;
  return node;
}

/** All nodes of each into one slot. */
export function allAs(role: Role, nodes: readonly Draft[]): readonly Draft[] {
  for (const node of nodes) node.role = role;
  return nodes;
}

/** Numbers the nodes in preorder, sets parents and freezes; `undefined` when the tree is deeper than allowed. */
export function finishTree(root: Draft, maximumDepth: number): readonly SqlNode[] | undefined {
  const nodes: Draft[] = [];
  const open: Draft[] = [root];
  const depths: number[] = [0];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const depth = depths.pop() ?? 0;
    if (depth > maximumDepth) return undefined;
    node.id = nodes.length;
    nodes.push(node);
    for (let index = node.children.length - 1; index >= 0; index -= 1) {
      const below = node.children[index] as Draft;
      below.parent = node;
      open.push(below);
      depths.push(depth + 1);
    }
  }
  for (const node of nodes) {
    if (node.children.length === 0) node.children = NO_CHILDREN as Draft[];
    else Object.freeze(node.children);
    Object.freeze(node);
  }
  return Object.freeze(nodes);
}

/** Thrown inside the parser only; `parse` turns it into a value. */
export class SyntaxFault extends Error {
  readonly offset: number;
  readonly expected: readonly string[];

  constructor(message: string, offset: number, expected: readonly string[] = []) {
    super(message);
    this.offset = offset;
    this.expected = expected;
  }
}

/** How deep brackets, subqueries, CASE and prefix operators may stand in each other. */
export const MAX_NESTING = 250;

/** The place in the tokens. Lives for one call of `parse`. */
export class TokenReader {
  readonly grammar: Grammar;
  /** The keyword or operator at the place: upper case for words, as it stands for operators, '' for the rest. */
  key = '';
  /** CASE expressions whose END is still to come. */
  openCases = 0;
  at = 0;
  readonly #tokens: readonly Token[];
  readonly #keys: readonly string[];
  readonly #textLength: number;
  #nesting = 0;
  #isHalfClosed = false;

  constructor(tokens: readonly Token[], grammar: Grammar, textLength: number) {
    this.#tokens = tokens;
    this.grammar = grammar;
    this.#textLength = textLength;
    this.#keys = tokens.map(keyOf);
    this.key = this.#keys[0] ?? '';
  }

  get token(): Token | undefined {
    return this.#tokens[this.at];
  }

  get kind(): Token['kind'] | undefined {
    return this.#tokens[this.at]?.kind;
  }

  /** Offset where the next token begins, or the end of the text. */
  get start(): number {
    return this.#tokens[this.at]?.start ?? this.#textLength;
  }

  /** Offset where the last token ended. */
  get end(): number {
    if (this.#isHalfClosed) return this.start + 1;
    return this.#tokens[this.at - 1]?.end ?? 0;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#tokens.length;
  }

  /** The key of the token `distance` places on. */
  ahead(distance: number): string {
    return this.#keys[this.at + distance] ?? '';
  }

  kindAhead(distance: number): Token['kind'] | undefined {
    return this.#tokens[this.at + distance]?.kind;
  }

  tokenAhead(distance: number): Token | undefined {
    return this.#tokens[this.at + distance];
  }

  move(to: number): void {
    this.at = to;
    this.key = this.#keys[to] ?? '';
  }

  advance(): Token {
    const token = this.#tokens[this.at];
    if (token === undefined) throw this.fault('more');
    this.move(this.at + 1);
    return token;
  }

  /** Steps over the key when it stands here. */
  accept(key: string): boolean {
    if (this.key !== key) return false;
    this.move(this.at + 1);
    return true;
  }

  /** Steps over all keys when they stand here in this order. */
  acceptAll(...keys: readonly string[]): boolean {
    if (!this.looksAt(...keys)) return false;
    this.move(this.at + keys.length);
    return true;
  }

  isAt(key: string): boolean {
    return this.key === key;
  }

  looksAt(...keys: readonly string[]): boolean {
    return keys.every((key, index) => this.#keys[this.at + index] === key);
  }

  expect(...keys: readonly string[]): void {
    for (const key of keys) if (!this.accept(key)) throw this.fault(key);
  }

  /** Steps over the `>` that closes a nested type, which may be one half of `>>`. */
  closeAngle(): void {
    if (this.key === '>>' && !this.#isHalfClosed) this.#isHalfClosed = true;
    else if (this.key === '>>' || this.key === '>') {
      this.#isHalfClosed = false;
      this.move(this.at + 1);
    } else throw this.fault('>');
  }

  /** What was wanted here, and what stands here instead. */
  fault(...expected: readonly string[]): SyntaxFault {
    const found = this.token === undefined ? 'the end of the text' : shorten(this.token.text);
    return new SyntaxFault(
      `expected ${listing(expected)}, found ${found}`,
      this.token?.start ?? this.end,
      expected,
    );
  }

  /** Runs a rule one level deeper and refuses what is nested too deep for any engine. */
  nested<T>(read: () => T): T {
    this.#nesting += 1;
    if (this.#nesting > MAX_NESTING) {
      throw new SyntaxFault(`the statement is nested more than ${MAX_NESTING} deep`, this.start);
    }
    const result = read();
    this.#nesting -= 1;
    return result;
  }

  /** A node from `start` to the end of the last token. */
  node(type: NodeType, start: number, children: Draft[], value?: string, flags: Flags = NO_FLAGS): Draft {
    return {
      id: 0,
      type,
      role: 'root',
      parent: undefined,
      children,
      start,
      end: this.end,
      value,
      flags,
    };
  }

  /** `rule (, rule)*` */
  list(read: () => Draft): Draft[] {
    const items = [read()];
    while (this.accept(',')) items.push(read());
    return items;
  }
}

function keyOf(token: Token): string {
  if (token.kind === 'word') return token.text.toUpperCase();
  return token.kind === 'operator' ? token.text : '';
}

function listing(expected: readonly string[]): string {
  if (expected.length < 2) return expected[0] ?? 'something else';
  return `${expected.slice(0, -1).join(', ')} or ${expected.at(-1)}`;
}

function shorten(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length < text.length || line.length > 40 ? `${line.slice(0, 40)}…` : text;
}
