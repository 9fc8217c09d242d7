/** Cuts Markdown into the statements of a file: list items, paragraphs, table rows, each with the headings above it. */
import { CandorError } from '../../errors.ts';

export type MarkdownBlock = { readonly topic: readonly string[]; readonly line: number } & (
  | { readonly kind: 'item' | 'paragraph'; readonly text: string }
  | { readonly kind: 'row'; readonly heads: readonly string[]; readonly cells: readonly string[] }
);

/** Attributes of one note, written behind it where no reader of the page sees them. */
export const ATTRIBUTE_COMMENT = '<!-- candor:';

const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const ITEM = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(.*)$/;
const RULE = /^ {0,3}(?:-\s*){3,}$|^ {0,3}(?:\*\s*){3,}$|^ {0,3}(?:_\s*){3,}$/;
const FENCE = /^\s*(```+|~~~+)/;
const UNDERLINE = /^ {0,3}(?:=+|-+)\s*$/;
const TABLE_RULE = /^[\s|:-]*-[\s|:-]*$/;

/**
 * The blocks of a file in order; `firstLine` is the number of its first line. Items below an item and code below a
 * statement belong to it. Throws `knowledge.invalid` for a comment or code block without its end.
 */
export function markdownBlocks(lines: readonly string[], file: string, firstLine = 1): MarkdownBlock[] {
  const reader = new BlockReader(lines, file, firstLine);
  return reader.read();
}

interface OpenBlock {
  readonly kind: 'item' | 'paragraph';
  readonly line: number;
  readonly topic: readonly string[];
  readonly parts: string[];
  /** An empty line came: only indented lines go on with it. */
  isInterrupted: boolean;
}

/** Goes through the lines once; lives for one call. */
class BlockReader {
  readonly #lines: readonly string[];
  readonly #file: string;
  readonly #firstLine: number;
  readonly #blocks: MarkdownBlock[] = [];
  #topic: readonly { readonly level: number; readonly title: string }[] = [];
  #open: OpenBlock | undefined;
  #at = 0;

  constructor(lines: readonly string[], file: string, firstLine: number) {
    this.#lines = lines;
    this.#file = file;
    this.#firstLine = firstLine;
  }

  read(): MarkdownBlock[] {
    for (; this.#at < this.#lines.length; this.#at += 1) this.#readLine(this.#line(0));
    this.#close();
    return this.#blocks;
  }

  /** Quoted lines read as what they quote. */
  #line(ahead: number): string {
    return (this.#lines[this.#at + ahead] ?? '').replace(/^ {0,3}> ?/, '').trimEnd();
  }

  #readLine(line: string): void {
    if (line === '') {
      if (this.#open !== undefined) this.#open.isInterrupted = true;
      return;
    }
    const heading = HEADING.exec(line);
    if (heading !== null) return this.#enter(heading[1]?.length ?? 1, heading[2] ?? '');
    if (FENCE.test(line)) return this.#readFence(line);
    if (line.trimStart().startsWith('<!--') && !line.trimStart().startsWith(ATTRIBUTE_COMMENT))
      return this.#skipComment();
    if (this.#isUnderline(line)) return this.#makeHeading(line);
    if (RULE.test(line)) return this.#close();
    if (line.includes('|') && this.#line(1).includes('-') && TABLE_RULE.test(this.#line(1)))
      return this.#readTable(line);
    this.#readText(line);
  }

  #enter(level: number, title: string): void {
    this.#close();
    this.#topic = [...this.#topic.filter((above) => above.level < level), { level, title: plain(title) }];
  }

  #isUnderline(line: string): boolean {
    return UNDERLINE.test(line) && this.#open?.kind === 'paragraph' && !this.#open.isInterrupted;
  }

  /** The paragraph above a line of `=` or `-` was a heading. */
  #makeHeading(line: string): void {
    const title = this.#open?.parts.join(' ') ?? '';
    this.#open = undefined;
    this.#enter(line.includes('=') ? 1 : 2, title);
  }

  #readText(line: string): void {
    const item = ITEM.exec(line);
    const indent = line.length - line.trimStart().length;
    const { line: number, topic } = this.#place();
    const isInItem = this.#open?.kind === 'item' && indent >= 2;
    if (item !== null && !isInItem) {
      this.#close();
      this.#open = { kind: 'item', line: number, topic, parts: [item[2] ?? ''], isInterrupted: false };
    } else if (this.#open !== undefined && (isInItem || !this.#open.isInterrupted)) {
      // An item below an item starts a line of its own.
      this.#open.parts.push(item === null ? line.trim() : `\n- ${item[2]}`);
      this.#open.isInterrupted = false;
    } else {
      this.#close();
      this.#open = { kind: 'paragraph', line: number, topic, parts: [line.trim()], isInterrupted: false };
    }
  }

  /** Code belongs to the statement before it; the lines stay as they are. */
  #readFence(opening: string): void {
    const mark = FENCE.exec(opening)?.[1] ?? '```';
    const { line, topic } = this.#place();
    const code: string[] = [];
    for (this.#at += 1; !this.#line(0).trimStart().startsWith(mark); this.#at += 1) {
      if (this.#at >= this.#lines.length) throw this.#fault(line, `a code block without its closing ${mark}`);
      code.push(this.#line(0));
    }
    this.#open ??= { kind: 'paragraph', line, topic, parts: [], isInterrupted: false };
    this.#open.parts.push(`\n${code.join('\n')}\n`);
  }

  #skipComment(): void {
    const { line } = this.#place();
    while (!this.#line(0).includes('-->')) {
      this.#at += 1;
      if (this.#at >= this.#lines.length) throw this.#fault(line, 'a comment without its closing -->');
    }
  }

  #readTable(head: string): void {
    this.#close();
    const heads = cellsOf(head);
    for (this.#at += 2; this.#line(0).includes('|'); this.#at += 1)
      this.#blocks.push({ ...this.#place(), kind: 'row', heads, cells: cellsOf(this.#line(0)) });
    this.#at -= 1;
  }

  #place(): { readonly line: number; readonly topic: readonly string[] } {
    return { line: this.#firstLine + this.#at, topic: this.#topic.map(({ title }) => title) };
  }

  #close(): void {
    if (this.#open === undefined) return;
    const { kind, line, topic, parts } = this.#open;
    const text = parts
      .join(' ')
      .replaceAll(/ *\n */g, '\n')
      .trim();
    if (text !== '') this.#blocks.push({ kind, line, topic, text });
    this.#open = undefined;
  }

  #fault(line: number, message: string): CandorError {
    return new CandorError('knowledge.invalid', `${this.#file}:${line}:1: ${message}`);
  }
}

/** The cells of a row of a table; `\|` is a bar that belongs to the text. */
function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').trim());
}

/** Without the marks of emphasis and code. */
function plain(text: string): string {
  return text.replaceAll(/[*`]+/g, '').trim();
}
