import { type Mention, withoutQuotes } from '../../../question/mention/mention.ts';
import { unitBehind } from '../../frame/amounts.ts';
import type { Cursor, Rule } from '../../frame/cursor.ts';
import type { Operand } from '../../frame/frame.ts';
import { columnScore, isTableLike } from '../../frame/nouns.ts';
import { ownerBefore } from '../../frame/what-is-done.ts';

/** "from France", "French singers", "whose name is 'Joe'", "in March or April". */
export const value: Rule = {
  name: 'value',
  examples: ['Which singers are from France?', "What is the age of the singer named 'Joe Sharp'?"],
  apply(cursor) {
    const mention = cursor.at(0);
    if (cursor.role(0) !== 'value' || mention === undefined) return 0;
    const operands: Operand[] = [operandOf(mention)];
    let next = 1;
    let isAll = true;
    for (;;) {
      const comma = cursor.at(next)?.isComma === true;
      const joint = cursor.cue(comma ? next + 1 : next, 'and') ?? cursor.cue(comma ? next + 1 : next, 'or');
      const at = cursor.skip(next + (comma ? 1 : 0) + (joint === undefined ? 0 : 1), ['stop', 'preposition']);
      const other = cursor.at(at);
      if (
        (!comma && joint === undefined) ||
        other === undefined ||
        cursor.role(at) !== 'value' ||
        !mayShareColumn(mention, other)
      )
        break;
      operands.push(operandOf(other));
      isAll &&= cursor.cue(comma ? next + 1 : next, 'or') === undefined;
      next = at + 1;
    }
    if (mention.parts !== undefined && operands.length === 1 && cursor.pending === undefined) {
      for (const values of mention.parts) {
        const part = { ...mention, values };
        cursor.addFilter({
          attributes: [],
          operator: '=',
          operands: [{ kind: 'value', mention: part }],
          mention: part,
          isNegated: false,
        });
      }
      return next;
    }
    const isLone = mention.isQuoted && operands.length === 1;
    // "the name 'Ana' in the month of April": its column stands before it.
    const holder = isLone && cursor.pending === undefined ? heldIn(cursor, next) : undefined;
    if (holder !== undefined) {
      const text = withoutQuotes(mention);
      const pattern: Operand = { kind: 'text', text, mention };
      cursor.addFilter({
        noun: holder,
        attributes: [],
        operator: 'like-anywhere',
        operands: [pattern],
        mention,
        owner: ownerBefore(cursor),
      });
      return holder.index - cursor.position + 1;
    }
    const noun = columnOf(cursor, mention, next);
    const isOwner = /^(?:do|does|did|by)$/i.test(cursor.at(-1)?.text ?? '');
    if (cursor.isBoth && operands.length === 1) {
      const isSecond = cursor.frame.filters.some((filter) => filter.connective === 'both');
      cursor.addFilter({ noun: noun.mention, attributes: [], operator: '=', operands, mention });
      cursor.isBoth = !isSecond;
    } else if (cursor.isBoth && operands.length > 1) {
      for (const operand of operands)
        cursor.addFilter({
          noun: noun.mention,
          attributes: [],
          operator: '=',
          operands: [operand],
          mention: operand.mention,
        });
      cursor.isBoth = false;
    } else {
      const attributes = wayWords(cursor);
      cursor.addFilter({ noun: noun.mention, attributes, operator: '=', operands, mention, isOwner, isAll });
    }
    return noun.isAfter ? next + 1 : next;
  },
};

/** "have 'Express' in their names": the text is a part of what the column holds. */
function heldIn(cursor: Cursor, offset: number): Mention | undefined {
  const at = cursor.skip(offset, ['preposition', 'stop']);
  const noun = cursor.noun(at);
  const isIn = /^in$/i.test(cursor.at(offset)?.text ?? '');
  const isTheirs = noun?.isPossessed === true || /^(?:its|their|the)$/i.test(cursor.at(at - 1)?.text ?? '');
  return isIn && isTheirs && noun !== undefined && columnScore(noun) > 0.6 ? noun : undefined;
}

function operandOf(mention: Mention): Operand {
  return mention.values.length > 0
    ? { kind: 'value', mention }
    : { kind: 'text', text: withoutQuotes(mention), mention };
}

function mayShareColumn(a: Mention, b: Mention): boolean {
  if (a.values.length === 0 || b.values.length === 0) return a.isQuoted && b.isQuoted;
  return a.values.some((left) => b.values.some((right) => right.columnId === left.columnId));
}

