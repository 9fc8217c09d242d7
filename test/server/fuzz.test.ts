/**
 * The server against its own OpenAPI document: requests that fit it, and requests that fit in nearly everything, over real HTTP.
 * Whatever comes, the reply is one that the document names, nothing fails inside, and the process answers the next request.
 * `CANDOR_FUZZ_RUNS` sets how many for each route.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { FAILURE } from '../../src/server/contract/failure-contract.ts';
import { type RunningServer, startServer } from '../../src/server/index.ts';
import { openSession } from '../../src/session/project/open-session.ts';
import { openSmallSession, type SmallSession } from '../fixtures/grounded/open-small-session.ts';

const RUNS = Number(process.env.CANDOR_FUZZ_RUNS ?? 60);
const SEED = 20_261_123;

let small: SmallSession;
let server: RunningServer;
const bugs: string[] = [];
beforeAll(async () => {
  small = await openSmallSession();
  let ids = 0;
  const { config } = small.session;
  server = await startServer(small.session, {
    ...{ host: '127.0.0.1', port: 0, newId: () => `id-${++ids}` },
    reopen: () => openSession(config),
    onBug: (id, error) => bugs.push(`${id}: ${error.stack}`),
  });
});
afterAll(async () => {
  await server.close();
  await small.close();
});

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly format?: string;
}
interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const TEXTS = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    'How many singers are there?',
    'SELECT COUNT(*) FROM singers',
    "'; DROP TABLE singers; --",
    '../../etc/passwd',
    '\u0000',
    '\r\nset-cookie: a=b',
    'x'.repeat(3_000),
    '__proto__',
    '{{7*7}}',
    '\ud800',
  ),
);
/** Anything that JSON can say. */
const ANYTHING = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(1e308, -0, [], {}, null, 'x'.repeat(200_000)),
);

/** What fits a schema of the document. */
function fitting(schema: Schema, document: Document, depth = 0): fc.Arbitrary<unknown> {
  const within = (inner: Schema): fc.Arbitrary<unknown> => fitting(inner, document, depth + 1);
  if (schema.$ref !== undefined)
    return within(document.components.schemas[schema.$ref.replace('#/components/schemas/', '')] ?? {});
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map(within));
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object': {
      const fields = Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, within(inner)]);
      if (fields.length === 0) return fc.dictionary(fc.string({ maxLength: 10 }), TEXTS, { maxKeys: 3 });
      const all: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(fields);
      return fc.record(all, { requiredKeys: [...(schema.required ?? [])] });
    }
    case 'array':
      return fc.array<unknown>(within(schema.items ?? {}), { maxLength: Math.min(4, schema.maxItems ?? 4) });
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: 1, max: 100 }), fc.double({ noNaN: true }));
    case 'boolean':
      return fc.boolean();
    case 'string':
      if (schema.format === 'uuid') return fc.uuid();
      if (schema.format === 'date-time') return fc.constant('2024-01-01T00:00:00Z');
      return TEXTS.map((text) => text.slice(0, schema.maxLength ?? text.length));
    default:
      return ANYTHING;
  }
}

/** A body that fits, with something broken in it now and then. */
function bodies(schema: Schema, document: Document): fc.Arbitrary<string> {
  const right = fitting(schema, document).map((value) => JSON.stringify(value));
  const wrong = fc.oneof(
    ANYTHING.map((value) => JSON.stringify(value)),
    fc
      .tuple(fitting(schema, document), fc.string(), ANYTHING)
      .map(([value, name, more]) => JSON.stringify({ ...(value as object), [name]: more })),
    right.map((text) => text.slice(0, -1)),
    fc.constant(`${'['.repeat(50_000)}${']'.repeat(50_000)}`),
    fc.constant(''),
  );
  return fc.oneof({ weight: 3, arbitrary: right }, { weight: 2, arbitrary: wrong });
}

