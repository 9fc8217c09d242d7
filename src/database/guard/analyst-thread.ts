/** One thread that analyses, as it is seen from outside: what it knows, what it is doing, when it ends. */
import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { CandorError, type ErrorCode, isErrorCode } from '../../errors.ts';
import type { VisibleCatalog, VisibleTable } from './access-policy.ts';
import type { AnalysedStatement } from './analyse-statement.ts';
import type { GateOptions, LongStatement, ToAnalyst } from './analysis-protocol.ts';
import type { GuardOptions } from './create-gate.ts';
import { startThread } from './start-thread.ts';

/** The largest statement that is allowed takes a second. */
const LIMIT_MS = 10_000;
const START_MS = 30_000;
const IDLE_MS = 60_000;
const MEMORY_MB = 512;
/** Beyond this the oldest is forgotten, and sent again should it come back. */
const MOST_CATALOGS = 4;
const MOST_GATES = 64;
/** So many are copied without letting others have their turn. */
const TABLES_OF_PART = 200;

const MessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('analysed'), text: z.string(), isRestricted: z.boolean() }),
  z.object({
    kind: z.literal('refused'),
    code: z.string(),
    message: z.string(),
    data: z.record(z.string(), z.unknown()),
  }),
]);
type Message = z.infer<typeof MessageSchema>;

const IDS = new WeakMap<object, number>();
let lastId = 0;

/** Gates and catalogs are known by the objects that they are: neither ever changes. */
function idOf(known: object): number {
  const id = IDS.get(known) ?? ++lastId;
  IDS.set(known, id);
  return id;
}

export class Analyst {
  /** Set by whoever gave it a statement. */
  isTaken = false;
  isAlive = true;
  readonly #worker: Worker;
  readonly #catalogs = new Set<number>();
  readonly #gates = new Set<string>();
  #isReady = false;
  #ended: CandorError | undefined;
  #hear: ((message: Message) => void) | undefined;
  #fail: ((error: CandorError) => void) | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor() {
    const resourceLimits = { maxOldGenerationSizeMb: MEMORY_MB };
    this.#worker = startThread('./analyst', import.meta.url, { resourceLimits });
    this.#worker.on('message', (sent: unknown) => this.#hear?.(MessageSchema.parse(sent)));
    // Neither its error nor its end is a yes: whoever waits is refused.
    this.#worker.on('error', () => this.#die());
    this.#worker.on('exit', () => this.#die());
  }

  async analyse({ sql, options, dialect, own, signal }: LongStatement): Promise<AnalysedStatement> {
    clearTimeout(this.#idle);
    this.#worker.ref();
    const cancel = (): void => this.#end(new CandorError('database.cancelled', 'The query was cancelled.'));
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      signal?.throwIfAborted();
      if (!this.#isReady) await this.#next(START_MS, 'ready');
      this.#isReady = true;
      const gate = await this.#teach(options, dialect);
      this.#post({ kind: 'analyse', gate, sql, own });
      const answer = await this.#next(LIMIT_MS, 'analysed');
      return { text: answer.text, isRestricted: answer.isRestricted };
    } finally {
      signal?.removeEventListener('abort', cancel);
      this.#rest();
    }
  }

  /** Tells the thread of a gate and its catalog, unless it knows them. */
  async #teach(options: GuardOptions, dialect: LongStatement['dialect']): Promise<string> {
    // The same options may guard databases of two engines.
    const gate = `${idOf(options)} ${dialect}`;
    if (this.#gates.has(gate)) return gate;
    const isOfCaller = options.kind === 'caller-queries';
    const catalog = isOfCaller ? await this.#teachCatalog(options.catalog) : undefined;
    this.#post({ kind: 'gate', gate, catalog, options: withoutCatalog(options), dialect });
    this.#gates.add(gate);
    const [oldest] = this.#gates;
    if (this.#gates.size > MOST_GATES && oldest !== undefined) {
      this.#gates.delete(oldest);
      this.#post({ kind: 'forget', gate: oldest });
    }
    return gate;
  }

  async #teachCatalog(known: VisibleCatalog): Promise<number> {
    const catalog = idOf(known);
    if (this.#catalogs.has(catalog)) return catalog;
    const { tables, ownNames, home } = known;
    const rest: Whole<Omit<VisibleCatalog, 'tables'>> = { ownNames, home };
    for (let from = 0; from === 0 || from < tables.length; from += TABLES_OF_PART) {
      const part = tables.slice(from, from + TABLES_OF_PART).map(plainTable);
      this.#post({ kind: 'catalog', catalog, tables: part, rest });
      await setImmediate();
    }
    this.#catalogs.add(catalog);
    const [oldest] = this.#catalogs;
    if (this.#catalogs.size > MOST_CATALOGS && oldest !== undefined) {
      // A gate holds its catalog, so the gates are forgotten with it.
      this.#catalogs.delete(oldest);
      this.#post({ kind: 'forget', catalog: oldest });
      for (const gate of this.#gates) this.#post({ kind: 'forget', gate });
      this.#gates.clear();
    }
    return catalog;
  }

  #post(message: ToAnalyst): void {
    this.#worker.postMessage(message);
  }

  #next<Kind extends Message['kind']>(
    limitMs: number,
    kind: Kind,
  ): Promise<Extract<Message, { kind: Kind }>> {
    return new Promise((resolve, reject) => {
      if (!this.isAlive) return reject(this.#ended ?? died());
      const timer = setTimeout(() => this.#end(tooSlow(limitMs)), limitMs);
      this.#fail = (error) => {
        clearTimeout(timer);
        reject(error);
      };
      this.#hear = (message) => {
        clearTimeout(timer);
        this.#fail = undefined;
        if (isOfKind(message, kind)) resolve(message);
        else if (message.kind === 'refused') reject(refusalOf(message));
        else reject(died());
      };
    });
  }

  #end(error: CandorError): void {
    this.isAlive = false;
    this.#ended = error;
    const fail = this.#fail;
    this.#fail = undefined;
    void this.#worker.terminate();
    fail?.(error);
  }

  #die(): void {
    if (this.isAlive) this.#end(died());
  }

  /** Without work the thread holds no process open, and goes after a while with the memory it has. */
  #rest(): void {
    if (!this.isAlive) return;
    this.#worker.unref();
    this.#idle = setTimeout(() => {
      if (!this.isTaken) this.#end(died());
    }, IDLE_MS);
    this.#idle.unref();
  }
}

