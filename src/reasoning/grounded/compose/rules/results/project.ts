import type { Mention } from '../../../question/mention/mention.ts';
import type { Cursor, Rule } from '../../frame/cursor.ts';
import { describedByFlag, flagCondition, isLoneFlag, isPlainEnd } from '../../frame/flag-condition.ts';
import { columnScore, isTableLike, tableScore } from '../../frame/nouns.ts';
import { doesTo, isDoneThen, ownerBefore } from '../../frame/what-is-done.ts';

/** "which three countries", "the 5 genres": how many, once something ranks them. */
export const headCount: Rule = {
  name: 'head-count',
  examples: [
    'Which three stadiums have the most concerts?',
    'Show the 3 stadiums with the highest capacity.',
  ],
  apply(cursor) {
    const isCount = cursor.role(0) === 'number' && cursor.at(0)?.number !== undefined;
    const noun = cursor.noun(1);
    if (!isCount || noun === undefined) return 0;
    if (measuresOf(cursor, noun)) return 2;
    // "the names of the three artists": how many of them, not one more thing to show.
    const lead = cursor.cue(-1, 'stop') === undefined ? cursor.at(-1) : cursor.at(-2);
    const isOf = /^(?:of|of the|of all|for|among)$/i.test(lead?.text ?? '') && isTableLike(noun);
    const isWhose = isOf && cursor.frame.projections.length > 0 && /s$/i.test(noun.text);
    if (!isWhose && (cursor.mode !== 'project' || cursor.pending !== undefined)) return 0;
    cursor.frame.countBefore = cursor.at(0);
    if (!isWhose) return 1;
    cursor.addContext(noun);
    return 2;
  },
};

/** "the 4 cylinder cars": a column in the singular between a number and its table is what the number is of. */
function measuresOf(cursor: Cursor, noun: Mention): boolean {
  const mention = cursor.at(0);
  const [word, ...rest] = noun.text.split(/\s+/);
  const [best] = noun.nouns;
  const number = mention?.number;
  if (mention === undefined || number === undefined || number < 2 || best?.kind !== 'column') return false;
  if (rest.length === 0 || /s$/i.test(word ?? '') || best.score < 0.95 || best.isText === true) return false;
  cursor.addFilter({
    noun,
    attributes: [],
    operator: '=',
    operands: [{ kind: 'number', number, mention }],
    mention,
  });
  return true;
}

/** A noun of the head that belongs to a condition already: "… of the singer with id 3", "… the album Thriller". */
export const headCondition: Rule = {
  name: 'head-condition',
  examples: ['What is the name of singer 3?', 'What is the capacity of stadium 2?'],
  apply(cursor) {
    const noun = cursor.noun(0);
    if (noun === undefined || cursor.mode !== 'project' || cursor.frame.projections.length === 0) return 0;
    if (flagCondition(cursor, noun)) return 1;
    if (rowByKey(cursor, noun)) return 2;
    // "invoices billed to the USA": a verb, not the column `billing_address`.
    const isVerb = isParticiple(cursor, noun);
    const isCompared = columnScore(noun) > 0.8 && isLiteral(cursor, 1) && !isOfOther(cursor, noun);
    // "which artist recorded the album Master of Puppets": the value says which album.
    const isNamed = isTableLike(noun) && cursor.role(1) === 'value';
    // "what city is the bank in": the bank is asked about.
    const isAbout =
      cursor.cue(cursor.cue(-1, 'stop') === undefined ? -1 : -2, 'be') !== undefined &&
      tableScore(noun) >= 0.9 &&
      columnScore(noun) < 0.9;
    if (!isVerb && !isCompared && !isNamed && !isAbout && !isBehindCount(cursor) && !isObject(cursor, noun))
      return 0;
    if (isObject(cursor, noun)) {
      cursor.frame.contexts.push(noun);
      cursor.mode = 'modify';
      return 1;
    }
    const tied = cursor.role(cursor.skip(1, ['by', 'preposition', 'stop']));
    const isTiedToValue = isVerb && (tied === 'value' || tied === 'time' || isDated(cursor));
    if (isCompared || (isTiedToValue && columnScore(noun) > 0)) cursor.pending = noun;
    else if (isNamed || isAbout || (isTableLike(noun) && !isVerb)) cursor.frame.contexts.push(noun);
    cursor.mode = 'modify';
    return 1;
  },
};

