import type { Catalog } from '../../catalog/index.ts';
import type { Config } from '../../config/index.ts';
import {
  type AccessPolicy,
  type Database,
  decorate,
  type EngineIdentity,
  guarded,
} from '../../database/index.ts';
import { CandorError } from '../../errors.ts';
import type { SessionProperties } from '../../sql/rewrite/index.ts';

/** What one person may see of a project. */
export interface UserRights {
  /** Ids of tables; absent: all that the project shows. */
  readonly tables?: readonly string[];
  /** For row filters and masks, beside those of the project, which they override. */
  readonly properties: SessionProperties;
  /** Whom the engine shall take them for, where the project impersonates and no property says so. */
  readonly user?: string;
}

export interface UserDatabases {
  /** The database under the rights of one person, through the guard. */
  readonly databaseFor: (rights: UserRights) => Database;
  /** Ids of the tables that the engine shows them; absent: it takes everybody for the same account. */
  readonly tablesSeenBy?: (rights: UserRights) => Promise<readonly string[]>;
}

interface Parts {
  readonly config: Config;
  readonly catalog: Catalog;
  readonly policy: AccessPolicy;
}

/** The same database for several people. */
export function userDatabases(engine: Database, { config, catalog, policy }: Parts): UserDatabases {
  const tablesSeenBy = async (rights: UserRights): Promise<readonly string[]> => {
    const keys = await impersonated(engine, configUnder(config, rights)).listTables?.();
    return (keys ?? []).map((key) => key.toLowerCase());
  };
  return {
    databaseFor: (rights) =>
      guardedFor(engine, {
        config: configUnder(config, rights),
        catalog,
        policy: { ...policy, ...(rights.tables !== undefined && { visibleTables: rights.tables }) },
      }),
    ...(config.impersonate && { tablesSeenBy }),
  };
}

/** The configuration of a project as it is for one person. */
export function configUnder(config: Config, { properties, user = config.user }: UserRights): Config {
  return {
    ...config,
    ...(user !== undefined && { user }),
    sessionProperties: { ...config.sessionProperties, ...properties },
  };
}

/** The one door for what people and models write: names of the catalog, the project's policy, below the caps. */
export function guardedFor(engine: Database, { config, catalog, policy }: Parts): Database {
  return guarded(impersonated(engine, config), {
    kind: 'caller-queries',
    catalog,
    policy,
    properties: config.sessionProperties,
    planCaps: config.planCaps,
    allowedCode: config.allowedCode,
  });
}

/** What somebody asks for within what they have: tables of both, and no other person, nor property, than the bound says. */
export function narrowRights(rights: UserRights, bound: UserRights | undefined): UserRights {
  if (bound === undefined) return rights;
  const { tables } = rights;
  const user = bound.user ?? rights.user;
  const within = bound.tables && new Set(bound.tables);
  const both = within && tables ? tables.filter((id) => within.has(id)) : (tables ?? bound.tables);
  return {
    properties: { ...rights.properties, ...bound.properties },
    ...(both !== undefined && { tables: both }),
    ...(user !== undefined && { user }),
  };
}

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
