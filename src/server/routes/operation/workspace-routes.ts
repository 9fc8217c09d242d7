/** The projects that one server serves. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { responses } from '../../contract/failure-contract.ts';
import type { ServerEnv, ServerParts } from '../../parts/server-parts.ts';
import { pathOfWorkspace, type Workspace } from '../../sessions/workspace.ts';

const WORKSPACES = z
  .strictObject({
    workspaces: z.array(
      z.strictObject({
        name: z.string(),
        path: z.string().openapi({ description: 'Below it lie its page and its routes.' }),
        isCurrent: z.boolean(),
      }),
    ),
  })
  .openapi('Workspaces');

const LIST = createRoute({
  method: 'get',
  path: '/v1/workspaces',
  tags: ['server'],
  summary: 'The projects that this server serves, as far as you are in a group of theirs',
  responses: responses(WORKSPACES, 'Workspaces; the one that was asked is among them'),
});

export function addWorkspaceRoutes(app: OpenAPIHono<ServerEnv>): void {
  app.openapi(LIST, (context) => {
    const { workspaces, workspace: current, people } = context.get('parts');
    const { isAdmin, groups } = context.get('person');
    const isIn = ({ session }: Workspace): boolean =>
      people === undefined ||
      isAdmin ||
      groups.some((group) => Object.hasOwn(session.config.server.groups, group));
    const listed = workspaces.filter((each) => each.name === current || isIn(each));
    return context.json({ workspaces: listed.map((each) => lineOf(each, current)) }, 200);
  });
}

/** The project that the server was started in has no name of its own: it is called as its database is. */
function lineOf({ name, session }: Workspace, current: ServerParts['workspace']) {
  return {
    name: name === '' ? session.database.name : name,
    path: pathOfWorkspace(name),
    isCurrent: name === current,
  };
}
