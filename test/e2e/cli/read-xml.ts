/** A strict reader of the XML that our reports need: it throws on whatever is not well-formed XML 1.0. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

// Every character that XML 1.0 allows.
const CHARACTERS = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
const NAME = /^[A-Za-z_:][\w:.-]*/;
const REFERENCE = /&(?:(amp|lt|gt|quot|apos)|#(\d+)|#x([0-9a-fA-F]+));/g;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Reads a document with one root; no comments, sections or declarations besides the first line. */
export function readXml(text: string): XmlElement {
  if (!CHARACTERS.test(text)) throw new Error('a character that XML cannot hold');
  const declaration = /^<\?xml version="1\.0" encoding="UTF-8"\?>\s*/.exec(text);
  if (declaration === null) throw new Error('no declaration');
  const reader = new Reader(text, declaration[0].length);
  const root = reader.element();
  reader.end();
  return root;
}

class Reader {
  readonly #text: string;
  #at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  element(): XmlElement {
    this.#take(/^</);
    const name = this.#take(NAME);
    const attributes: Record<string, string> = {};
    while (this.#has(/^\s+[A-Za-z_:]/)) {
      this.#take(/^\s+/);
      const key = this.#take(NAME);
      if (key in attributes) throw this.#error(`the attribute ${key} stands twice`);
      attributes[key] = decode(this.#take(/^="[^"<]*"/).slice(2, -1));
    }
    if (this.#has(/^\s*\/>/)) {
      this.#take(/^\s*\/>/);
      return { name, attributes, children: [], text: '' };
    }
    this.#take(/^\s*>/);
    const children: XmlElement[] = [];
    let text = '';
    while (!this.#has(/^<\//)) {
      if (this.#has(/^</)) children.push(this.element());
      else text += decode(this.#take(/^[^<]+/));
    }
    this.#take(/^<\//);
    if (this.#take(NAME) !== name) throw this.#error(`${name} is not closed`);
    this.#take(/^\s*>/);
    return { name, attributes, children, text };
  }

  end(): void {
    this.#take(/^\s*$/);
  }

  #has(pattern: RegExp): boolean {
    return pattern.test(this.#text.slice(this.#at));
  }

  #take(pattern: RegExp): string {
    const [found] = pattern.exec(this.#text.slice(this.#at)) ?? [];
    if (found === undefined) throw this.#error(`${pattern} was expected`);
    this.#at += found.length;
    return found;
  }

  #error(message: string): Error {
    return new Error(`${message} at ${this.#at}: ${this.#text.slice(this.#at, this.#at + 40)}`);
  }
}

function decode(text: string): string {
  if (/[&]/.test(text.replace(REFERENCE, ''))) throw new Error(`a bare & in ${text}`);
  if (text.includes(']]>')) throw new Error(`]]> in ${text}`);
  return text.replace(REFERENCE, (_, name: string | undefined, decimal?: string, hex?: string) => {
    if (name !== undefined) return NAMED[name] ?? '';
    const character = String.fromCodePoint(
      decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal),
    );
    if (!CHARACTERS.test(character)) throw new Error(`a reference to what XML cannot hold in ${text}`);
    return character;
  });
}
