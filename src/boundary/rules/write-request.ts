import type { Boundary } from '../../reasoning/index.ts';
import type { Request } from '../request.ts';

const VERB =
  '(delete|drop|remove|erase|truncate|update|insert|alter|wipe|purge|overwrite|rename|modify|create|set|add|change|destroy|clear)';
const OPENING = new RegExp(
  `^(?:(?:please|kindly|can you|could you|would you|i want (?:you )?to|i need (?:you )?to|go ahead and|now|ok|hey|let's|just)[, ]+)*${VERB}\\b(?! of)`,
  'i',
);
/** Verbs that only ask for a change when an object of the database follows. */
const HARMLESS = /^(?:set|add|change|create|clear|remove|modify|update)$/i;
const OBJECT =
  /\b(?:table|tables|row|rows|record|records|column|columns|database|entry|entries|index|view|schema|data|from|into|all|every|where|with|to|new)\b/i;

/** "delete all orders": Candor reads, it never writes. */
export function writeRequest(request: Request): Boundary | null {
  const match = OPENING.exec(request.text);
  const verb = match?.[1];
  if (match === null || verb === undefined) return null;
  const rest = request.text.slice(match[0].length);
  if (HARMLESS.test(verb) && !OBJECT.test(rest)) return null;
  return {
    kind: 'reject',
    reason: 'unsafe',
    missing: verb.toLowerCase(),
    message: `This asks to change data (“${verb.toLowerCase()}”). Candor only reads; nothing was run.`,
    nearest: [],
  };
}
