/** Files of a project as JSON over HTTP. */
import { z } from '@hono/zod-openapi';
import { FILE_NAME, FOLDER_NAMES } from '../files/file-folders.ts';

const MOST_CHARACTERS = 500_000;

export const FOLDER = z.enum(FOLDER_NAMES);
export const NAME = z
  .string()
  .min(1)
  .max(120)
  .regex(FILE_NAME, 'expected the name of a file, without a path');
export const TEXT = z.string().max(MOST_CHARACTERS);

const LISTED_FILE = z
  .strictObject({ folder: FOLDER, name: z.string(), bytes: z.int(), modifiedAt: z.iso.datetime() })
  .openapi('ListedFile');

export const FILE_LIST = z.strictObject({
  files: z.array(LISTED_FILE),
  next: z.string().optional().openapi({ description: 'There are more: `after` of the next page.' }),
});

export const PROJECT_FILE = z
  .strictObject({
    folder: FOLDER,
    name: z.string(),
    text: z.string(),
    etag: z.string().openapi({ description: 'For If-Match, quotes included; the header ETag has it too.' }),
  })
  .openapi('ProjectFile');

const FILE_PROBLEM = z
  .strictObject({
    severity: z.enum(['error', 'warning']).openapi({ description: 'A file with errors is not saved.' }),
    line: z.int(),
    column: z.int(),
    message: z.string(),
    next: z.string(),
  })
  .openapi('FileProblem');

export const CHECKED_FILE = z.strictObject({ problems: z.array(FILE_PROBLEM) });

export const CHANGED_FILE = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('saved'),
      etag: z.string().optional().openapi({ description: 'Absent: the file is deleted.' }),
      isNew: z.boolean(),
      warnings: z.array(FILE_PROBLEM),
    }),
    z.strictObject({ kind: z.literal('refused'), problems: z.array(FILE_PROBLEM) }),
  ])
  .openapi('ChangedFile');