/** "which airlines offer flights": a verb that we do not know stands between two tables. */
function isObject(cursor: Cursor, noun: Mention): boolean {
  const [only, second] = cursor.frame.projections;
  const said = cursor.at(-1);
  // "handled", "took": the most general verbs are filler elsewhere.
  const isGeneral = cursor.cue(-1, 'stop') !== undefined && isVerbForm(said?.text ?? '');
  const isVerb = isGeneral || (cursor.role(-1) === 'unknown' && said?.isVerbLike === true);
  const subject = cursor.noun(-2);
  return (
    isVerb &&
    isTableLike(noun) &&
    second === undefined &&
    only?.noun === subject &&
    subject !== undefined &&
    isTableLike(subject)
  );
}

function isVerbForm(text: string): boolean {
  return /^(?:\w+ed|handles?|took|takes?|made|makes?|got|gets?|used|uses?|held|kept|added|went|go|came|come)$/i.test(
    text,
  );
}

/** "hired before Nancy": the verb says which of the dates is compared. */
function isDated(cursor: Cursor): boolean {
  return cursor.cue(1, 'compare')?.attributes.includes('date') === true;
}

/** "invoices billed to the USA", "songs written by Kuhr": a verb that ties on what follows it. */
function isParticiple(cursor: Cursor, noun: Mention): boolean {
  if (/(?:ed|ing)$/i.test(noun.text) && Math.max(columnScore(noun), tableScore(noun)) < 0.8) return true;
  const isTied =
    cursor.cue(1, 'by') !== undefined || cursor.cue(1, 'preposition') !== undefined || isDoneThen(cursor, 0);
  const follows = cursor.noun(-1) !== undefined || cursor.cue(-1, 'be') !== undefined;
  if (doesTo(cursor, 0)) return true;
  return isTied && follows && /^\w+(?:ed|en|wn)$/i.test(noun.text);
}

/** "who was hired before 1993": those of whom there is such a day are shown, and the day is compared. */
function showsWhoWas(cursor: Cursor, noun: Mention): boolean {
  const isAsked = /^who$/i.test(cursor.at(-2)?.text ?? '') && cursor.cue(-1, 'be') !== undefined;
  const column = noun.nouns.find(({ kind }) => kind === 'column');
  if (!isAsked || column === undefined || cursor.frame.projections.length > 0 || !isDoneThen(cursor, 0))
    return false;
  const { tableId, score, why } = column;
  const owner: Mention = { ...noun, nouns: [{ kind: 'table', id: tableId, tableId, score, why }] };
  cursor.frame.projections.push({ isDistinct: cursor.isDistinct, noun: owner });
  cursor.mode = 'modify';
  cursor.pending = { ...noun, nouns: noun.nouns.filter((one) => one.tableId === tableId) };
  return true;
}

/** "how many departments offer degrees": what is counted is named, so the rest narrows it. */
function isBehindCount(cursor: Cursor): boolean {
  const last = cursor.frame.projections.at(-1);
  const leads = [cursor.at(-1), cursor.at(-2)];
  const isListed = leads.some((lead) => lead?.isComma === true || lead?.cue?.kind === 'and');
  // What an earlier turn counted is behind us: "show their emails" asks for something else.
  const isOfBefore = (last?.noun?.index ?? 0) < (cursor.goesOnAt ?? 0);
  return (
    last?.aggregate === 'count' &&
    last.noun !== undefined &&
    !isListed &&
    !isOfBefore &&
    !(cursor.noun(0)?.isPossessed === true && cursor.cue(-2, 'wh') !== undefined)
  );
}