/** The noun a value belongs to: the pending column, or the noun right after it when it holds the value ("English language"). */
function columnOf(cursor: Cursor, mention: Mention, next: number): { mention?: Mention; isAfter: boolean } {
  if (cursor.pending !== undefined) return { mention: cursor.pending, isAfter: false };
  const after = cursor.noun(next);
  const holds =
    after?.nouns.some(
      (noun) => noun.kind === 'column' && mention.values.some((hit) => hit.columnId === noun.id),
    ) ?? false;
  return holds && after !== undefined && columnScore(after) > 0.85 && cursor.frame.projections.length > 0
    ? { mention: after, isAfter: true }
    : { isAfter: false };
}

/** "in 2014", "in March 2023": a period, or a bare number after its column. */
export const numberOrTime: Rule = {
  name: 'number-or-time',
  examples: ['How many concerts took place in 2014?', 'What is the name of the dog with id 3?'],
  apply(cursor) {
    const mention = cursor.at(0);
    if (mention === undefined) return 0;
    if (mention.time !== undefined) {
      // All time narrows nothing.
      if (mention.time.from === undefined && mention.time.until === undefined) return 1;
      const operands: Operand[] = [{ kind: 'value', mention }];
      let next = 1;
      while (cursor.cue(next, 'or') !== undefined || cursor.cue(next, 'and') !== undefined) {
        const at = cursor.skip(next + 1, ['stop', 'preposition']);
        const other = cursor.at(at);
        // "after 2007 and before 2009" narrows, "in 2007 and 2009" collects.
        if (other?.time === undefined || isOpen(mention) || isOpen(other)) break;
        operands.push({ kind: 'value', mention: other });
        next = at + 1;
      }
      if (cursor.isBoth && operands.length > 1) {
        for (const operand of operands)
          cursor.addFilter({
            noun: cursor.pending,
            attributes: ['date', 'year', 'time'],
            operator: '=',
            operands: [operand],
            mention: operand.mention,
          });
        cursor.isBoth = false;
        return next;
      }
      cursor.addFilter({
        noun: cursor.pending ?? datedBefore(cursor),
        attributes: ['date', 'year', 'time'],
        operator: '=',
        operands,
        mention,
        owner: cursor.pending === undefined ? happenedBefore(cursor) : undefined,
      });
      return next;
    }
    if (cursor.role(0) !== 'number' || mention.number === undefined) return 0;
    const measure = unitBehind(cursor, 1);
    if (measure !== undefined && (cursor.pending ?? measure.noun ?? measure.attributes) !== undefined) {
      cursor.addFilter({
        noun: cursor.pending ?? measure.noun,
        attributes: measure.attributes ?? [],
        operator: '=',
        operands: [{ kind: 'number', number: mention.number, unit: measure.said, mention }],
        mention,
      });
      return measure.next;
    }
    if (cursor.pending === undefined) return counted(cursor, mention);
    const operands: Operand[] = [{ kind: 'number', number: mention.number, mention }];
    let next = 1;
    while (cursor.cue(next, 'or') !== undefined || cursor.cue(next, 'and') !== undefined) {
      const other = cursor.at(next + 1);
      if (cursor.role(next + 1) !== 'number' || other?.number === undefined) break;
      operands.push({ kind: 'number', number: other.number, mention: other });
      next += 2;
    }
    cursor.addFilter({ noun: cursor.pending, attributes: [], operator: '=', operands, mention });
    return next;
  },
};

/** "required on a Monday in June 1997": one date of the rows is looked at, as to its day and its month. */
function datedBefore(cursor: Cursor): Mention | undefined {
  const before = cursor.at(cursor.cue(-1, 'preposition') === undefined ? -1 : -2);
  const [condition, second] = before?.meaning?.conditions ?? [];
  const { predicate, tables: [tableId] = [] } = condition ?? {};
  const value =
    predicate?.kind === 'compare' ? predicate.left : predicate?.kind === 'in' ? predicate.value : undefined;
  if (before === undefined || second !== undefined || tableId === undefined || value?.kind !== 'date-part')
    return undefined;
  const { argument } = value;
  if (value.part !== 'weekday' || argument.kind !== 'column') return undefined;
  const id = `${tableId}.${argument.column.toLowerCase()}`;
  return { ...before, nouns: [{ kind: 'column', id, tableId, score: 1, why: 'the date whose day is said' }] };
}

/** "customers who rented films in July": the period is that of what was done. */
function happenedBefore(cursor: Cursor): Mention | undefined {
  for (let back = -1; back >= -4; back--) {
    const mention = cursor.at(back);
    const noun = cursor.noun(back);
    if (noun !== undefined && isTableLike(noun) && /(?:ed|en|wn)$/i.test(noun.text)) return noun;
    const isFiller = mention?.cue !== undefined && !/^(?:and|or|compare)$/.test(mention.cue.kind);
    if (noun === undefined && !isFiller) return undefined;
  }
  return undefined;
}

