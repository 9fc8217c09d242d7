/** Comma-separated text (RFC 4180): one record at a time, of a text that is there or of lines that come, and written again. */

export interface CsvRules {
  /** A quote inside a bare cell and blanks behind a closing quote are faults: a stray quote is noticed at once. */
  readonly isStrict: boolean;
  readonly mostFields: number;
}

export type CsvProgress = 'whole' | 'open' | 'broken';

/** One record, whose quoted fields may hold line ends. */
export class CsvRecord {
  readonly fields: string[] = [];
  readonly #rules: CsvRules;
  /** Of a quoted field that is open, without its opening quote. */
  #open: string | undefined;
  #end = 0;

  constructor(rules: CsvRules) {
    this.#rules = rules;
  }

  /** In the text that was pushed last: the place behind the record and its line end, or that of the fault or the open quote. */
  get end(): number {
    return this.#end;
  }

  /** Reads on at a place of a text; `open` where it ends inside quotes. After `whole` or `broken` the record is spent. */
  push(text: string, from = 0): CsvProgress {
    let at = from;
    if (this.#open !== undefined) {
      const next = this.#readQuoted(text, at);
      if (typeof next !== 'number') return next;
      if (text[next] !== ',') return this.#endAt(text, next);
      at = next + 1;
    }
    while (this.fields.length < this.#rules.mostFields) {
      const next = this.#readField(text, at);
      if (typeof next !== 'number') return next;
      if (text[next] !== ',') return this.#endAt(text, next);
      at = next + 1;
    }
    return this.#breakAt(at);
  }

  /** Takes the next line of a record, without its line end. */
  pushLine(line: string): CsvProgress {
    if (this.#open !== undefined) this.#open += '\n';
    const progress = this.push(line);
    return progress === 'whole' && this.#end <= line.length ? 'broken' : progress;
  }

  #readField(text: string, at: number): number | 'open' | 'broken' {
    if (text[at] === '"') {
      this.#open = '';
      this.#end = at;
      return this.#readQuoted(text, at + 1);
    }
    const end = bareEnd(text, at);
    const field = text.slice(at, end);
    if (this.#rules.isStrict && field.includes('"')) return this.#breakAt(at + field.indexOf('"'));
    this.fields.push(field);
    return end;
  }

  /** Reads a quoted field; the place behind its closing quote. */
  #readQuoted(text: string, from: number): number | 'open' | 'broken' {
    for (let at = from; ; ) {
      const quote = text.indexOf('"', at);
      if (quote < 0) {
        this.#open += text.slice(at);
        return 'open';
      }
      this.#open += text.slice(at, quote);
      if (text[quote + 1] !== '"') return this.#closeField(text, quote + 1);
      this.#open += '"';
      at = quote + 2;
    }
  }

  #closeField(text: string, behind: number): number | 'broken' {
    let end = behind;
    // Spreadsheets leave blanks behind the closing quote.
    if (!this.#rules.isStrict) while (text[end] === ' ' || text[end] === '\t') end += 1;
    if (end < text.length && !/[,\r\n]/.test(text[end] ?? '')) return this.#breakAt(end);
    this.fields.push(this.#open ?? '');
    this.#open = undefined;
    return end;
  }

  #endAt(text: string, at: number): CsvProgress {
    this.#end = text[at] === '\r' && text[at + 1] === '\n' ? at + 2 : at + 1;
    return 'whole';
  }

  #breakAt(at: number): 'broken' {
    this.#end = at;
    return 'broken';
  }
}

function bareEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && text[end] !== ',' && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return end;
}

/** A cell as it is written: in quotes where they are needed. */
export function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
