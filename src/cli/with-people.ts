import type { Config } from '../config/index.ts';
import { AuditLog, openServerState, PeopleStore } from '../server/index.ts';
import type { Io } from './io.ts';
import { type ProjectOptions, readCommandConfig } from './options.ts';

export interface KnownPeople {
  readonly store: PeopleStore;
  readonly log: AuditLog;
  readonly config: Config;
}

/** Names of the groups that some workspace of a project gives rights to. Throws `config.*`. */
export async function groupsOfWorkspaces({ server }: Config, io: Io): Promise<ReadonlySet<string>> {
  const folders = Object.values(server.workspaces);
  const others = await Promise.all(folders.map((project) => readCommandConfig(io, { project })));
  return new Set(
    [server, ...others.map((other) => other.server)].flatMap(({ groups }) => Object.keys(groups)),
  );
}

/** Runs work on the users of a project and prints what it says. Throws `config.*`, `store.unusable`. */
export async function withPeople(
  options: ProjectOptions,
  io: Io,
  work: (people: KnownPeople) => Promise<string>,
): Promise<number> {
  const config = await readCommandConfig(io, options);
  const state = await openServerState(config);
  try {
    io.stdout.write(await work({ store: new PeopleStore(state), log: new AuditLog(state), config }));
    return 0;
  } finally {
    await state.close();
  }
}