/** "with 4 cylinders", "3 years old", "that has 2 concerts". */
function counted(cursor: Cursor, mention: Mention): number {
  const at = cursor.skip(1, ['stop', 'of']);
  const noun = cursor.noun(at);
  if (noun === undefined || mention.number === undefined || cursor.mode !== 'modify') return 0;
  if (isTableLike(noun))
    cursor.addHaving({ noun, aggregate: 'count', operator: '=', number: mention.number, mention });
  else
    cursor.addFilter({
      noun,
      attributes: [],
      operator: '=',
      operands: [{ kind: 'number', number: mention.number, mention }],
      mention,
    });
  return at + 1;
}

function isOpen(mention: Mention): boolean {
  return mention.time !== undefined && (mention.time.from === undefined || mention.time.until === undefined);
}

/** "whose name contains 'Hey'", "starting with the letter R". */
export const like: Rule = {
  name: 'like',
  examples: [
    "Find the songs whose name contains the word 'Hey'.",
    'List the cities that start with the letter B.',
  ],
  apply(cursor) {
    const cue = cursor.cue(0, 'like');
    // "starts with A": the letter, not the article.
    const isLetter = cursor.at(1)?.text === 'A';
    const at = isLetter ? 1 : cursor.skip(1, ['stop', 'preposition', 'relative', 'wh']);
    const mention = cursor.at(at);
    if (cue === undefined || mention === undefined || mention.isSentenceEnd || mention.isComma) return 0;
    // "contain both rock and metal tracks"
    if (cursor.cue(at, 'both') !== undefined) {
      cursor.mode = 'modify';
      return at;
    }
    // What a hint explains is a condition of its own: "that contain copper".
    if (mention.isDefined) {
      cursor.mode = 'modify';
      return at;
    }
    // "containing both Rock and Jazz", "containing each product": what follows is a thing, and no part of a text.
    if (!mention.isQuoted && QUANTIFIER.test(mention.text)) {
      cursor.mode = 'modify';
      return at;
    }
    // "countries that contain 3 or more cities": a number without quotes counts or compares.
    if (mention.number !== undefined && !mention.isQuoted && cursor.pending === undefined) {
      cursor.mode = 'modify';
      return at;
    }
    // "including their names" lists more columns; only text that is quoted, capital or unknown is a pattern.
    if (cursor.role(at) === 'noun' && !/^[A-Z]/.test(mention.text)) {
      if (cursor.frame.projections.length > 0 && /contain|have|has|with/i.test(cursor.at(0)?.text ?? ''))
        cursor.mode = 'modify';
      return 1;
    }
    const operator = cue.at === 'start' ? 'like-start' : cue.at === 'end' ? 'like-end' : 'like-anywhere';
    const held = heldIn(cursor, at + 1);
    const noun = cursor.pending ?? held ?? cursor.frame.projections.at(-1)?.noun;
    cursor.addFilter({
      noun,
      attributes: [],
      operator,
      operands: [{ kind: 'text', text: withoutQuotes(mention), mention }],
      mention,
    });
    if (held !== undefined && noun === held) return held.index - cursor.position + 1;
    return at + 1;
  },
};

const QUANTIFIER = /^(?:both|each|every|all|any|either|some)\b/i;

/** "whose phone is missing". */
export const isNull: Rule = {
  name: 'null',
  examples: ['Which people have a missing phone number?', 'List students whose address is not null.'],
  apply(cursor) {
    const mention = cursor.at(0);
    if (cursor.cue(0, 'null') === undefined || mention === undefined) return 0;
    const noun = cursor.pending ?? cursor.noun(1);
    if (noun === undefined) return 0;
    const isAfter = cursor.pending === undefined;
    cursor.addFilter({ noun, attributes: [], operator: 'null', operands: [], mention });
    return isAfter ? 2 : 1;
  },
};

const FROM = ['source', 'origin', 'departure', 'depart', 'start', 'from', 'sender', 'pickup'];
const TO = ['destination', 'dest', 'arrival', 'arrive', 'end', 'to', 'receiver', 'dropoff'];

const LEADS: readonly (readonly [lead: RegExp, words: readonly string[]])[] = [
  [/^(?:leav(?:e|es|ing)|depart(?:s|ing|ed)?|originat(?:e|es|ing)|start(?:s|ing|ed)?|from)$/i, FROM],
  [/^(?:arriv(?:e|es|ing|ed)|land(?:s|ing|ed)?|end(?:s|ing|ed)?|head(?:ing|ed)|bound|into|to)$/i, TO],
];

/** Words of the columns that a value is meant for when two hold it: "from Boston" its source, "to Boston" its destination. */
export function wayWords(cursor: Cursor): readonly string[] {
  for (let back = -1; back >= -3; back--) {
    const mention = cursor.at(back);
    const isFiller = mention?.cue !== undefined || mention?.isVerbLike === true;
    const words = LEADS.find(([lead]) => lead.test(mention?.text ?? ''))?.[1];
    if (words !== undefined) return words;
    if (!isFiller) return [];
  }
  return [];
}
