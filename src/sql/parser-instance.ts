/** The wasm parser beneath `parse.ts`: loads it once, and replaces it when an input has killed it. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { CandorError } from '../errors.ts';

/** What one run of the parser gave: its statements, its complaint, or the news that it died. */
export type RawParse =
  | { readonly kind: 'parsed'; readonly statements: readonly unknown[] }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'died' };

export interface ParserInstance {
  /** Parses with the grammar of that name; never throws for bad SQL. */
  parse(sql: string, grammar: string): RawParse;
}

let current: Promise<ParserInstance> | undefined;
let instances = 0;

/** The parser, loaded on first use. Loading takes about 40 ms, later calls nothing. */
export function loadParser(): Promise<ParserInstance> {
  current ??= startInstance();
  return current;
}

async function startInstance(): Promise<ParserInstance> {
  // The package starts its wasm once and cannot renew it after a trap, so we start the wasm ourselves: a
  // query in the address gives a module, and with it an instance, of its own.
  const entry = pathToFileURL(createRequire(import.meta.url).resolve('@guanmingchiu/sqlparser-ts'));
  const moduleUrl = new URL('../wasm/sqlparser_rs_wasm.js', entry);
  const wasmUrl = new URL('../wasm/sqlparser_rs_wasm_bg.wasm', entry);
  instances += 1;
  const [{ readFile }, loaded] = await Promise.all([
    import('node:fs/promises'),
    import(`${moduleUrl.href}?instance=${instances}`),
  ]);
  const start: unknown = loaded.default;
  const parseSql: unknown = loaded.parse_sql;
  if (typeof start !== 'function' || typeof parseSql !== 'function') {
    throw new CandorError('internal.bug', 'the SQL parser package does not export what it used to');
  }
  await start({ module_or_path: await readFile(wasmUrl) });
  return { parse: (sql, grammar) => runParser(() => parseSql(grammar, sql)) };
}

function runParser(run: () => unknown): RawParse {
  try {
    const statements = run();
    return { kind: 'parsed', statements: Array.isArray(statements) ? statements : [] };
  } catch (error) {
    // A trap or an overflow leaves the instance's memory in an unknown state: it must not be used again.
    if (error instanceof RangeError || (error instanceof Error && error.name === 'RuntimeError')) {
      current = undefined;
      return { kind: 'died' };
    }
    return { kind: 'refused', message: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  return String(error);
}
