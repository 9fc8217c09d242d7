/** A YAML file that knows where its values stand, so that a complaint names the line and the column. */
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { CandorError, type ErrorCode } from '../../errors.ts';
import { nearestNames } from '../../sql/index.ts';

export type YamlPath = readonly PropertyKey[];

export interface YamlSource {
  /** Checks the value at `path` against a schema; throws with the place of the first fault. */
  check<T>(schema: z.ZodType<T>, value: unknown, path: YamlPath): T;
  /** `file:line` of what stands at `path`. */
  placeOf(path: YamlPath): string;
  /** The error for a fault at `path`. */
  fault(path: YamlPath, message: string): CandorError;
  readonly value: unknown;
}

/** Parses YAML text; `file` is the name that errors show, `code` the one that faults are thrown with. */
export function openYaml(text: string, file: string, code: ErrorCode = 'semantics.invalid'): YamlSource {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const faultAt = (offset: number, message: string): CandorError => {
    const { line, col } = lines.linePos(offset);
    return new CandorError(code, `${file}:${line}:${col}: ${message}`, {
      data: { file, line, column: col },
    });
  };
  const syntaxError = document.errors[0];
  if (syntaxError !== undefined) throw faultAt(syntaxError.pos[0], syntaxError.message);
  const fault = (path: YamlPath, message: string): CandorError => faultAt(offsetOf(document, path), message);
  return {
    value: plainValue(document, faultAt),
    placeOf: (path) => `${file}:${lines.linePos(offsetOf(document, path)).line}`,
    fault,
    check: (schema, value, path) => {
      const parsed = schema.safeParse(value);
      if (parsed.success) return parsed.data;
      const issue = innermost(firstCause(parsed.error.issues));
      if (issue === undefined) throw fault(path, 'not understood');
      const place = [...path, ...issue.path];
      if (issue.code !== 'unrecognized_keys') throw fault(place, `${printPath(place)}${issue.message}`);
      const key = issue.keys[0] ?? '';
      throw fault([...place, key], `unknown key \`${key}\`${nearestKey(key, knownKeys(schema, issue.path))}`);
    },
  };
}

/** Anchors that multiply ("billion laughs") are refused by the YAML library while values are made. */
function plainValue(document: Document, faultAt: (offset: number, message: string) => CandorError): unknown {
  try {
    return document.toJS();
  } catch (error) {
    if (error instanceof ReferenceError) throw faultAt(0, error.message);
    throw error;
  }
}

type Issue = z.core.$ZodIssue;

/** A misspelt key also leaves the right one missing; the spelling is the cause. */
function firstCause(issues: readonly Issue[]): Issue | undefined {
  return issues.find((issue) => issue.code === 'unrecognized_keys') ?? issues[0];
}

/** Of a value that may be one of several shapes, the shape that came furthest is the one that was meant. */
function innermost(issue: Issue | undefined): Issue | undefined {
  if (issue?.code !== 'invalid_union') return issue;
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
