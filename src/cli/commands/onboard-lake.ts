import type { Config } from '../../config/index.ts';
import { connectProject } from '../../connect-project.ts';
import { openLakeOf, refreshLake } from '../../open-lake-session.ts';
import { styleFor } from '../command-context.ts';
import type { Io } from '../io.ts';
import type { OutputOptions } from '../options.ts';
import { makeProgress, renderJson, renderTable } from '../render/index.ts';

/** `candor onboard` of a lake: lists its tables, and reads those that have come or changed. */
export async function onboardLake(
  config: Config,
  { output, quiet }: OutputOptions & { readonly quiet?: boolean },
  io: Io,
): Promise<number> {
  const started = performance.now();
  const progress = makeProgress(io.stderr, quiet === true);
  const engine = await connectProject(config);
  try {
    const lake = await openLakeOf(config);
    try {
      const counts = await refreshLake(lake, engine, { onProgress: progress.report, signal: io.signal });
      progress.clear();
      const seconds = (performance.now() - started) / 1000;
      if (output === 'json') {
        io.stdout.write(renderJson({ ...counts, seconds }));
        return 0;
      }
      const style = styleFor(io, io.stdout);
      const rows = Object.entries(counts).map(([what, count]) => [what, count]);
      io.stdout.write(`${renderTable([`tables of ${engine.name}`, 'count'], rows, { style })}\n`);
      io.stdout.write(`${style.dim(`read in ${seconds.toFixed(1)} s`)}\n`);
      return 0;
    } finally {
      lake.close();
    }
  } finally {
    progress.clear();
    await engine.close();
  }
}
