/** Made-up query logs of a company of teams: who belongs where is known, so that clusters can be judged. */
import { createRandom, createSampler, type Random } from '../../src/demo/motors/random.ts';
import type { TableAccess } from '../../src/knowledge/usage/table-accesses.ts';

export interface TeamUsage {
  readonly accesses: readonly TableAccess[];
  /** The team of each table; those that everybody reads have none. */
  readonly teamOfTable: ReadonlyMap<string, number>;
  readonly teamOfUser: ReadonlyMap<string, number>;
}

export interface CompanyOptions {
  readonly teams: number;
  readonly tables: number;
  readonly users: number;
  /** Among the tables: those that everybody reads. */
  readonly companyTables: number;
  /** Tables of the own team that a user reads, on average. */
  readonly tablesPerUser: number;
  readonly seed: number;
  /** How unequal teams are: tables and users go to team `i` in proportion to 1 / i to this power. */
  readonly skew: number;
}

/** Runs of one table by one user are log-normal: a few are run all day, most now and then. */
const RUNS_SPREAD = 0.55;
const ACTIVITY_SPREAD = 0.35;
/** Tables of anybody's that a user strays to, for each table of the own team, and how much less they are run. */
const STRAYS = 0.35;
const STRAY_RUNS = 0.5;
const COMPANY_RUNS = 1.7;

/** The company of the trial: 6 teams, 300 tables of which 10 are everybody's, 120 users. */
export const TRIAL_COMPANY: Omit<CompanyOptions, 'seed'> = {
  teams: 6,
  tables: 300,
  users: 120,
  companyTables: 10,
  tablesPerUser: 17,
  skew: 0,
};

export function makeTeamUsage(options: CompanyOptions): TeamUsage {
  const random = createRandom(options.seed);
  const teamTables: string[][] = Array.from({ length: options.teams }, () => []);
  const teamOfTable = new Map<string, number>();
  const chooseTeam = teamChooser(options);
  for (let index = 0; index < options.tables - options.companyTables; index += 1) {
    const team = chooseTeam(index, random);
    teamOfTable.set(`table_${index}`, team);
    teamTables[team]?.push(`table_${index}`);
  }
  const allTables = [...teamOfTable.keys()];
  const teamOfUser = new Map<string, number>();
  const accesses: TableAccess[] = [];
  for (let index = 0; index < options.users; index += 1) {
    const user = `user_${index}`;
    const team = chooseTeam(index, random);
    teamOfUser.set(user, team);
    const activity = Math.exp(ACTIVITY_SPREAD * normal(random));
    const read = (tableId: string, factor: number): void => {
      const runs = Math.ceil(factor * activity * Math.exp(1 + RUNS_SPREAD * normal(random)));
      accesses.push({ user, tableId, runs });
    };
    const own = teamTables[team] ?? [];
    for (const table of own) if (random.chance(options.tablesPerUser / own.length)) read(table, 1);
    for (let table = 0; table < options.companyTables; table += 1) read(`company_${table}`, COMPANY_RUNS);
    for (let stray = 0; stray < STRAYS * options.tablesPerUser; stray += 1)
      read(random.pick(allTables), STRAY_RUNS);
  }
  return { accesses, teamOfTable, teamOfUser };
}

/** Equal teams take turns; unequal ones are drawn. */
function teamChooser({ teams, skew }: CompanyOptions): (index: number, random: Random) => number {
  if (skew === 0) return (index) => index % teams;
  const sample = createSampler([...Array(teams).keys()], (team) => (team + 1) ** -skew);
  return (_, random) => sample(random);
}

/** Standard normal, by Box and Muller. */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}