/** "the total of invoice 404", "the staff of store 1": a number behind a table is a key. */
function rowByKey(cursor: Cursor, noun: Mention): boolean {
  const number = cursor.at(1);
  if (
    !isTableLike(noun) ||
    cursor.role(1) !== 'number' ||
    number?.number === undefined ||
    cursor.noun(2) !== undefined ||
    // "have written 3 or more papers"
    cursor.cue(2, 'compare') !== undefined
  )
    return false;
  cursor.frame.contexts.push(noun);
  cursor.addFilter({
    noun,
    attributes: ['key'],
    operator: '=',
    operands: [{ kind: 'number', number: number.number, mention: number }],
    mention: number,
  });
  return true;
}

/** Nouns of the head are what is shown: "the name and age of singers". */
export const project: Rule = {
  name: 'project',
  examples: ['Show the name and age of all singers.', 'What are the titles of the books?'],
  apply(cursor) {
    const noun = cursor.noun(0);
    if (noun === undefined || cursor.mode !== 'project') return 0;
    const isDescribed = cursor.cue(cursor.skip(1, ['stop']), 'be') !== undefined && isCondition(cursor);
    if (isDescribed && cursor.frame.projections.length > 0) return 0;
    if (showsWhoWas(cursor, noun)) return 1;
    // "who worked on it": what follows says what they did.
    if (/^who/i.test(noun.text)) cursor.mode = 'modify';
    if (isLoneFlag(cursor, noun)) return 1;
    // "the open businesses"
    if (describedByFlag(cursor, 0)) {
      cursor.mode = 'project';
      return 1;
    }
    const named = cursor.noun(cursor.skip(2));
    // "names of directors" where the director is a column: its values are the names.
    if (
      /^names?$/i.test(noun.text) &&
      cursor.cue(1, 'of') !== undefined &&
      named !== undefined &&
      tableScore(named) < 0.6 &&
      columnScore(named) >= 0.85
    )
      return cursor.skip(2);
    const second = cursor.noun(1);
    // "which tracks cost more than the average"
    const isDone = second !== undefined && (isVerbOf(noun, second) || isDoneTo(cursor, noun, second));
    if (second !== undefined && cursor.cue(2, 'compare') !== undefined && isDone) {
      cursor.frame.projections.push({ isDistinct: cursor.isDistinct, noun });
      cursor.mode = 'modify';
      cursor.pending = second;
      return 2;
    }
    // "singer names": the table only says whose names.
    if (
      second !== undefined &&
      (isTableLike(noun) || modifies(noun, second)) &&
      columnScore(second) > tableScore(second) &&
      cursor.frame.projections.length === 0 &&
      !isDoneThen(cursor, 1) &&
      !doesTo(cursor, 1)
    ) {
      cursor.frame.contexts.push(noun);
      return 1;
    }
    // "what was the revenue": words that mean a sum wherever they stand.
    const isSum =
      /^(?:revenues?|sales|turnover|earnings|spending)$/i.test(noun.text) &&
      noun.nouns[0]?.kind === 'column' &&
      (noun.nouns[0]?.score ?? 0) < 0.9;
    cursor.frame.projections.push({
      aggregate: isSum ? 'sum' : undefined,
      isDistinct: cursor.isDistinct,
      noun,
    });
    cursor.isDistinct = false;
    return 1;
  },
};

/** "tracks cost", "parcels weigh": what many of them do stands in the singular behind them. */
function isVerbOf(noun: Mention, second: Mention): boolean {
  const isPlural = /s$/i.test(noun.text) && isTableLike(noun);
  return isPlural && /^(?:cost|weigh|measure|earn|charge|score|rate)$/i.test(second.text);
}

