/** A YAML file that knows where its values stand, so that a complaint names the line and the column. */

import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { CandorError, type ErrorCode } from '../../errors.ts';
import { nearestNames } from '../../language/index.ts';
import { orYamlFault } from '../../lib/index.ts';
import { modeOfFile, readIfThere, writeWhole } from '../../store/index.ts';
import { VERSION } from '../../version.ts';

export type YamlPath = readonly PropertyKey[];

/** What is wrong at one place of a text, counted from 1. Errors of files carry all of them as `data.problems`. */
export interface PlacedProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface YamlSource {
  /** Checks the value at `path` against a schema; throws with the place of the first fault, and all others as data. */
  check<T>(schema: z.ZodType<T>, value: unknown, path: YamlPath): T;
  /** `file:line` of what stands at `path`. */
  placeOf(path: YamlPath): string;
  /** The error for a fault at `path`. */
  fault(path: YamlPath, message: string): CandorError;
  readonly value: unknown;
}

export interface YamlOptions {
  /** What faults are thrown with. */
  readonly code?: ErrorCode;
  /** What the text says, where it is known from before: then it is parsed only to tell a fault. */
  readonly kept?: KeptYaml | undefined;
}

/** Opens YAML text; `file` is the name that errors show. */
export function openYaml(text: string, file: string, options: YamlOptions = {}): YamlSource {
  const { code = 'semantics.invalid', kept } = options;
  const known = kept?.find(text);
  let opened: ParsedYaml | undefined = known === undefined ? parseYaml(text, file, code) : undefined;
  const parsed = (): ParsedYaml => (opened ??= parseYaml(text, file, code));
  const value = known === undefined ? parsed().value : known.value;
  if (known === undefined) kept?.keep(text, value);
  const fault = (path: YamlPath, message: string): CandorError =>
    parsed().thrown(parsed().problemAt(path, message));
  return {
    value,
    placeOf: (path) => `${file}:${parsed().problemAt(path, '').line}`,
    fault,
    check: (schema, found, path) => {
      const checked = schema.safeParse(found);
      if (checked.success) return checked.data;
      const [first, ...others] = causes(checked.error.issues)
        .map(innermost)
        .flatMap((issue) => sayIssue(issue, schema, path))
        .map(({ place, message }) => parsed().problemAt(place, message));
      throw first === undefined ? fault(path, 'not understood') : parsed().thrown(first, others);
    },
  };
}

interface ParsedYaml {
  readonly value: unknown;
  problemAt(path: YamlPath, message: string): PlacedProblem;
  thrown(first: PlacedProblem, others?: readonly PlacedProblem[]): CandorError;
}

function parseYaml(text: string, file: string, code: ErrorCode): ParsedYaml {
  const lines = new LineCounter();
  const document = orYamlFault(
    () => parseDocument(text, { lineCounter: lines, prettyErrors: false }),
    (why) =>
      new CandorError(code, `${file}:1:1: ${why}`, { data: { file, line: 1, column: 1, problems: [] } }),
  );
  const problemAt = (offset: number, message: string): PlacedProblem => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col, message };
  };
  const thrown = (first: PlacedProblem, others: readonly PlacedProblem[] = []): CandorError => {
    const { line, column, message } = first;
    return new CandorError(code, `${file}:${line}:${column}: ${message}`, {
      data: { file, line, column, problems: [first, ...others] },
    });
  };
  const [syntaxError, ...more] = document.errors.map(({ pos, message }) => problemAt(pos[0], message));
  if (syntaxError !== undefined) throw thrown(syntaxError, more);
  return {
    value: plainValue(document, (offset, message) => thrown(problemAt(offset, message))),
    problemAt: (path, message) => problemAt(offsetOf(document, path), message),
    thrown,
  };
}

/**
 * What YAML texts say, kept in a file from one start to the next: parsing the semantic model takes a tenth of a question's time. A text is
 * known by its hash and this version; its values pass the same checks as those of one that was just parsed. A file that is damaged, of another
 * account, or that others may write is as good as none.
 */
export class KeptYaml {
  readonly #path: string;
  readonly #before: ReadonlyMap<string, unknown>;
  /** What was asked for since: what nobody asks for any more is not kept. */
  readonly #now = new Map<string, unknown>();

  private constructor(path: string, before: ReadonlyMap<string, unknown>) {
    this.#path = path;
    this.#before = before;
  }

  static async open(path: string): Promise<KeptYaml> {
    return new KeptYaml(path, (await isPrivate(path)) ? readKept(await readIfThere(path)) : new Map());
  }

