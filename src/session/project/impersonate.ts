import type { Config } from '../../config/index.ts';
import { type Database, decorate, type EngineIdentity } from '../../database/index.ts';
import { CandorError } from '../../errors.ts';
import type { SessionProperties } from '../../sql/index.ts';

/**
 * The engine as the person whose queries it shall run, where the project says `impersonate`: properties of the session
 * come before who asks, so that a group may be given an account or a role of the engine.
 */
export function impersonated(
  engine: Database,
  { impersonate, user: asks, sessionProperties }: Pick<Config, 'impersonate' | 'user' | 'sessionProperties'>,
): Database {
  if (!impersonate || engine.as === undefined) return engine;
  const user = textOf(sessionProperties, 'engineUser') ?? asks;
  const role = textOf(sessionProperties, 'engineRole');
  if (user === undefined && role === undefined) return withNobody(engine);
  const identity: EngineIdentity = {
    ...(user === undefined ? {} : { user }),
    ...(role === undefined ? {} : { role }),
  };
  return engine.as(identity);
}

function textOf(properties: SessionProperties, name: string): string | undefined {
  const value = properties[name];
  return value === undefined || value === '' ? undefined : String(value);
}

/** Onboarding reads as the account of the URL; whoever asks must be somebody. */
function withNobody(engine: Database): Database {
  const refuse = async (): Promise<never> => {
    throw new CandorError(
      'database.access-denied',
      'the project impersonates whoever asks, and nobody is named: sign in, set `user`, or give --property engineUser=…',
    );
  };
  return decorate(engine, () => ({ query: refuse, explain: refuse, withholds: ['listTables'] }));
}
