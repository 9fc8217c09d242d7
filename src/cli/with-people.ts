import { join } from 'node:path';
import type { Config } from '../config/index.ts';
import { PEOPLE_FILE, PeopleStore } from '../server/index.ts';
import type { Io } from './io.ts';
import { type ProjectOptions, readCommandConfig } from './options.ts';

/** Runs work on the users of a project and prints what it says. Throws `config.*`, `store.unusable`. */
export async function withPeople(
  options: ProjectOptions,
  io: Io,
  work: (store: PeopleStore, config: Config) => string,
): Promise<number> {
  const config = await readCommandConfig(io, options);
  const store = await PeopleStore.open(join(config.derivedDirectory, PEOPLE_FILE));
  try {
    io.stdout.write(work(store, config));
    return 0;
  } finally {
    store.close();
  }
}