const headersOf = fc.constantFrom<Record<string, string>>(
  { 'content-type': 'application/json' },
  { 'content-type': 'application/json', accept: 'text/event-stream' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json', 'last-event-id': '-1' },
  { 'content-type': 'application/json', 'idempotency-key': 'x' },
  { 'content-type': 'application/json', 'if-none-match': '*' },
  { 'content-type': 'application/json', 'if-match': '"x"' },
  { 'content-type': 'application/json', authorization: 'Bearer \u00ff', cookie: 'candor_sign_in=%00' },
);

async function readDocument(): Promise<Document> {
  return (await (await fetch(`${server.url}/openapi.json`)).json()) as Document;
}

it('whatever is sent, the reply is one that the document names', async () => {
  const document = await readDocument();
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  expect(routes.length).toBeGreaterThan(15);
  for (const { path, method, operation } of routes) {
    const body = operation.requestBody?.content['application/json']?.schema;
    const cases = fc.record({
      places: fc.record(placesOf(operation)),
      query: fc.dictionary(
        fc.constantFrom('limit', 'before', 'since', 'until', 'text', 'around', 'kinds', 'after', 'x'),
        TEXTS,
        { maxKeys: 2 },
      ),
      body: body === undefined ? fc.constant(undefined) : bodies(body, document),
      headers: headersOf,
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ places, query, body: text, headers }) => {
        const url = `${server.url}${path.replace(/\{(\w+)\}/g, (_, name) => encode(places[name] ?? 'nothing'))}?${new URLSearchParams(query)}`;
        const response = await fetch(url, {
          method: method.toUpperCase(),
          headers: { ...headers, connection: 'close' },
          ...(text !== undefined && method !== 'get' && { body: text }),
          signal: AbortSignal.timeout(20_000),
        });
        const reply = await response.text();
        expect(bugs, `${method} ${url} ${text?.slice(0, 300)}`).toEqual([]);
        expect(response.status, reply.slice(0, 300)).toBeLessThan(500);
        if (response.status !== 200)
          expect(() => FAILURE.parse(JSON.parse(reply)), reply.slice(0, 200)).not.toThrow();
        else expectAsDocumented(operation, document, response.headers.get('content-type'), reply);
        expect(response.headers.get('set-cookie') ?? '').not.toContain('a=b');
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
  }
  expect(
    z
      .object({ status: z.literal('ok') })
      .loose()
      .parse(await (await fetch(`${server.url}/health`)).json()).status,
  ).toBe('ok');
}, 240_000);

/** A lone surrogate has no place in a URL. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '�')) || 'nothing';
}

/** Names that are there, values that the document lists, and anything. */
function placesOf({ parameters = [] }: Operation): Record<string, fc.Arbitrary<string>> {
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const fits = ({ schema }: (typeof inPath)[number]): fc.Arbitrary<string> =>
    schema.enum === undefined
      ? fc.constantFrom('music.yml', 'fuzz.md', 'fuzz.sql', 'fuzz.yml')
      : fc.constantFrom(...schema.enum.map(String));
  return Object.fromEntries(
    inPath.map((parameter) => [
      parameter.name,
      fc.oneof({ weight: 2, arbitrary: fits(parameter) }, { weight: 1, arbitrary: TEXTS }),
    ]),
  );
}

const checks = new Map<Schema, z.ZodType>();

/** The schema of the document, read as JSON Schema by itself: not the contract that made it. */
function expectAsDocumented(
  { responses }: Operation,
  { components }: Document,
  type: string | null,
  reply: string,
): void {
  const kind = type?.split(';')[0] ?? '';
  const schema = responses['200']?.content?.[kind]?.schema;
  expect(schema, `a reply of the type ${kind}`).toBeDefined();
  if (schema === undefined || kind !== 'application/json') return;
  const check =
    checks.get(schema) ??
    z.fromJSONSchema(
      JSON.parse(
        JSON.stringify({ ...schema, $defs: components.schemas }).replaceAll(
          '#/components/schemas/',
          '#/$defs/',
        ),
      ),
    );
  checks.set(schema, check);
  const { error } = check.safeParse(JSON.parse(reply));
  expect(error?.issues ?? [], reply.slice(0, 300)).toEqual([]);
}
