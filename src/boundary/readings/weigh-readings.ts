import type { Assumption, Option } from '../../answer.ts';
import type { Dataset, Dimension } from '../../knowledge/semantic/index.ts';
import { splitName } from '../../language/index.ts';
import type { Boundary, MentionNote, Reading } from '../../reasoning/roles/reading.ts';
import type { Query } from '../../sql/print/index.ts';
import { groupReadings, type ReadingGroup } from './group-readings.ts';
import { type Meaning, type MeaningSchema, meaningKey } from './query-meaning.ts';

/** A second meaning is near when it has this part of the weight of the first, all its readings together … */
const NEAR_SHARE = 0.65;
/** … and its best reading this part of the odds of the best one. */
const NEAR_ODDS = 0.25;
/** The same for columns of different tables: the way to them already tells which is likelier meant. */
const NEAR_ODDS_APART = 0.8;
const MOST_OPTIONS = 5;

export interface WeighingContext {
  readonly question: string;
  readonly schema: MeaningSchema;
  readonly semantics: { readonly datasets: readonly Dataset[]; readonly dimensions: readonly Dimension[] };
  /** The readings of another text, likeliest first: what an option would be understood as. */
  readonly read: (question: string) => readonly Reading[];
}

/** What several meanings of one question lead to. */
export type Weighed =
  /** One meaning stands out, or nothing that a person could be asked tells them apart. */
  | { readonly kind: 'one' }
  /** The semantic model knows which is meant. */
  | { readonly kind: 'default'; readonly readings: readonly Reading[] }
  /** Only a person can tell. */
  | { readonly kind: 'ask'; readonly boundary: Boundary; readonly rivals: readonly Reading[] };

/**
 * Whether one meaning of the readings stands out. Where two or more are near, the question back is about the words whose
 * meaning splits the probability most; every option is a question that, read alone, has the option's meaning, and without
 * two such options nothing is asked. Source: overview §5, issue 10.
 */
export function weighReadings(readings: readonly Reading[], context: WeighingContext): Weighed {
  const [first, ...others] = nearGroups(groupReadings(readings, context.schema));
  if (first === undefined || others.length === 0) return { kind: 'one' };
  // Which date of a row tells its period is ruled by the schema: nothing is asked, and the answer says what was taken.
  const apart = others.filter(({ meaning }) => !differsInTime(meaning, first.meaning));
  const near = [first, ...apart];
  if (apart.length === 0) return datesTaken(near, others, readings, context);
  const slot = slotsOf(near, context.question).sort((a, b) => b.gain - a.gain || a.mention - b.mention)[0];
  if (slot === undefined || isCalledSo(slot, first)) return { kind: 'one' };
  const known = byDefault(slot, readings, context);
  if (known !== undefined) return known;
  const offered = slot.choices
    .slice(0, MOST_OPTIONS)
    .flatMap((choice) => optionOf(choice, slot.note, context) ?? []);
  if (offered.length < 2) return { kind: 'one' };
  const boundary: Boundary = {
    kind: 'clarify',
    gap: slot.choices.every(({ binding }) => binding.isCondition) ? 'value' : 'term',
    phrase: slot.note.text,
    ask: `“${slot.note.text}” may be several things here. Which one do you mean?`,
    options: offered.map(({ option }) => option),
  };
  return { kind: 'ask', boundary, rivals: offered.map(({ reading }) => reading) };
}

/** The words are the very name of the likeliest column and of no other: "rating", beside a rental rate. */
function isCalledSo({ choices, note }: Slot, first: ReadingGroup): boolean {
  const said = splitName(note.text).join(' ');
  const named = choices.filter(({ binding }) => splitName(binding.column).join(' ') === said);
  return named.length === 1 && named[0]?.group === first;
}

function differsInTime(meaning: Meaning, first: Meaning): boolean {
  return meaningKey({ ...meaning, time: '' }) === meaningKey({ ...first, time: '' });
}

function datesTaken(
  [first]: readonly ReadingGroup[],
  others: readonly ReadingGroup[],
  readings: readonly Reading[],
  context: WeighingContext,
): Weighed {
  const slot = first && slotsOf([first, ...others], context.question)[0];
  const [taken] = slot?.choices ?? [];
  if (slot === undefined || taken === undefined) return { kind: 'one' };
  const text = `“${slot.note.text}” was taken of ${namePlace(taken.binding)}.`;
  const assumption: Assumption = { kind: 'time', id: 'date', text, ...changeable(taken, slot, context) };
  return { kind: 'default', readings: withAssumption(readings, readings[0], assumption) };
}

