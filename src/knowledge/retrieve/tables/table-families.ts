/** Tables of equal columns whose names differ by a number or a word: one a day, a version, a state; and copies elsewhere. */
import { createHash } from 'node:crypto';
import type { Catalog, ColumnProfile, Table } from '../../../catalog/index.ts';
import type { Found, FoundTable } from '../settings/retrieved.ts';
import type { Period } from '../words/time-mentions.ts';

export interface TableFamily<Profile extends ColumnProfile = ColumnProfile> {
  /** Place in the list of families. */
  readonly index: number;
  /** The names with `#` for every number, or `*` for the word that differs: `ga_sessions_#`, `census_tracts_*`. */
  readonly pattern: string;
  /** In the order of the catalog. */
  readonly members: readonly FamilyMember<Profile>[];
  /** Equal for families of one schema and pattern whose columns differ. */
  readonly siblingKey: string;
}

export interface FamilyMember<Profile extends ColumnProfile = ColumnProfile> {
  readonly table: Table<Profile>;
  /** What tells it from the others: the numbers of its name in order, `['2018', '5']`, or the word, `['ohio']`. */
  readonly marks: readonly string[];
  /** The days that its name says it is of. */
  readonly period?: Period;
}

/**
 * Groups the tables of a catalog; a table without like is a family of one. Names that differ in one word only
 * (`census_tracts_ohio`) are a family where there are many of them: two tables of equal columns may be two things.
 */
export function groupFamilies<Profile extends ColumnProfile>(
  catalog: Pick<Catalog<Profile>, 'tables'>,
  columnsKeyOf: (table: Table<Profile>) => string = columnsKey,
): readonly TableFamily<Profile>[] {
  const groups = new Map<string, Group<Profile>>();
  for (const table of catalog.tables) {
    const pattern = namePattern(table.name);
    const columns = columnsKeyOf(table);
    const key = `${siblingKey(table)} ${columns}`;
    const marks = table.name.match(/\p{N}+/gu) ?? [];
    const period = periodOf(marks);
    const member = { table, marks, ...(period === undefined ? {} : { period }) };
    const known = groups.get(key);
    if (known === undefined)
      groups.set(key, { pattern, siblingKey: siblingKey(table), columns, members: [member] });
    else known.members.push(member);
  }
  return mergeByWord([...groups.values()]).map((group, index) => ({ ...group, index }));
}

interface Group<Profile extends ColumnProfile = ColumnProfile> {
  readonly pattern: string;
  readonly siblingKey: string;
  /** Equal where the columns are. */
  readonly columns: string;
  readonly members: FamilyMember<Profile>[];
}

/** Single tables of one schema and equal columns, merged where enough of them differ in the same word. */
function mergeByWord<Profile extends ColumnProfile>(
  groups: readonly Group<Profile>[],
): readonly Group<Profile>[] {
  const byForm = new Map<string, Group<Profile>[]>();
  for (const group of groups) {
    for (const { form } of formsOf(group)) {
      const known = byForm.get(form);
      if (known === undefined) byForm.set(form, [group]);
      else known.push(group);
    }
  }
  const merged = new Map<Group<Profile>, Group<Profile>>();
  for (const [form, alike] of [...byForm].sort(([, a], [, b]) => b.length - a.length)) {
    const free = alike.filter((group) => !merged.has(group));
    if (free.length < ALIKE) continue;
    const members = free.flatMap((group) => {
      const word = formsOf(group).find((each) => each.form === form)?.word ?? '';
      return group.members.map((member) => ({ ...member, marks: [word] }));
    });
    const columns = free[0]?.columns ?? '';
    const family = { pattern: form.slice(form.lastIndexOf(' ') + 1), siblingKey: form, columns, members };
    for (const group of free) merged.set(group, family);
  }
  return [...new Set(groups.map((group) => merged.get(group) ?? group))];
}

/** Fewer tables than this that differ in one word are tables of their own. */
const ALIKE = 8;

/** The name of a single table without numbers, with `*` for each of its words in turn. */
function formsOf({ pattern, columns, members }: Group): { readonly form: string; readonly word: string }[] {
  const [first] = members;
  if (first === undefined || members.length > 1 || pattern.includes('#')) return [];
  const words = pattern.split('_');
  const place = `${first.table.schema ?? ''} ${columns}`.toLowerCase();
  return words.length < 2
    ? []
    : words.map((word, at) => ({
        form: `${place} ${words.map((each, other) => (other === at ? '*' : each)).join('_')}`,
        word,
      }));
}

/** Equal for tables of one schema whose names differ in numbers only. */
export function siblingKey({ schema = '', name }: Table): string {
  return `${schema.toLowerCase()}.${namePattern(name)}`;
}

function namePattern(name: string): string {
  return name.toLowerCase().replace(/\p{N}+/gu, '#');
}

/** Equal for tables whose columns have the same names. */
export function columnsKey({ columns }: Table): string {
  const names = columns.map(({ name }) => name.toLowerCase()).sort();
  return createHash('sha1').update(names.join('\n')).digest('base64');
}

/** `20170801`, `201706`, `2016`, `2016` + `07`, and the two digits that end a name such as `indiv16`. */
function periodOf(numbers: readonly string[]): Period | undefined {
  for (const [at, number] of numbers.entries()) {
    if (!/^(?:19|20)\d{2}/.test(number) || ![4, 6, 8].includes(number.length)) continue;
    const next = numbers[at + 1];
    const monthText = number.length > 4 ? number.slice(4, 6) : next?.length === 2 ? next : undefined;
    const year = Number(number.slice(0, 4)) * 1_00_00;
    const month =
      monthText !== undefined && Number(monthText) >= 1 && Number(monthText) <= 12 ? Number(monthText) : 0;
    if (month === 0) return number.length === 4 ? { from: year + 1_01, to: year + 12_31 } : undefined;
    const day = Number(number.slice(6, 8));
    if (number.length === 8 && (day < 1 || day > 31)) return undefined;
    return { from: year + month * 100 + (day || 1), to: year + month * 100 + (day || 31) };
  }
  const last = numbers.at(-1);
  if (numbers.length !== 1 || last?.length !== 2) return undefined;
  const year = (Number(last) < 50 ? 2000 : 1900) + Number(last);
  return { from: year * 1_00_00 + 1_01, to: year * 1_00_00 + 12_31 };
}

export interface ExpandOptions {
  /** Tables in all. */
  readonly limit: number;
  /** Tables that one family may take before every entry has had its turn. */
  readonly perFamily: number;
}

/**
 * The very tables, where a list of families does not serve: each entry gives the members that the question names, or
 * its first; what room is left goes to further members of the best.
 */
export function expandFamilies(
  found: readonly Found<FoundTable>[],
  { limit, perFamily }: ExpandOptions,
): readonly string[] {
  const tables = new Set<string>();
  const take = (ids: readonly string[]): void => {
    for (const id of ids) if (tables.size < limit) tables.add(id);
  };
  for (const { item } of found)
    take(membersOf(item).slice(0, Math.min(perFamily, Math.max(1, item.family?.namedCount ?? 1))));
  for (const { item } of found) take(membersOf(item));
  return [...tables];
}

function membersOf({ tableId, family }: FoundTable): readonly string[] {
  return family?.members ?? [tableId];
}