function withoutCatalog(options: GuardOptions): GateOptions {
  if (options.kind === 'own-queries') return { kind: options.kind };
  const { catalog: _, planCaps: _caps, ...rest } = options;
  return rest;
}

/** A member that is forgotten here is a type error: what the guard asks for must reach the thread. */
type Whole<Known> = { readonly [Member in keyof Required<Known>]: Known[Member] };

/** What the guard asks of a table, and nothing that only the catalog knows. */
function plainTable(table: VisibleTable): VisibleTable {
  const { id, name, schema, catalog, qualifier, ownsRows } = table;
  const columns = table.columns.map((column) => ({ id: column.id, name: column.name, type: column.type }));
  const plain: Whole<VisibleTable> = { id, name, schema, catalog, qualifier, columns, ownsRows };
  return plain;
}

function isOfKind<Kind extends Message['kind']>(
  message: Message,
  kind: Kind,
): message is Extract<Message, { kind: Kind }> {
  return message.kind === kind;
}

function refusalOf({ code, message, data }: Extract<Message, { kind: 'refused' }>): CandorError {
  const known: ErrorCode = isErrorCode(code) ? code : 'internal.bug';
  return new CandorError(known, message, { data });
}

function died(): CandorError {
  return new CandorError('sql.analysis-failed', 'The SQL is not run: its analysis ended before it was done.');
}

function tooSlow(limitMs: number): CandorError {
  return new CandorError(
    'sql.analysis-failed',
    `The SQL is not run: its analysis takes more than ${limitMs / 1_000} seconds.`,
    { data: { limitMs } },
  );
}
