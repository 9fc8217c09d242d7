/** What people asked to be remembered in conversations: listed, accepted for everybody, withdrawn. */
import { join } from 'node:path';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import {
  dropProposal,
  findProposal,
  isAboutHidden,
  type KnowledgeFolders,
  PROPOSED_FILE,
  type Proposal,
  publishProposal,
  readProposals,
  reviewedFile,
} from '../../../knowledge/authored/index.ts';
import type { Session } from '../../../session/index.ts';
import { readIfThere } from '../../../store/index.ts';
import { responses } from '../../contract/failure-contract.ts';
import type { ServerEnv } from '../../parts/server-parts.ts';
import { needFiles } from '../../protect/authorize.ts';

const PROPOSAL = z
  .strictObject({
    key: z.string(),
    text: z.string(),
    by: z.string().optional(),
    at: z.string().optional(),
    synonym: z.strictObject({ term: z.string(), meaning: z.string() }).optional(),
  })
  .openapi('Proposal');

const LIST = createRoute({
  method: 'get',
  path: '/v1/proposals',
  tags: ['knowledge'],
  summary: 'What waits for a review: one’s own, and everybody’s for who may change knowledge',
  responses: responses(z.strictObject({ proposals: z.array(PROPOSAL) }), 'In the order they were made'),
});

const REVIEW = createRoute({
  method: 'post',
  path: '/v1/proposals/{key}',
  tags: ['knowledge'],
  summary: 'Make a proposal everybody’s, or withdraw it; one’s own anybody may withdraw',
  request: {
    params: z.object({ key: z.string().regex(/^[\w-]{1,40}$/) }),
    body: {
      required: true,
      content: {
        'application/json': { schema: z.strictObject({ decision: z.enum(['accept', 'withdraw']) }) },
      },
    },
  },
  responses: responses(
    z.strictObject({ proposal: PROPOSAL, file: z.string().optional() }),
    'What was decided on, and the file it went to',
  ),
});

export function addProposalRoutes(app: OpenAPIHono<ServerEnv>): void {
  app.openapi(LIST, async (context) => {
    const session = context.get('session');
    const { rights } = context.get('person');
    const isReviewer = rights.editKnowledge && rights.showSql && rights.tables === undefined;
    const all = await readProposals(session.config.knowledgeDirectory);
    const seen = all.filter(
      (one) => (isReviewer || isOwn(one, session)) && !isAboutHidden(one, session.hiddenTables),
    );
    return context.json({ proposals: seen.map(shown) }, 200);
  });
  app.openapi(REVIEW, async (context) => {
    const { key } = context.req.valid('param');
    const { decision } = context.req.valid('json');
    const { projectSessions, people } = context.get('parts');
    const session = context.get('session');
    const { knowledgeDirectory: knowledge, semanticsDirectory: semantics } = session.config;
    // Whether somebody else’s is there is told to reviewers alone.
    const own = (await readProposals(knowledge)).find((one) => one.key === key && isOwn(one, session));
    if (decision === 'accept' || own === undefined) await needFiles(context);
    const proposal = await findProposal(knowledge, key);
    const folders = { knowledge, semantics };
    const file =
      decision === 'accept'
        ? await projectSessions.change(async () => {
            const path = reviewedFile(folders, proposal);
            const before = await readIfThere(path);
            return { result: await publishProposal(folders, proposal), written: { path, before } };
          })
        : undefined;
    await projectSessions.change(() => dropped(folders, key));
    const what = decision === 'accept' ? 'accepted' : 'withdrew';
    await people?.audit(context.get('person').name, what, { text: proposal.text, of: proposal.by });
    return context.json({ proposal: shown(proposal), ...(file !== undefined && { file }) }, 200);
  });
}

async function dropped({ knowledge }: KnowledgeFolders, key: string) {
  const path = join(knowledge, PROPOSED_FILE);
  const before = await readIfThere(path);
  return { result: await dropProposal(knowledge, key), written: { path, before } };
}

function isOwn({ user }: Proposal, { config }: Session): boolean {
  return user === config.user;
}

function shown({ key, text, by, at, synonym }: Proposal): z.infer<typeof PROPOSAL> {
  return { key, text, by, at, synonym };
}
