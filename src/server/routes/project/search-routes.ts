/** What is known by words, and stored values by their spelling. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { tableIds, tableOfColumn } from '../../../catalog/index.ts';
import { CandorError } from '../../../errors.ts';
import { findValues } from '../../../knowledge/retrieve/index.ts';
import type { Session } from '../../../session/index.ts';
import { responses } from '../../contract/failure-contract.ts';
import type { ServerEnv } from '../../parts/server-parts.ts';
import { SEARCH_KINDS, searchKnown } from '../../search/search-known.ts';

const text = z.string().min(1).max(500);

// What is found by words.

const HIT = z.strictObject({
  kind: z.enum(SEARCH_KINDS),
  id: z.string(),
  text: z.string().optional(),
  sql: z.string().optional(),
  score: z.number(),
  because: z.string(),
});

const FOUND = z
  .strictObject({
    hits: z.array(HIT),
    cut: z.array(z.string()).openapi({ description: 'What was left out, or did not work.' }),
  })
  .openapi('Found');

/** `table,metric`: which kinds are looked for. */
const KINDS = z
  .string()
  .max(100)
  .default(SEARCH_KINDS.join(','))
  .transform((text) => [...new Set(text.split(',').map((kind) => kind.trim()))])
  .pipe(z.array(z.enum(SEARCH_KINDS)).min(1));

const SEARCH = createRoute({
  method: 'get',
  path: '/v1/search',
  tags: ['catalog'],
  summary: 'Tables, columns, stored values, notes, verified pairs and metrics by words, each with the reason',
  request: {
    query: z.object({
      text,
      kinds: KINDS.openapi({ type: 'string', example: SEARCH_KINDS.join(',') }),
      limit: z.coerce.number().int().min(1).max(100).default(20).openapi({ description: 'Of each kind.' }),
    }),
  },
  responses: responses(FOUND, 'What was found, kind by kind, the best first'),
});

export const FOUND_VALUES = z
  .strictObject({
    values: z.array(
      z.strictObject({
        value: z.string(),
        column: z.string(),
        table: z.string(),
        match: z.enum(['exact', 'folded', 'stem', 'similar']),
        similarity: z.number().openapi({ description: 'Of the texts in lower case, in [0, 1].' }),
      }),
    ),
    total: z.int(),
    cut: z.array(z.string()),
  })
  .openapi('FoundValues');

const VALUES = createRoute({
  method: 'get',
  path: '/v1/values',
  tags: ['catalog'],
  summary: 'Stored values that are written like the text, and where they stand',
  request: { query: z.object({ text, limit: z.coerce.number().int().min(1).max(100).default(20) }) },
  responses: responses(FOUND_VALUES, 'Values, the most alike first'),
});

export function addSearchRoutes(app: OpenAPIHono<ServerEnv>): void {
  app.openapi(SEARCH, async (context) => {
    const query = context.req.valid('query');
    const session = context.get('session');
    const { showSql } = context.get('person').rights;
    const asked = { ...query, text: words(query.text), signal: context.req.raw.signal };
    const { hits, cut } = await searchKnown(asked, session);
    const shown = hits.map(({ sql, ...hit }) => ({ ...hit, ...(showSql && sql !== undefined && { sql }) }));
    return context.json({ hits: shown, cut: [...cut] }, 200);
  });
  app.openapi(VALUES, async (context) => {
    const query = context.req.valid('query');
    const asked = { ...query, text: words(query.text), signal: context.req.raw.signal };
    return context.json(await searchValues(asked, context.get('session')), 200);
  });
}

function words(asked: string): string {
  if (asked.trim() !== '') return asked;
  throw new CandorError('server.invalid-request', 'query text: there are no words to search for');
}

const MATCHES = ['exact', 'folded', 'stem', 'similar'] as const;

/** Stored values of all visible tables that are written like the text: equal ones first, then the most alike. */
async function searchValues(
  { text, limit, signal }: { readonly text: string; readonly limit: number; readonly signal: AbortSignal },
  { values: index, catalog }: Pick<Session, 'values' | 'catalog'>,
): Promise<FoundValues> {
  const { values, truncations, warnings } = await findValues([text], index, { signal });
  const tables = tableIds(catalog);
  const all = values
    .flatMap(({ item: { columnId: column, values: found } }) => {
      const table = tableOfColumn(column, tables);
      if (table === undefined) return [];
      return found.map(({ value, match, ratio }) => ({ value, column, table, match, similarity: ratio }));
    })
    .sort(
      (a, b) =>
        MATCHES.indexOf(a.match) - MATCHES.indexOf(b.match) ||
        b.similarity - a.similarity ||
        (`${a.column} ${a.value}` < `${b.column} ${b.value}` ? -1 : 1),
    );
  const cut = truncations.map(({ what, shown, total }) => `${what}: ${shown} of ${total} looked at`);
  return { values: all.slice(0, limit), total: all.length, cut: [...new Set([...cut, ...warnings])] };
}

type FoundValues = z.infer<typeof FOUND_VALUES>;
