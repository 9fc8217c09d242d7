import type { Approval, GroupRights } from '../../config/index.ts';

/** Who a request is of, and what they may do. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly isAdmin: boolean;
  readonly groups: readonly string[];
  readonly rights: GroupRights;
}

const ALL_RIGHTS: GroupRights = {
  properties: {},
  showSql: true,
  runSql: true,
  editKnowledge: true,
  approval: 'allow',
};
/** The widest first. */
const APPROVALS: readonly Approval[] = ['allow', 'ask', 'deny'];

/** Whoever reaches a server of this machine that has no users: the person at its keyboard. */
export const LOCAL_PERSON: Person = {
  id: 'local',
  name: 'this machine',
  isAdmin: true,
  groups: [],
  rights: ALL_RIGHTS,
};

/**
 * What several groups give together: all that any of them gives, but properties, of which the first group that names one
 * counts. Without a group nobody sees a table, unless they are an admin.
 */
export function rightsOf(
  { isAdmin, groups }: { readonly isAdmin: boolean; readonly groups: readonly string[] },
  known: Readonly<Record<string, GroupRights>>,
): GroupRights {
  const own = groups.flatMap((name) => (Object.hasOwn(known, name) ? (known[name] ?? []) : []));
  const properties = Object.assign({}, ...own.toReversed().map((each) => each.properties));
  if (isAdmin) return { ...ALL_RIGHTS, properties };
  const isUnbounded = own.some(({ tables }) => tables === undefined);
  const tables = [...new Set(own.flatMap((each) => each.tables ?? []))].sort();
  const bounds = own.map(({ questionsPerHour }) => questionsPerHour ?? Number.POSITIVE_INFINITY);
  const questionsPerHour = Math.max(0, ...bounds);
  return {
    properties,
    ...(!isUnbounded && { tables }),
    showSql: own.some(({ showSql }) => showSql),
    runSql: own.some(({ runSql }) => runSql),
    editKnowledge: own.some(({ editKnowledge }) => editKnowledge),
    approval: APPROVALS.find((each) => own.some(({ approval }) => approval === each)) ?? 'deny',
    ...(Number.isFinite(questionsPerHour) && { questionsPerHour }),
  };
}
