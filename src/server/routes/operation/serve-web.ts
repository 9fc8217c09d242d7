import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress, gzip } from 'node:zlib';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { CandorError } from '../../../errors.ts';
import type { ServerEnv } from '../../parts/server-parts.ts';

/** Beside the compiled code and, for those who run the sources, where the build would put it. */
const WEB = fileURLToPath(new URL('../../../../dist/web', import.meta.url));
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
  app.get('/', async (context) => {
    const page = await sendFile(context, 'index.html');
    if (page === undefined) throw new CandorError('server.no-web', 'The web chat is not built here.');
    page.headers.set('Content-Security-Policy', CONTENT_POLICY);
    return page;
  });
  // The page that shows the routes asks for /openapi.json, as whoever is signed in may see it.
  app.get('/docs', (context) => context.redirect('./#/api'));
  for (const path of ['/assets/:name', '/candor.svg', '/candor-chat.js', '/candor-chat.css'])
    app.get(path, async (context, next) => (await sendFile(context, context.req.path.slice(1))) ?? next());
}

async function sendFile(context: Context<ServerEnv>, name: string): Promise<Response | undefined> {
  const file = await readWebFile(WEB, name, context.req.header('Accept-Encoding') ?? '');
  if (file === undefined) return undefined;
  const response = context.body(file.body, 200, {
    'Content-Type': file.type,
    'Cache-Control': name.startsWith('assets/') ? FOREVER : 'no-cache',
    Vary: 'Accept-Encoding',
  });
  if (file.encoding !== undefined) response.headers.set('Content-Encoding', file.encoding);
  return response;
}

export interface WebFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly encoding?: 'br' | 'gzip';
}

/** One name, or one in a folder: nothing leads out of the folder of the build. */
const NAME = /^(?:\w+\/)?[\w-]+(?:\.[\w-]+)+$/;
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** What was packed once for browsers that do not take Brotli, by path: Chromium takes it over TLS alone. As many as there are files. */
const repacked = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/**
 * A file of the web chat as a browser takes it, by its `Accept-Encoding`. Text lies in the build packed by Brotli and in no other form,
 * since three forms of each file were a sixth of the package; `undefined` where there is no such file.
 */
export async function readWebFile(
  folder: string,
  name: string,
  accepted: string,
): Promise<WebFile | undefined> {
  const type = TYPES[extname(name)];
  if (type === undefined || !NAME.test(name)) return undefined;
  const path = join(folder, name);
  const packed = await readIfThere(`${path}.br`);
  if (packed === undefined) {
    const body = await readIfThere(path);
    return body && { body, type };
  }
  if (takes(accepted, 'br')) return { body: packed, type, encoding: 'br' };
  const encoding = takes(accepted, 'gzip') ? 'gzip' : undefined;
  const body = await repack(path, packed, encoding);
  return encoding === undefined ? { body, type } : { body, type, encoding };
}

function repack(
  path: string,
  packed: Uint8Array<ArrayBuffer>,
  encoding: 'gzip' | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = `${encoding ?? 'plain'} ${path}`;
  const known = repacked.get(key);
  if (known !== undefined) return known;
  const body = promisify(brotliDecompress)(packed).then(async (plain) =>
    Uint8Array.from(encoding === undefined ? plain : await promisify(gzip)(plain)),
  );
  repacked.set(key, body);
  return body;
}

/** Whether a header names an encoding, and not to say that it is unwelcome. */
function takes(accepted: string, encoding: string): boolean {
  return accepted.split(',').some((entry) => {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}

async function readIfThere(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return Uint8Array.from(await readFile(path));
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  }
}
