import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveStatic } from '@hono/node-server/serve-static';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { CandorError } from '../../errors.ts';
import type { ServerEnv } from '../server-parts.ts';

/** Beside the compiled code and, for those who run the sources, where the build would put it. */
const WEB = fileURLToPath(new URL('../../../dist/web', import.meta.url));
/** Scripts are ours alone; charts and the editor of SQL set styles by themselves. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
/** Named by what they hold: they never change. */
const FOREVER = 'public, max-age=31536000, immutable';

/** The web chat: static files of the build, the page itself at `/`. Other paths are left to the routes. */
export function serveWeb(app: OpenAPIHono<ServerEnv>): void {
  const files = serveStatic<ServerEnv>({
    root: WEB,
    precompressed: true,
    onFound: (path, context) => {
      context.header('Cache-Control', path.includes('/assets/') ? FOREVER : 'no-cache');
    },
  });
  app.get('/', (context, next) => {
    if (!existsSync(join(WEB, 'index.html')))
      throw new CandorError('server.no-web', 'The web chat is not built here.');
    context.header('Content-Security-Policy', CONTENT_POLICY);
    return files(context, next);
  });
  // The page that shows the routes asks for /openapi.json, as whoever is signed in may see it.
  app.get('/docs', (context) => context.redirect('./#/api'));
  for (const path of ['/assets/*', '/candor.svg', '/candor-chat.js', '/candor-chat.css'])
    app.get(path, files);
}
