import { CandorError } from '../../errors.ts';
import { catalogNames } from '../../knowledge/index.ts';
import type { Session } from '../../session.ts';
import type { GraphPicture } from '../contract/graph-contract.ts';
import { type GraphEdge, type GraphLinks, graphLinks } from './graph-links.ts';

export interface AroundQuery {
  /** `table:orders`, `metric:revenue`, `area:sales`; a name alone is a table. */
  readonly around: string;
  readonly depth: number;
  /** Nodes at most, the one in the middle among them. */
  readonly limit: number;
}

/** The nearest things, step by step, with every link between them. Throws `server.not-found`. */
export async function graphAround(query: AroundQuery, session: Session): Promise<GraphPicture> {
  const links = await graphLinks(session, await session.base.open());
  const { depth, limit } = query;
  const middle = findNode(query.around, links, session);
  const steps = new Map([[middle, 0]]);
  const passed = new Set<string>();
  let ring = [middle];
  for (let step = 1; step <= depth; step += 1) {
    const next: string[] = [];
    for (const { node } of inTurns(ring.map((id) => links.linksOf(id)))) {
      if (steps.has(node.id)) continue;
      if (steps.size >= limit) passed.add(node.id);
      else {
        steps.set(node.id, step);
        next.push(node.id);
      }
    }
    ring = next;
  }
  const nodes = [...steps].flatMap(([id, at]) => {
    const node = links.node(id);
    return node === undefined ? [] : [{ ...node, steps: at }];
  });
  return { nodes, edges: edgesAmong(steps, links), leftOut: passed.size };
}

/** The first of each list, then the second of each: no list takes all the room. */
function inTurns<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const most = lists.reduce((longest, { length }) => Math.max(longest, length), 0);
  return Array.from({ length: most }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

function edgesAmong(shown: ReadonlyMap<string, number>, links: GraphLinks): GraphEdge[] {
  const edges = new Set<GraphEdge>();
  for (const id of shown.keys())
    for (const { node, edge } of links.linksOf(id)) if (shown.has(node.id)) edges.add(edge);
  return [...edges];
}

function findNode(written: string, links: GraphLinks, { catalog }: Session): string {
  if (links.node(written) !== undefined) return written;
  const table = catalogNames(catalog).tableOf(written.replace(/^table:/, ''));
  if (table !== undefined) return `table:${table}`;
  throw new CandorError(
    'server.not-found',
    `There is nothing named ${written.slice(0, 300)}; a table is named as in the catalog, other things with their kind, as metric:revenue.`,
  );
}
