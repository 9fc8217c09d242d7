/** Whether a node says what a template says, and which of its parts stand for the template's. */
import type { SqlNode } from '../../tree/node.ts';
import { isCall } from '../phrases/phrase.ts';

/** What stands for a part of a template: nodes for expressions, the text for formats and paths. */
export interface Bindings {
  readonly nodes: ReadonlyMap<string, readonly SqlNode[]>;
  readonly texts: ReadonlyMap<string, string>;
  /** DISTINCT or ORDER BY inside the call of an aggregate. */
  readonly extras: readonly SqlNode[];
}

interface Draft {
  readonly isAggregate: boolean;
  readonly nodes: Map<string, readonly SqlNode[]>;
  readonly texts: Map<string, string>;
  extras: readonly SqlNode[];
}

export function matchPhrase(template: SqlNode, node: SqlNode, isAggregate: boolean): Bindings | undefined {
  const draft: Draft = { isAggregate, nodes: new Map(), texts: new Map(), extras: [] };
  if (isAggregate && isCall(node)) draft.extras = node.children.filter(isExtra);
  return matches(template, node, draft) ? draft : undefined;
}

/** The name of the part a template's node stands for. */
export function partName(template: SqlNode): string | undefined {
  if (template.type === 'Column' && template.children.length === 1) {
    const name = template.children[0]?.value ?? '';
    return name.startsWith('_') ? name : undefined;
  }
  const isText = template.type === 'Literal' && template.flags.string !== undefined;
  return isText && template.value?.startsWith('_') ? template.value : undefined;
}

function matches(template: SqlNode, node: SqlNode, draft: Draft): boolean {
  const part = partName(template);
  if (part !== undefined) return bind(template, node, draft);
  if (isCall(template)) return matchesCall(template, node, draft);
  if (template.type !== node.type || isCall(node) || !sameWords(template, node)) return false;
  const { children } = node;
  return (
    template.children.length === children.length &&
    template.children.every((child, index) => {
      const other = children[index];
      return other !== undefined && child.role === other.role && matches(child, other, draft);
    })
  );
}

function matchesCall(template: SqlNode, node: SqlNode, draft: Draft): boolean {
  const isSame =
    isCall(node) &&
    node.value?.toUpperCase() === template.value?.toUpperCase() &&
    node.flags.kind === template.flags.kind;
  if (!isSame) return false;
  if (!draft.isAggregate && node.children.some(isExtra)) return false;
  const wanted = template.children;
  const given = node.children.filter((child) => !isExtra(child));
  const takesRest = partName(wanted.at(-1) ?? template) === '_rest';
  const plain = takesRest ? wanted.slice(0, -1) : wanted;
  if (given.length < plain.length || (!takesRest && given.length > plain.length)) return false;
  if (takesRest) draft.nodes.set('_rest', given.slice(plain.length));
  return plain.every((child, index) => {
    const other = given[index];
    return other !== undefined && other.role === child.role && matches(child, other, draft);
  });
}

function isExtra({ role }: SqlNode): boolean {
  return role === 'order' || role === 'limit' || role === 'having';
}

function bind(template: SqlNode, node: SqlNode, draft: Draft): boolean {
  const part = partName(template) ?? '';
  if (template.type === 'Literal') {
    if (node.type !== 'Literal' || node.flags.string === undefined) return false;
    draft.texts.set(part, node.value ?? '');
    return true;
  }
  if (node.type === 'Star' || (node.type === 'Distinct' && !draft.isAggregate)) return false;
  const [bound] = draft.nodes.get(part) ?? [];
  if (bound !== undefined) return sameTree(bound, node);
  draft.nodes.set(part, [node]);
  return true;
}

/** Words and units without regard to case, literals as they are. */
function sameWords(template: SqlNode, node: SqlNode): boolean {
  if (template.flags.kind !== node.flags.kind) return false;
  if (template.type === 'Operator' && template.flags.operator !== node.flags.operator) return false;
  if (template.type === 'Cast' || template.type === 'TryCast') return true;
  if (template.value === node.value) return true;
  const isText = template.type === 'Literal' && !/^[a-z]+$/.test(template.value ?? '');
  return !isText && template.value?.toLowerCase() === node.value?.toLowerCase();
}

/** Both say the same, whatever their quotes. */
export function sameTree(left: SqlNode, right: SqlNode): boolean {
  if (left.type !== right.type || left.children.length !== right.children.length) return false;
  const isName = left.type === 'Identifier';
  const isEqual = isName
    ? left.value?.toLowerCase() === right.value?.toLowerCase()
    : left.value === right.value && left.flags.string === right.flags.string;
  return isEqual && left.children.every((child, index) => sameTree(child, right.children[index] as SqlNode));
}
