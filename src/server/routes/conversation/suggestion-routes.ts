/** What can be asked, for those who see the project for the first time. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { suggestQuestions } from '../../../answering/index.ts';
import { responses } from '../../contract/failure-contract.ts';
import type { ServerEnv } from '../../parts/server-parts.ts';

const SUGGESTIONS = createRoute({
  method: 'get',
  path: '/v1/suggestions',
  tags: ['ask'],
  summary: 'Questions that are answered without asking back, to begin with',
  responses: responses(
    z.strictObject({ suggestions: z.array(z.strictObject({ question: z.string() })) }),
    'Questions, verified ones first',
  ),
});

export function addSuggestionRoutes(app: OpenAPIHono<ServerEnv>): void {
  app.openapi(SUGGESTIONS, (context) => {
    const suggestions = suggestQuestions(context.get('session')).map((question) => ({ question }));
    return context.json({ suggestions }, 200);
  });
}
