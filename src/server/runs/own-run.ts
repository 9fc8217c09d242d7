import type { Context } from 'hono';
import { CandorError } from '../../errors.ts';
import type { Person } from '../person.ts';
import type { ServerEnv } from '../server-parts.ts';
import type { Run } from './run-hub.ts';

const TESTS = 'tests of ';

/** What a person's run of the project's tests is about: they have one at a time. */
export function testsOf({ id }: Person): string {
  return `${TESTS}${id}`;
}

/** A run belongs to whoever began it, or to whom its conversation belongs to. Throws `server.not-found`. */
export async function ownRun(context: Context<ServerEnv>, id: string): Promise<Run> {
  const { runs, chats } = context.get('parts');
  const person = context.get('person');
  const run = runs.get(id);
  if (!run.subject.startsWith(TESTS)) await chats.readChat(run.subject, person.id);
  else if (run.subject !== testsOf(person))
    throw new CandorError('server.not-found', `There is no run ${JSON.stringify(id.slice(0, 80))}.`);
  return run;
}