/** "cities hosted more than one competition": how many they hosted is compared, and the cities are shown. */
function isDoneTo(cursor: Cursor, noun: Mention, second: Mention): boolean {
  const counted = cursor.noun(cursor.skip(3, ['stop', 'of']) + (cursor.role(3) === 'number' ? 1 : 0));
  const isPlural = /s$/i.test(noun.text) && isTableLike(noun);
  return isPlural && /^\w+ed$/i.test(second.text) && counted !== undefined && tableScore(counted) >= 0.6;
}

/** "template type description": the first name only tells which of the descriptions. */
function modifies(noun: Mention, second: Mention): boolean {
  if (/ of /i.test(noun.text) || /(?:ed|ing)$/i.test(second.text)) return false;
  return noun.nouns[0]?.tableId === second.nouns[0]?.tableId;
}

/** A number, a value or a comparison follows, past "of" and "is". */
function isLiteral(cursor: Cursor, offset: number): boolean {
  const at = cursor.skip(offset, ['of', 'be', 'stop']);
  const role = cursor.role(at);
  if (at === offset) return role === 'value' || role === 'number' || role === 'time';
  return (
    role === 'number' ||
    cursor.cue(at, 'compare') !== undefined ||
    (role === 'value' && cursor.at(at)?.isQuoted === true)
  );
}

/** "market share of the browser Safari", "names of the three artists": the value or number belongs to what owns the column. */
function isOfOther(cursor: Cursor, noun: Mention): boolean {
  const value = cursor.at(1);
  if (cursor.role(1) === 'value' && / of /i.test(noun.text))
    return !value?.values.some((hit) => noun.nouns.some((match) => match.id === hit.columnId));
  const at = cursor.skip(1, ['of', 'be', 'stop', 'preposition']);
  const counted = cursor.noun(at + 1);
  const isOf = cursor.cue(1, 'of') !== undefined || cursor.cue(1, 'preposition') !== undefined;
  const isCounted = counted !== undefined && isTableLike(counted) && /s$/i.test(counted.text);
  // "the ratings of the three longest films"
  const isRanked = cursor.cue(at + 1, 'superlative') !== undefined;
  return isOf && cursor.role(at) === 'number' && (isCounted || isRanked);
}

/** "in the state of New York": what follows is stored in the column. */
function isOfValue(cursor: Cursor, noun: Mention): boolean {
  const values = cursor.cue(1, 'of') === undefined ? undefined : cursor.at(cursor.skip(2))?.values;
  return values?.some((hit) => noun.nouns.some(({ id }) => id === hit.columnId)) === true;
}

/** After "is" comes a number, a value or a comparison: the noun before it is a condition. */
function isCondition(cursor: Cursor): boolean {
  const be = cursor.skip(1, ['stop']);
  const at = cursor.skip(be, ['be', 'stop', 'preposition']);
  const role = cursor.role(at);
  return (
    role === 'number' ||
    role === 'value' ||
    cursor.cue(at, 'compare') !== undefined ||
    cursor.cue(at, 'between') !== undefined ||
    cursor.cue(at, 'not') !== undefined
  );
}