/** What was taken of a slot, and the questions that take another column of it. */
function changeable(
  taken: Choice,
  { choices, note }: Slot,
  context: WeighingContext,
): Pick<Assumption, 'taken' | 'alternatives'> {
  const alternatives = choices
    .filter((choice) => choice !== taken)
    .slice(0, MOST_OPTIONS)
    .flatMap((choice) => {
      const { option } = optionOf(choice, note, context) ?? {};
      if (option === undefined) return [];
      return [{ choice: namePlace(choice.binding), label: option.label, question: option.question }];
    });
  return { taken: namePlace(taken.binding), ...(alternatives.length > 0 && { alternatives }) };
}

/** The readings with one of them, which takes something for granted, in front. */
function withAssumption(
  readings: readonly Reading[],
  taken: Reading | undefined,
  assumption: Assumption,
): readonly Reading[] {
  if (taken === undefined) return readings;
  const assuming: Reading = { ...taken, assumptions: [...taken.assumptions, assumption] };
  return [assuming, ...readings.filter((other) => other !== taken)];
}

function nearGroups(groups: readonly ReadingGroup[]): readonly ReadingGroup[] {
  const [first] = groups;
  const best = first?.readings[0];
  if (first === undefined || best === undefined) return [];
  return groups.filter(
    (group) =>
      group.share >= NEAR_SHARE * first.share && oddsOf(group.readings[0]) >= NEAR_ODDS * oddsOf(best),
  );
}

function oddsOf(reading: Reading | undefined): number {
  const probability = Math.min(reading?.probability ?? 0, 1 - Number.EPSILON);
  return probability / (1 - probability);
}

interface Choice {
  readonly binding: Binding;
  readonly group: ReadingGroup;
  readonly share: number;
}

/** Words that became different columns in different groups. */
interface Slot {
  readonly mention: number;
  readonly note: MentionNote;
  /** One for each column, the likeliest first. */
  readonly choices: readonly Choice[];
  /** Bits that the answer is expected to tell. */
  readonly gain: number;
}

function slotsOf(groups: readonly ReadingGroup[], question: string): Slot[] {
  const bound = groups.flatMap((group) => {
    const [reading] = group.readings;
    return reading === undefined ? [] : [{ group, reading, bindings: bindingsOf(reading.query) }];
  });
  const notes = bound[0]?.reading.mentions ?? [];
  return notes.flatMap((note, mention) => {
    // Words of a hint stand nowhere in the question.
    if (question.slice(note.span.start, note.span.end) !== note.text) return [];
    const choices: Choice[] = [];
    for (const { group, bindings } of bound) {
      const [binding, second] = bindings.get(mention) ?? [];
      // Words that stand for nothing, or for two columns at once, are no single choice.
      if (binding === undefined || second !== undefined) return [];
      const at = choices.findIndex((choice) => isSame(choice.binding, binding));
      const known = choices[at];
      if (known === undefined) choices.push({ binding, group, share: group.share });
      else choices[at] = { ...known, share: known.share + group.share };
    }
    const near = choices.filter((choice) => isNearTo(choice, choices[0]));
    if (near.length < 2) return [];
    return [{ mention, note, choices: near, gain: entropy(near.map(({ share }) => share)) }];
  });
}

function isNearTo({ binding, group }: Choice, first: Choice | undefined): boolean {
  if (first === undefined || binding.table === first.binding.table) return true;
  return oddsOf(group.readings[0]) >= NEAR_ODDS_APART * oddsOf(first.group.readings[0]);
}

function isSame(a: Binding, b: Binding): boolean {
  return a.table === b.table && a.column === b.column;
}

/** Entropy of weights, in bits: what is told by an answer that picks one of them. */
export function entropy(weights: readonly number[]): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.reduce((sum, weight) => {
    const share = total === 0 ? 0 : weight / total;
    return share === 0 ? sum : sum - share * Math.log2(share);
  }, 0);
}

/** A column that the semantic model gives a part of its own is the one that people mean. */
function byDefault(slot: Slot, readings: readonly Reading[], context: WeighingContext): Weighed | undefined {
  const { semantics } = context;
  const chosen = slot.choices.filter(({ binding: { table, column } }) => {
    const id = `${table}.${column}`.toLowerCase();
    return (
      semantics.dimensions.some((dimension) => dimension.column === id) ||
      semantics.datasets.some(({ timeColumn, displayColumn }) => timeColumn === id || displayColumn === id)
    );
  });
  const [only, second] = chosen;
  const reading = only?.group.readings[0];
  if (only === undefined || second !== undefined || reading === undefined) return undefined;
  const text = `“${slot.note.text}” was read as ${namePlace(only.binding)}, as the semantic model has it.`;
  const assumption: Assumption = { kind: 'value', id: 'column', text, ...changeable(only, slot, context) };
  return { kind: 'default', readings: withAssumption(readings, reading, assumption) };
}

