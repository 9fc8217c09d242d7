import { createServer, type IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';

const VALUE = z.object({
  stringValue: z.string().optional(),
  intValue: z.union([z.number(), z.string()]).optional(),
  doubleValue: z.number().optional(),
  boolValue: z.boolean().optional(),
});
const ATTRIBUTES = z.array(z.object({ key: z.string(), value: VALUE.loose() }));
const SPAN = z.object({
  name: z.string(),
  kind: z.number(),
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  attributes: ATTRIBUTES,
  status: z.object({ code: z.number().default(0), message: z.string().optional() }),
});
const BODY = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: ATTRIBUTES }),
      scopeSpans: z.array(z.object({ spans: z.array(SPAN) })),
    }),
  ),
});

export interface CollectedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
  readonly errorType: string | undefined;
}

export interface Collector {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** Whole bodies, as they came. */
  readonly texts: readonly string[];
  readonly headers: readonly IncomingHttpHeaders[];
  close(): Promise<void>;
}

/** Takes OTLP over HTTP, as JSON where that is sent; what comes in protobuf is kept as bytes. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const texts: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(Buffer.from(part));
    const body = Buffer.concat(parts);
    texts.push(body.toString(request.headers['content-type'] === 'application/json' ? 'utf8' : 'latin1'));
    headers.push(request.headers);
    const isOurs = request.method === 'POST' && request.url === '/v1/traces';
    if (isOurs && request.headers['content-type'] === 'application/json')
      spans.push(...readSpans(body.toString('utf8')));
    response.writeHead(isOurs ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the collector has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    spans,
    texts,
    headers,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function readSpans(text: string): CollectedSpan[] {
  return BODY.parse(JSON.parse(text)).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map(({ attributes, status, parentSpanId, ...span }) => ({
        ...span,
        parentSpanId: parentSpanId || undefined,
        attributes: recordOf(attributes),
        resource: recordOf(resource.attributes),
        errorType: status.code === 2 ? status.message : undefined,
      })),
    ),
  );
}

function recordOf(attributes: z.infer<typeof ATTRIBUTES>): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** The spans as an indented text, children in the order in which they began; what is equal side by side stands once. */
export function drawTree(spans: readonly CollectedSpan[]): string {
  const known = new Set(spans.map(({ spanId }) => spanId));
  const draw = (parent: string | undefined, depth: number): string[] => {
    const lines = spans
      .filter(
        ({ parentSpanId: above }) => (above !== undefined && known.has(above) ? above : undefined) === parent,
      )
      .map(({ name, spanId }) => [`${'  '.repeat(depth)}${name}`, ...draw(spanId, depth + 1)].join('\n'));
    return lines.filter((line, at) => line !== lines[at - 1]);
  };
  return draw(undefined, 0).join('\n');
}
