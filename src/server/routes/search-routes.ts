/** What is known by words, and stored values by their spelling. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { CandorError } from '../../errors.ts';
import { responses } from '../contract/failure-contract.ts';
import { FOUND, FOUND_VALUES, KINDS } from '../contract/search-contract.ts';
import { SEARCH_KINDS, searchKnown } from '../search/search-known.ts';
import { searchValues } from '../search/search-values.ts';
import type { ServerEnv } from '../server-parts.ts';

const text = z.string().min(1).max(500);

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