/** "of the singers", "for each of the students": whose columns are meant. */
export const context: Rule = {
  name: 'context',
  examples: ['What are the ages of all singers?', 'List the name for all students.'],
  apply(cursor) {
    const isOf = cursor.cue(0, 'of') !== undefined;
    const isBy = cursor.cue(0, 'by') !== undefined && cursor.frame.projections.length > 0;
    if (!isOf && !isBy && cursor.cue(0, 'preposition') === undefined) return 0;
    const at = cursor.skip(1, ['stop', 'of', 'distinct']);
    const noun = cursor.noun(at);
    if (isBy && (noun === undefined || !isTableLike(noun))) return 0;
    if (noun === undefined) {
      if (isOf && cursor.pending !== undefined) return 1;
      if (!isOf && cursor.frame.projections.length > 0) cursor.mode = 'modify';
      return 1;
    }
    // A number behind it makes the table's row: left to the rules for nouns.
    if (isTableLike(noun) && cursor.role(at + 1) === 'number' && cursor.noun(at + 2) === undefined) return at;
    if (isTableLike(noun)) {
      cursor.addContext(noun);
      if ((isBy || cursor.at(0)?.text.toLowerCase() === 'with') && cursor.frame.projections.length > 0)
        cursor.mode = 'modify';
      return at + 1;
    }
    // "the names of all students" where nothing but a key speaks of students: whose, not what.
    const last = cursor.frame.projections.at(-1);
    const isWeak = columnScore(noun) < 0.7 || tableScore(noun) >= 0.6;
    // "the conference of the school": the school says which row.
    const isOwner = last?.aggregate === undefined && last?.noun?.index === cursor.position - 1;
    if (isOf && last !== undefined && (isWeak || isOwner)) return at + 1;
    if (!isOf && cursor.frame.projections.length > 0) cursor.mode = 'modify';
    return 1;
  },
};

/** "customers with their phone and email": more columns of what is listed. */
function shownWith(cursor: Cursor, noun: Mention): boolean {
  const { projections } = cursor.frame;
  const isList = projections.length > 0 && projections.every(({ aggregate }) => aggregate === undefined);
  if (!isList || columnScore(noun) < 0.7 || !endsShown(cursor)) return false;
  const hasArticle = cursor.cue(-1, 'stop') !== undefined;
  const at = hasArticle ? -2 : -1;
  const isWith = /^(?:with|along with|together with)$/i.test(cursor.at(at)?.text ?? '');
  if (isWith)
    return noun.isPossessed || (hasArticle && /^the$/i.test(cursor.at(-1)?.text ?? '') && !isTableLike(noun));
  // What stands beside a column that was shown so is shown too.
  let before = at;
  while (cursor.at(before)?.isComma === true || cursor.cue(before, 'and') !== undefined) before--;
  const last = projections.at(-1)?.noun;
  const isBeside =
    before < at && last !== undefined && last === cursor.at(before) && last !== projections[0]?.noun;
  return isBeside && !isTableLike(noun);
}

/** Nothing is said of the column but that another follows. */
function endsShown(cursor: Cursor): boolean {
  return isPlainEnd(cursor) || cursor.cue(1, 'and') !== undefined;
}

/** In a condition a table is context and a column waits for its comparison. */
export const conditionNoun: Rule = {
  name: 'condition-noun',
  examples: ['Which students have a grade above 3?', 'Show the stadiums that had concerts.'],
  apply(cursor) {
    const noun = cursor.noun(0);
    if (noun === undefined || cursor.mode !== 'modify') return 0;
    // "suppliers that have discontinued products"
    if (describedByFlag(cursor, 0)) return 1;
    const lead = cursor.cue(-1, 'stop') === undefined ? cursor.at(-1) : cursor.at(-2);
    const isListed = lead?.isComma === true || lead?.cue?.kind === 'and';
    if (noun.isPossessed && isListed && isPlainEnd(cursor)) {
      cursor.frame.projections.push({ isDistinct: false, noun });
      return 1;
    }
    if (flagCondition(cursor, noun)) return 1;
    if (shownWith(cursor, noun)) {
      cursor.frame.projections.push({ isDistinct: false, noun });
      return 1;
    }
    if (rowByKey(cursor, noun)) return 2;
    if (isTableLike(noun)) cursor.addContext(noun);
    // "a singer older than 40": the singer waits for nothing, whatever keys are called so.
    const isColumn = columnScore(noun) > 0 && (!isTableLike(noun) || columnScore(noun) >= 0.7);
    if (isColumn && (!isPlainEnd(cursor) || isLiteral(cursor, 1) || isOfValue(cursor, noun)))
      cursor.wait(noun, ownerBefore(cursor));
    else if (columnScore(noun) > 0 && !isTableLike(noun)) cursor.addContext(noun);
    return 1;
  },
};
