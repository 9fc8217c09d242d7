/** The section `embedded` of `candor.yml`. */
import { z } from 'zod';

const MIB = 1024 * 1024;

export const EMBEDDED_SCHEMA = z.strictObject({
  processes: z
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe(
      'Processes that read one file at the same time, so that one long query does not stop everybody (default: one more than cores, at most 4). They start when they are needed.',
    ),
  memoryBytes: z
    .int()
    .min(256 * MIB)
    .optional()
    .describe(
      'Bytes of memory that one of them may take; a query that needs more is ended with `database.out-of-memory` (default: half of the memory of the machine or container divided by `processes`, from 256 MiB to 2 GiB).',
    ),
  temporaryBytes: z
    .int()
    .min(0)
    .optional()
    .describe(
      'Bytes that one query may put into temporary files when memory is not enough: of DuckDB in a private folder below the temporary folder of the machine, of SQLite in files without a name (default: 0, no temporary files).',
    ),
  threads: z
    .int()
    .min(1)
    .max(1024)
    .optional()
    .describe('Threads of one query of DuckDB (default: half of the cores).'),
});
