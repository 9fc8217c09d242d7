import { splitName, stemOf, synonymsOf } from '../../../../language/index.ts';
import type { Token } from '../../question/read/tokenise.ts';
import type { Edge, SchemaGraph } from '../graph/schema-graph.ts';

/**
 * The graph in which the key whose words the question says wins over its rivals: "problems reported by the staff"
 * joins by `reported_by_staff_id`, not by `closure_authorised_by_staff_id`. The same graph when no words tell.
 */
export function preferMentionedJoin(graph: SchemaGraph, tokens: readonly Token[]): SchemaGraph {
  const rivals = rivalsOf(graph);
  if (rivals.length === 0) return graph;
  const stems = tokens.filter(({ kind }) => kind === 'word').map(({ lower }) => stemOf(lower));
  const said = new Set([...stems, ...stems.flatMap((stem) => synonymsOf([stem]).flat())]);
  const dropped = new Set(rivals.flatMap((keys) => unsaid(keys, said, graph)));
  return dropped.size === 0
    ? graph
    : { ...graph, edges: (id) => graph.edges(id).filter(({ key }) => !dropped.has(key)) };
}

type Key = Edge['key'];

/** The keys that lose: all but the one whose own words are said most. */
function unsaid(keys: readonly Key[], said: ReadonlySet<string>, graph: SchemaGraph): readonly Key[] {
  // "a person with one friend" speaks of the table of friends, not of its column `friend`.
  const named = new Set(
    keys.flatMap((key) => [key.fromTable, key.toTable].flatMap((id) => stemsOf(graph.table(id).name))),
  );
  const words = keys.map(
    (key) =>
      new Set(
        key.fromColumns.flatMap((id) => stemsOf(graph.column(id).name)).filter((stem) => !named.has(stem)),
      ),
  );
  const hits = words.map((own, at) => {
    const others = words.filter((_, other) => other !== at);
    return [...own].filter((word) => said.has(word) && others.some((other) => !other.has(word))).length;
  });
  const most = Math.max(...hits);
  const isPlain = most > 0 && hits.filter((count) => count === most).length === 1;
  return isPlain ? keys.filter((_, at) => hits[at] !== most) : [];
}

function stemsOf(name: string): string[] {
  return splitName(name).map(stemOf);
}

const known = new WeakMap<SchemaGraph, readonly (readonly Key[])[]>();

/** Keys of one table to the same other. */
function rivalsOf(graph: SchemaGraph): readonly (readonly Key[])[] {
  const found = known.get(graph);
  if (found !== undefined) return found;
  const byPair = new Map<string, Key[]>();
  for (const key of graph.catalog.foreignKeys) {
    const pair = `${key.fromTable} ${key.toTable}`;
    byPair.set(pair, [...(byPair.get(pair) ?? []), key]);
  }
  const rivals = [...byPair.values()].filter((keys) => keys.length > 1);
  known.set(graph, rivals);
  return rivals;
}
