import type { ReadingRules } from '../functions/reading-rules.ts';
import type { SqlNode } from '../tree/node.ts';
import { type Refusal, refuse } from './verdict.ts';

/** Calls whose words are syntax, checked by the type of their node alone. */
const SYNTAX = new Set([
  'cast',
  'try_cast',
  'safe_cast',
  'convert',
  'extract',
  'position',
  'overlay',
  'match',
]);

/** Judges one called function by the list of its dialect; what is not on the list is refused. */
export function checkCall(node: SqlNode, rules: ReadingRules): Refusal | undefined {
  const name = node.value?.toLowerCase() ?? '';
  if (isInFrom(node)) return checkTableFunction(node, name, rules);
  if (rules.functions.has(name) || (SYNTAX.has(name) && node.type !== 'Anonymous')) return undefined;
  return isHarmlessForm(node, name, rules) ? undefined : refuseFunction(node, name, rules);
}

/** `zeroblob(16)`: too little to do harm, and written in the text so that it stays as little. */
function isHarmlessForm({ children }: SqlNode, name: string, { calledOnlyWith = {} }: ReadingRules): boolean {
  const form = Object.hasOwn(calledOnlyWith, name) ? calledOnlyWith[name] : undefined;
  if (form === undefined || children.length !== form.arguments) return false;
  const [first] = children;
  if (form.most === undefined) return true;
  return first?.type === 'Literal' && /^\d+$/.test(first.value ?? '') && Number(first.value) <= form.most;
}

const FROM_TYPES: ReadonlySet<string> = new Set(['Table', 'Lateral', 'TableFromRows']);

/** The function itself stands in FROM; what is among its arguments does not. */
function isInFrom({ parent, role }: SqlNode): boolean {
  return parent !== undefined && role === 'this' && FROM_TYPES.has(parent.type);
}

function checkTableFunction(node: SqlNode, name: string, rules: ReadingRules): Refusal | undefined {
  if (rules.tableFunctions.has(name)) return undefined;
  return Object.hasOwn(rules.refused, name)
    ? refuseFunction(node, name, rules)
    : refuse(`the function ${name} is not allowed in FROM`, name, node);
}

function refuseFunction(node: SqlNode, name: string, rules: ReadingRules): Refusal {
  const why = Object.hasOwn(rules.refused, name) ? rules.refused[name] : undefined;
  if (why !== undefined) return refuse(`the function ${name} ${why}`, name, node);
  if (name.includes('.')) return refuse(`the function ${name} is called through a schema`, name, node);
  return refuse(`the function ${name} is not on the list of functions that only compute`, name, node);
}
