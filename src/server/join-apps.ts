import { Hono } from 'hono';
import { buildApp } from './build-app.ts';
import type { ServerParts } from './server-parts.ts';
import { pathOfWorkspace } from './workspace.ts';

type Fetch = Hono['fetch'];

/** One function of a request for all workspaces: each has its whole app below its path, and protects itself. */
export function joinApps([home, ...others]: readonly [ServerParts, ...ServerParts[]]): Fetch {
  const homeApp = buildApp(home);
  if (others.length === 0) return homeApp.fetch;
  const joined = new Hono();
  for (const parts of others) {
    const path = pathOfWorkspace(parts.workspace);
    const bare = path.slice(0, -1);
    // What a page names relative to itself lies below its path only with the slash.
    joined.get(bare, (context) => context.redirect(path, 308));
    joined.mount(bare, buildApp(parts).fetch);
  }
  joined.notFound(({ req, env }) => homeApp.fetch(req.raw, env as object));
  return joined.fetch;
}
