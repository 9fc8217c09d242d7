/** What people think of an answer. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { readOwnRecord, suggestQuestions } from '../../../answering/index.ts';
import { addLabels } from '../../../uncertainty/index.ts';
import { responses } from '../../contract/failure-contract.ts';
import type { ServerEnv } from '../../parts/server-parts.ts';
import { thumbOf } from '../../state/chat-store.ts';

const GIVEN = {
  recordId: z.string().min(1).max(100),
  verdict: z.enum(['up', 'down']),
  reason: z.string().max(2_000).optional(),
};
const FEEDBACK = z.strictObject({ ...GIVEN, at: z.iso.datetime() }).openapi('Feedback');

const ADD = createRoute({
  method: 'post',
  path: '/v1/feedback',
  tags: ['feedback'],
  summary: 'Say whether an answer was right; kept before it is acknowledged',
  request: {
    body: { required: true, content: { 'application/json': { schema: z.strictObject(GIVEN) } } },
  },
  responses: responses(FEEDBACK, 'As it is kept'),
});

const LIST = createRoute({
  method: 'get',
  path: '/v1/feedback',
  tags: ['feedback'],
  summary: 'Feedback, the newest first',
  request: { query: z.object({ limit: z.coerce.number().int().min(1).max(10_000).default(100) }) },
  responses: responses(z.strictObject({ feedback: z.array(FEEDBACK) }), 'Feedback'),
});

export function addFeedbackRoutes(app: OpenAPIHono<ServerEnv>): void {
  app.openapi(ADD, async (context) => {
    const { chats, projectSessions } = context.get('parts');
    const session = context.get('session');
    const { recordId, ...given } = context.req.valid('json');
    const record = await readOwnRecord(recordId, session);
    const { id } = record;
    const feedback = { recordId: id, ...given, at: session.wallClock().toISOString() };
    await chats.addFeedback(feedback, context.get('person').id);
    // Of servers that share a state each has a passing copy of the derived files: there `candor train risk` reads thumbs from the state.
    if (!projectSessions.isShared)
      await addLabels(session.config.derivedDirectory, thumbOf(record, feedback));
    return context.json(feedback, 200);
  });
  app.openapi(LIST, async (context) => {
    const { id, isAdmin } = context.get('person');
    const { limit } = context.req.valid('query');
    const { chats } = context.get('parts');
    const feedback = [...(await chats.listFeedback(limit, isAdmin ? undefined : id))];
    return context.json({ feedback }, 200);
  });
}

/** What can be asked, for those who see the project for the first time. */
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
