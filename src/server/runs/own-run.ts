import type { Context } from 'hono';
import { CandorError } from '../../errors.ts';
import type { Person } from '../person.ts';
import type { ServerEnv } from '../server-parts.ts';
import type { FollowedRun } from './runs.ts';

const TESTS = 'tests of ';

/** What a person's run of the project's tests is about: they have one at a time. */
export function testsOf({ id }: Person): string {
  return `${TESTS}${id}`;
}

/** A run belongs to whoever began it, or to whom its conversation belongs to. Throws `server.not-found`. */
export async function ownRun(context: Context<ServerEnv>, id: string): Promise<FollowedRun> {
  const { runs, chats } = context.get('parts');
  const person = context.get('person');
  const run = await runs.find(id);
  const isOthers = run?.subject.startsWith(TESTS) === true && run.subject !== testsOf(person);
  if (run === undefined || isOthers)
    throw new CandorError('server.not-found', `There is no run ${JSON.stringify(id.slice(0, 80))}.`);
  if (!run.subject.startsWith(TESTS)) await chats.checkOwner(run.subject, person.id);
  return run;
}