/** The option as a question of its own; undefined where no wording of it is read as it is meant. */
function optionOf(
  { binding, group }: Choice,
  note: MentionNote,
  context: WeighingContext,
): { readonly option: Option; readonly reading: Reading } | undefined {
  const { question, schema, read } = context;
  const [reading] = group.readings;
  if (reading === undefined) return undefined;
  const wanted = meaningKey(group.meaning);
  const [place, column] = [namePlace(binding), namePlace({ ...binding, table: '' })];
  const words = binding.isCondition
    ? [`${column} ${note.text}`, `${place} ${note.text}`, `${note.text} (${column})`]
    : [place, column];
  const { start, end } = note.span;
  for (const said of words) {
    const alone = `${question.slice(0, start)}${said}${question.slice(end)}`;
    const [first, second] = nearGroups(groupReadings(read(alone), schema));
    if (first === undefined || meaningKey(first.meaning) !== wanted) continue;
    // What is still as unclear would be asked again.
    if (second !== undefined && slotsOf([first, second], alone).length > 0) continue;
    const label = binding.isCondition ? `${place}: ${note.text}` : place;
    return { option: { label, question: alone, sql: reading.sql }, reading };
  }
  return undefined;
}

/** A column that a mention of the question became, as the query writes it. */
interface Binding {
  /** The name of its table in the query. */
  readonly table: string;
  readonly column: string;
  /** It narrows the rows: the mention is a value of it, or compares it. */
  readonly isCondition: boolean;
}

/** The columns that each mention became, by its index in the reading's mentions. */
function bindingsOf(query: Query): ReadonlyMap<number, readonly Binding[]> {
  const bindings = new Map<number, Binding[]>();
  walk(query, undefined, bindings);
  return bindings;
}

/** Goes through the plain data of a query tree; the innermost cause owns a column. */
function walk(part: unknown, mention: Owner | undefined, bindings: Map<number, Binding[]>): void {
  if (Array.isArray(part)) {
    for (const item of part) walk(item, mention, bindings);
    return;
  }
  if (!isRecord(part)) return;
  const owner = ownerOf(part) ?? mention;
  if (part.kind === 'column' && typeof part.table === 'string' && typeof part.column === 'string') {
    if (owner === undefined) return;
    const known = bindings.get(owner.mention) ?? [];
    const { table, column } = { table: part.table, column: part.column };
    if (!known.some((one) => one.table === table && one.column === column))
      bindings.set(owner.mention, [...known, { table, column, isCondition: owner.isCondition }]);
    return;
  }
  for (const [name, inner] of Object.entries(part)) {
    // The keys of a membership test are the way there, not what the words became.
    if (part.kind === 'in-query' && name === 'value') continue;
    if (part.kind === 'in-query' && name === 'query') {
      walkMembers(inner, owner, bindings);
      continue;
    }
    if (name !== 'cause' && name !== 'joins') walk(inner, owner, bindings);
  }
}

function walkMembers(query: unknown, owner: Owner | undefined, bindings: Map<number, Binding[]>): void {
  if (!isRecord(query)) return;
  for (const [name, inner] of Object.entries(query))
    if (name !== 'select' && name !== 'joins') walk(inner, owner, bindings);
}

interface Owner {
  readonly mention: number;
  readonly isCondition: boolean;
}

const CONDITIONS: ReadonlySet<unknown> = new Set(['compare', 'between', 'like', 'null', 'in', 'in-query']);

function ownerOf(part: Readonly<Record<string, unknown>>): Owner | undefined {
  const { cause, kind } = part;
  if (!isRecord(cause) || typeof cause.mention !== 'number') return undefined;
  return { mention: cause.mention, isCondition: CONDITIONS.has(kind) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A column in words, with its table unless that is empty: `Invoice.BillingCountry` → `invoice billing country`. */
function namePlace({ table, column }: { readonly table: string; readonly column: string }): string {
  const words = [...splitName(table), ...splitName(column)];
  // "customer customer id" says the same word twice.
  return words.filter((word, at) => word !== words[at - 1]).join(' ');
}