  find(text: string): { readonly value: unknown } | undefined {
    const key = keyOf(text);
    if (!this.#before.has(key)) return undefined;
    const value = this.#before.get(key);
    this.#now.set(key, value);
    return { value };
  }

  keep(text: string, value: unknown): void {
    this.#now.set(keyOf(text), value);
  }

  /** Writes what is new. Where others may write, nothing is kept. */
  async save(): Promise<void> {
    const isNew =
      this.#now.size !== this.#before.size || [...this.#now.keys()].some((key) => !this.#before.has(key));
    if (!isNew || ((await modeOfFile(this.#path)) & OF_OTHERS) !== 0) return;
    const content = JSON.stringify({ format: KEPT_FORMAT, texts: Object.fromEntries(this.#now) });
    // Values that JSON has no words for are parsed each time: a `.nan`, a key that is no text.
    if (!isDeepStrictEqual(readKept(content), this.#now)) return;
    // A folder that cannot be written to costs the next start its time and nothing else.
    await writeWhole(this.#path, content).catch(() => undefined);
  }
}

const KEPT_FORMAT = 'candor-yaml 1';
const OF_OTHERS = 0o077;

function keyOf(text: string): string {
  return createHash('sha256').update(`${VERSION}\n${text}`).digest('hex');
}

async function isPrivate(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || process.getuid === undefined) return found !== undefined;
  return found.uid === process.getuid() && (found.mode & OF_OTHERS) === 0;
}

function readKept(text: string | undefined): ReadonlyMap<string, unknown> {
  let found: unknown;
  try {
    found = JSON.parse(text ?? '{}');
  } catch {
    // It is only kept to save time.
  }
  return isRecord(found) && found.format === KEPT_FORMAT && isRecord(found.texts)
    ? new Map(Object.entries(found.texts))
    : new Map();
}

interface SaidIssue {
  readonly place: YamlPath;
  readonly message: string;
}

function sayIssue(issue: Issue, schema: z.ZodType, path: YamlPath): readonly SaidIssue[] {
  const place = [...path, ...issue.path];
  if (issue.code !== 'unrecognized_keys') return [{ place, message: `${printPath(place)}${issue.message}` }];
  const known = knownKeys(schema, issue.path);
  return issue.keys.map((key) => ({
    place: [...place, key],
    message: `unknown key \`${key}\`${nearestKey(key, known)}`,
  }));
}

function plainValue(document: Document, faultAt: (offset: number, message: string) => CandorError): unknown {
  return orYamlFault(
    () => document.toJS(),
    (why) => faultAt(0, why),
  );
}

type Issue = z.core.$ZodIssue;

/** A misspelt key also leaves the right one missing: the spelling is the cause, and comes first. */
function causes(issues: readonly Issue[]): readonly Issue[] {
  const unknown = issues.filter(({ code }) => code === 'unrecognized_keys');
  const holders = new Set(unknown.map(({ path }) => JSON.stringify(path)));
  const others = issues.filter(
    ({ code, path }) => code !== 'unrecognized_keys' && !holders.has(JSON.stringify(path.slice(0, -1))),
  );
  return [...unknown, ...others];
}

/** Of a value that may be one of several shapes, the shape that came furthest is the one that was meant. */
function innermost(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const deepest = issue.errors
    .flatMap((issues) => issues.slice(0, 1))
    .sort((a, b) => b.path.length - a.path.length)[0];
  if (deepest === undefined || deepest.path.length === 0)
    return { ...issue, message: 'expected another kind of value' };
  return { ...deepest, path: [...issue.path, ...deepest.path] };
}

function printPath(path: YamlPath): string {
  const names = path.filter((step) => typeof step === 'string');
  const last = names.at(-1);
  return last === undefined ? '' : `${String(last)}: `;
}

/** The keys that the schema knows at a path, read from its JSON shape. */
function knownKeys(schema: z.ZodType, path: YamlPath): readonly string[] {
  let node: unknown = schema;
  for (const step of path) node = stepInto(node, step);
  node = unwrap(node);
  return isRecord(node) && isRecord(node.shape) ? Object.keys(node.shape) : [];
}

function stepInto(node: unknown, step: PropertyKey): unknown {
  const inner = unwrap(node);
  if (!isRecord(inner)) return undefined;
  if (typeof step === 'number') return inner.element;
  return isRecord(inner.shape) ? inner.shape[String(step)] : undefined;
}

/** Looks through `.default()` and `.optional()`. */
function unwrap(node: unknown): unknown {
  let inner = node;
  while (
    isRecord(inner) &&
    typeof inner.unwrap === 'function' &&
    !isRecord(inner.shape) &&
    inner.element === undefined
  )
    inner = inner.unwrap();
  return inner;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function nearestKey(key: string, known: readonly string[]): string {
  if (known.length === 0) return '';
  const [nearest] = nearestNames(key, known, 1);
  return nearest === undefined ? `; known keys: ${known.join(', ')}` : `; did you mean \`${nearest}\`?`;
}

/** Where a path stands: its key where it has one, else the nearest thing around it. */
function offsetOf(document: Document, path: YamlPath): number {
  for (let length = path.length; length > 0; length -= 1) {
    const parent = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const step = path[length - 1];
    if (isMap(parent)) {
      const pair = parent.items.find(({ key }) => isScalar(key) && key.value === step);
      if (isScalar(pair?.key) && pair.key.range) return pair.key.range[0];
    }
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}
