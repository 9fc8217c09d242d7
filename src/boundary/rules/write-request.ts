import type { Boundary } from '../../reasoning/roles/reading.ts';
import type { Request } from '../question/normalise-question.ts';

const VERB =
  '(delete|drop|remove|erase|truncate|update|insert|alter|wipe|purge|overwrite|rename|modify|create|set|add|change|destroy|clear)';
const OPENING = new RegExp(
  `^(?:(?:hello|hi|hey|please|kindly|can you|could you|would you|i want (?:you )?to|i need (?:you )?to|go ahead and|then|and|also|now|ok|let's|just)[, !]+)*${VERB}\\b(?! of)`,
  'i',
);
/** Verbs that only ask for a change when an object of the database follows. */
const HARMLESS = /^(?:set|add|change|create|clear|remove|modify|update)$/i;
const OBJECT =
  /\b(?:table|tables|row|rows|record|records|column|columns|database|entry|entries|index|view|schema|data|from|into|all|every|where|with|to|new|them|it)\b/i;
/** "change in revenue from 2022 to 2023", "drop in orders": what is asked for, not what is to be done. */
const NOUN = /^\s+(?:in|of|between)\b/i;
const CHANGES = /^(?:change|drop)$/i;
/** "drop rate by month": the verb is part of a figure's name. */
const FIGURE =
  /^\s+(?:rates?|ratio|counts?|numbers?|dates?|times?|reasons?|share|percentage|frequency|per|by)\b/i;

/** "delete all orders": Candor reads, it never writes. Every sentence of the question is looked at. */
export function writeRequest(request: Request): Boundary | null {
  // What is quoted is a value, whatever it says.
  const spoken = request.text.replace(/"[^"]*"|“[^”]*”|(?<![\p{L}\p{N}])'[^']*'/gu, '…');
  for (const sentence of spoken.split(/(?<=[.!?;])\s+/)) {
    const match = OPENING.exec(sentence);
    const verb = match?.[1];
    if (match === null || verb === undefined) continue;
    const rest = sentence.slice(match[0].length);
    if (
      FIGURE.test(rest) ||
      (CHANGES.test(verb) && NOUN.test(rest)) ||
      (HARMLESS.test(verb) && !OBJECT.test(rest))
    )
      continue;
    return {
      kind: 'reject',
      reason: 'unsafe',
      cause: 'read-only',
      missing: verb.toLowerCase(),
      message: `This asks to change data (“${verb.toLowerCase()}”). Candor only reads; nothing was run.`,
      nearest: [],
    };
  }
  return null;
}
