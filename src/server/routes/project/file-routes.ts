/** The files that a project is made of: read, checked, changed. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { CandorError } from '../../../errors.ts';
import { responses } from '../../contract/failure-contract.ts';
import {
  CHANGED_FILE,
  CHECKED_FILE,
  FILE_LIST,
  FOLDER,
  NAME,
  PROJECT_FILE,
  TEXT,
} from '../../contract/file-contract.ts';
import { type ChangedFile, changeProjectFile, type FileChange } from '../../files/change-project-file.ts';
import { policyText } from '../../files/check-semantics.ts';
import { checkText } from '../../files/check-text.ts';
import { type FilePlace, isFileOf, shownPlace } from '../../files/file-folders.ts';
import { listProjectFiles, noSuchFile, readProjectFile } from '../../files/read-project-files.ts';
import type { ServerEnv } from '../../parts/server-parts.ts';
import { needAdmin, needFiles, needFilesToRead } from '../../protect/authorize.ts';

const PLACE = z.object({ folder: FOLDER, name: NAME });
const VERSION = z.string().max(200).optional();

const LIST = createRoute({
  method: 'get',
  path: '/v1/files',
  tags: ['files'],
  summary: 'Files of semantics/, knowledge/, examples/ and tests/',
  request: {
    query: z.object({
      folder: FOLDER.optional(),
      limit: z.coerce.number().int().min(1).max(1_000).default(200),
      after: z.string().max(200).optional().openapi({ description: '`next` of the page before.' }),
    }),
  },
  responses: responses(FILE_LIST, 'Files in the order of folders and names'),
});

const READ = createRoute({
  method: 'get',
  path: '/v1/files/{folder}/{name}',
  tags: ['files'],
  summary: 'The text of a file, and the etag to change it with',
  request: { params: PLACE },
  responses: responses(PROJECT_FILE, 'The file'),
});

const CHECK = createRoute({
  method: 'post',
  path: '/v1/files/check',
  tags: ['files'],
  summary: 'Say what would be wrong with a text in the place of a file; nothing is written',
  request: {
    body: {
      required: true,
      content: { 'application/json': { schema: z.strictObject({ folder: FOLDER, name: NAME, text: TEXT }) } },
    },
  },
  responses: responses(CHECKED_FILE, 'Problems in the order of the text; none: it can be saved'),
});

const SAVE = createRoute({
  method: 'put',
  path: '/v1/files/{folder}/{name}',
  tags: ['files'],
  summary: 'Save a file: checked, written whole, and known from the next question on',
  description:
    'With `If-Match` the etag of the text that is changed, or `If-None-Match: *` for a new file; 409 where the file is not as ' +
    'it was. A text with errors is refused with all of them. Who may read what is for admins to change.',
  request: {
    params: PLACE,
    headers: z.object({ 'if-match': VERSION, 'if-none-match': VERSION }),
    body: { required: true, content: { 'application/json': { schema: z.strictObject({ text: TEXT }) } } },
  },
  responses: responses(CHANGED_FILE, 'Saved, or refused with all problems'),
});

const DELETE = createRoute({
  method: 'delete',
  path: '/v1/files/{folder}/{name}',
  tags: ['files'],
  summary: 'Delete a file, unless other files need what stands in it',
  request: { params: PLACE, headers: z.object({ 'if-match': VERSION }) },
  responses: responses(CHANGED_FILE, 'Deleted, or refused with what would be wrong without it'),
});

export function addFileRoutes(app: OpenAPIHono<ServerEnv>): void {
  app.openapi(LIST, async (context) => {
    await needFilesToRead(context);
    const { folder, after, limit } = context.req.valid('query');
    const listed = await listProjectFiles(context.get('session').config, {
      most: limit,
      ...(folder !== undefined && { folder }),
      ...(after !== undefined && { after }),
    });
    return context.json({ ...listed, files: [...listed.files] }, 200);
  });
  app.openapi(READ, async (context) => {
    const place = context.req.valid('param');
    await needFilesToRead(context, place);
    const kept = await readProjectFile(place, context.get('session').config);
    if (kept === undefined) throw noSuchFile(place);
    context.header('ETag', kept.etag);
    return context.json({ ...place, ...kept }, 200);
  });
  app.openapi(CHECK, async (context) => {
    await needFiles(context);
    const { text, ...place } = context.req.valid('json');
    refuseOtherKinds(place);
    const { problems } = await checkText(place, text, context.get('session'), context.req.raw.signal);
    return context.json({ problems: [...problems] }, 200);
  });
  app.openapi(SAVE, async (context) => {
    const { 'if-match': expected, 'if-none-match': none } = context.req.valid('header');
    if ((expected === undefined) === (none !== '*'))
      throw new CandorError('server.no-version', 'It is not said which text of the file is changed.');
    const { text } = context.req.valid('json');
    const change = { text, ...(expected !== undefined && { expected }) };
    return context.json(CHANGED_FILE.parse(await changed(context, context.req.valid('param'), change)), 200);
  });
  app.openapi(DELETE, async (context) => {
    const expected = context.req.valid('header')['if-match'];
    if (expected === undefined)
      throw new CandorError('server.no-version', 'It is not said which text of the file is deleted.');
    const outcome = await changed(context, context.req.valid('param'), { expected });
    return context.json(CHANGED_FILE.parse(outcome), 200);
  });
}

async function changed(
  context: Context<ServerEnv>,
  place: FilePlace,
  change: Pick<FileChange, 'text' | 'expected'>,
): Promise<ChangedFile> {
  await needFiles(context);
  refuseOtherKinds(place);
  const { projectSessions, people } = context.get('parts');
  const outcome = await changeProjectFile(projectSessions, {
    ...{ place, ...change, signal: context.req.raw.signal },
    mayChange: async (before, after) => {
      if (policyText(before) !== policyText(after)) await needAdmin(context);
    },
  });
  const what = change.text === undefined ? 'file deleted' : 'file saved';
  if (outcome.kind === 'saved')
    await people?.audit(context.get('person').name, what, {
      file: shownPlace(place),
      etag: outcome.etag ?? null,
    });
  return outcome;
}

/** Throws `server.invalid-request` for a file that Candor would not read there. */
function refuseOtherKinds(place: FilePlace): void {
  if (isFileOf(place)) return;
  const kinds = {
    semantics: '*.yml',
    knowledge: '*.md, status.yml or areas.yml',
    examples: '*.sql',
    tests: '*.yml',
  };
  const message = `${shownPlace(place)} would not be read: ${place.folder}/ holds ${kinds[place.folder]}.`;
  throw new CandorError('server.invalid-request', message);
}
