/** CSV by RFC 4180, strictly: a stray quote is noticed at once instead of swallowing the lines behind it. */

/** Most fields of a record: no log has as many columns. */
const MAX_FIELDS = 1_000;

export type CsvProgress = 'whole' | 'open' | 'broken';

/** One record, which may go over several lines when a quoted field holds line breaks. */
export class CsvRecord {
  readonly fields: string[] = [];
  /** Of a quoted field that is open, without its opening quote. */
  #open: string | undefined;

  /** Takes the next line; `open` when a quoted field goes on behind it. After `whole` or `broken` it is spent. */
  push(line: string): CsvProgress {
    let at = 0;
    if (this.#open !== undefined) {
      this.#open += '\n';
      const next = this.#readQuoted(line, 0);
      if (typeof next !== 'number') return next;
      at = next;
    }
    while (this.fields.length < MAX_FIELDS) {
      if (line.charCodeAt(at) === 0x22) {
        this.#open = '';
        const next = this.#readQuoted(line, at + 1);
        if (typeof next !== 'number') return next;
        at = next;
      } else {
        const comma = line.indexOf(',', at);
        const end = comma === -1 ? line.length : comma;
        const field = line.slice(at, end);
        if (field.includes('"')) return 'broken';
        this.fields.push(field);
        at = comma === -1 ? line.length + 1 : comma + 1;
      }
      if (at > line.length) return 'whole';
    }
    return 'broken';
  }

  /** Reads a quoted field up to the comma behind it; the place behind that comma, or beyond the line. */
  #readQuoted(line: string, from: number): number | 'open' | 'broken' {
    let at = from;
    for (;;) {
      const quote = line.indexOf('"', at);
      if (quote === -1) {
        this.#open += line.slice(at);
        return 'open';
      }
      this.#open += line.slice(at, quote);
      if (line.charCodeAt(quote + 1) === 0x22) {
        this.#open += '"';
        at = quote + 2;
        continue;
      }
      this.fields.push(this.#open ?? '');
      this.#open = undefined;
      if (quote + 1 === line.length) return line.length + 1;
      return line[quote + 1] === ',' ? quote + 2 : 'broken';
    }
  }
}
