/** LookML text to plain objects that know where they stand. Written from Looker's reference of the language. */
import { ForeignSyntaxError, MAX_FOREIGN_DEPTH } from '../foreign/parsed-text.ts';

export interface LookmlEntry {
  readonly key: string;
  readonly offset: number;
  readonly value: LookmlValue;
}

export type LookmlValue =
  | string
  | readonly LookmlValue[]
  | LookmlBlock
  /** An item of a list such as `filters: [status: "shipped"]`. */
  | { readonly key: string; readonly text: string };

/** `view: orders { … }` has the name `orders`, `derived_table: { … }` none. */
export interface LookmlBlock {
  readonly name: string | undefined;
  readonly entries: readonly LookmlEntry[];
}

/** Keys whose value runs to `;;`. */
const OPEN_ENDED = /^(?:sql(?:_.+)?|html|expression(?:_.+)?)$/;
const WORD = /[A-Za-z_0-9.+*@/-]/;

/** Parses a file. Broken text throws `ForeignSyntaxError` with the offset. Depth is bounded; nothing backtracks. */
export function parseLookml(text: string): readonly LookmlEntry[] {
  const reader = new LookmlReader(text);
  const entries = reader.entries(0);
  reader.expectEnd();
  return entries;
}

/** Reads one text from its start to its end. */
class LookmlReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  expectEnd(): void {
    if (this.#at < this.#text.length) throw this.#fault('expected a key such as `view`, not this');
  }

  entries(depth: number): LookmlEntry[] {
    if (depth > MAX_FOREIGN_DEPTH) throw this.#fault(`nested deeper than ${MAX_FOREIGN_DEPTH} levels`);
    const entries: LookmlEntry[] = [];
    for (;;) {
      this.#skip();
      const offset = this.#at;
      const key = this.#word();
      if (key === '') return entries;
      this.#skip();
      this.#expect(':', `after \`${key}\``);
      this.#skip();
      entries.push({ key, offset, value: this.#value(key, depth) });
    }
  }

  #value(key: string, depth: number): LookmlValue {
    const next = this.#text[this.#at];
    if (next === '{' && !this.#text.startsWith('{%', this.#at)) return this.#block(undefined, depth);
    if (OPEN_ENDED.test(key)) return this.#untilSemicolons(key);
    if (next === '[') return this.#list(depth);
    if (next === '"') return this.#quoted();
    const word = this.#word();
    if (word === '') throw this.#fault(`expected a value of \`${key}\``);
    const end = this.#at;
    this.#skip();
    if (this.#text[this.#at] === '{') return this.#block(word, depth);
    this.#at = end;
    return word;
  }

  #block(name: string | undefined, depth: number): LookmlBlock {
    this.#expect('{', 'here');
    const entries = this.entries(depth + 1);
    this.#expect('}', name === undefined ? 'at the end of the block' : `at the end of \`${name}\``);
    return { name, entries };
  }

  #list(depth: number): LookmlValue[] {
    if (depth > MAX_FOREIGN_DEPTH) throw this.#fault(`nested deeper than ${MAX_FOREIGN_DEPTH} levels`);
    this.#expect('[', 'here');
    const items: LookmlValue[] = [];
    for (;;) {
      this.#skip();
      if (this.#text[this.#at] === ']') break;
      items.push(this.#item());
      this.#skip();
      if (this.#text[this.#at] !== ',') break;
      this.#at += 1;
    }
    this.#expect(']', 'at the end of the list');
    return items;
  }

  #item(): LookmlValue {
    if (this.#text[this.#at] === '"') return this.#quoted();
    const key = this.#word();
    if (key === '') throw this.#fault('expected a value, `,` or `]`');
    this.#skip();
    if (this.#text[this.#at] !== ':') return key;
    this.#at += 1;
    this.#skip();
    const text = this.#text[this.#at] === '"' ? this.#quoted() : this.#word();
    return { key, text };
  }

  #quoted(): string {
    const start = this.#at;
    let result = '';
    for (let at = start + 1; at < this.#text.length; at += 1) {
      const character = this.#text[at];
      if (character === '"') {
        this.#at = at + 1;
        return result;
      }
      if (character === '\\' && at + 1 < this.#text.length) at += 1;
      result += this.#text[at];
    }
    throw new ForeignSyntaxError(start, 'a text without its closing quote');
  }

  #untilSemicolons(key: string): string {
    const start = this.#at;
    const end = this.#text.indexOf(';;', start);
    if (end < 0) throw new ForeignSyntaxError(start, `expected \`;;\` at the end of \`${key}\``);
    this.#at = end + 2;
    return this.#text.slice(start, end).trim();
  }

  #word(): string {
    const start = this.#at;
    while (this.#at < this.#text.length && WORD.test(this.#text[this.#at] ?? '')) this.#at += 1;
    return this.#text.slice(start, this.#at);
  }

  /** White space, comments, and the byte order mark of a file that was put behind another. */
  #skip(): void {
    for (; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#text[this.#at] ?? '';
      if (character === '#') {
        const end = this.#text.indexOf('\n', this.#at);
        this.#at = end < 0 ? this.#text.length - 1 : end;
      } else if (!/[\s\uFEFF]/.test(character)) return;
    }
  }

  #expect(character: string, where: string): void {
    if (this.#text[this.#at] !== character) throw this.#fault(`expected \`${character}\` ${where}`);
    this.#at += 1;
  }

  #fault(message: string): ForeignSyntaxError {
    return new ForeignSyntaxError(this.#at, message);
  }
}
