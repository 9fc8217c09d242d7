/** The knowledge graph around one thing. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { CandorError } from '../../../errors.ts';
import { catalogNames, type ProductArea } from '../../../knowledge/authored/index.ts';
import type { KnowledgeBase } from '../../../knowledge/base/index.ts';
import type { Session } from '../../../session/index.ts';
import { readAreasNow, tablesOfArea } from '../../catalog/list-tables.ts';
import { mayRead, readableExamples } from '../../catalog/notes-about.ts';
import { semanticsOfTable } from '../../catalog/semantics-of-table.ts';
import { responses } from '../../contract/failure-contract.ts';
import type { ServerEnv } from '../../parts/server-parts.ts';

/** What is around one thing that is known: a picture's worth of the knowledge graph. */
const NODE_KINDS = ['table', 'metric', 'dimension', 'note', 'example', 'area', 'cluster'] as const;

export const GRAPH = z
  .strictObject({
    nodes: z.array(
      z.strictObject({
        id: z.string().openapi({ example: 'table:orders' }),
        kind: z.enum(NODE_KINDS),
        label: z.string(),
        steps: z.int().openapi({ description: 'From the one in the middle.' }),
      }),
    ),
    edges: z.array(
      z.strictObject({
        from: z.string(),
        to: z.string(),
        kind: z.enum(['join', 'read-with', 'defines', 'about', 'reads', 'includes']),
        label: z.string().optional(),
      }),
    ),
    leftOut: z.int().openapi({ description: 'Neighbours that the limit has hidden.' }),
  })
  .openapi('Graph');

const AROUND = createRoute({
  method: 'get',
  path: '/v1/graph',
  tags: ['catalog'],
  summary: 'What is around a table, figure, area, note: joins, definitions, verified pairs, clusters',
  request: {
    query: z.object({
      around: z.string().min(1).max(300).openapi({ example: 'table:orders' }),
      depth: z.coerce.number().int().min(1).max(2).default(1),
      limit: z.coerce.number().int().min(1).max(200).default(60),
    }),
  },
  responses: responses(GRAPH, 'Things and the links between them, the nearest first'),
});

export function addGraphRoutes(app: OpenAPIHono<ServerEnv>): void {
  app.openapi(AROUND, async (context) =>
    context.json(await graphAround(context.req.valid('query'), context.get('session')), 200),
  );
}

/** The knowledge graph as one reader may see it, for walking from thing to thing. */
type GraphNode = Omit<GraphPicture['nodes'][number], 'steps'>;
type GraphEdge = GraphPicture['edges'][number];

interface Link {
  readonly node: GraphNode;
  readonly edge: GraphEdge;
}

/** What stands for a thing, and what it leads to: joins first, what is only read together last. */
interface GraphLinks {
  node(id: string): GraphNode | undefined;
  linksOf(id: string): readonly Link[];
}

const MOST_LABEL = 80;

const KEPT = new WeakMap<KnowledgeBase, { readonly areas: string; readonly links: GraphLinks }>();

/** Made once for each reader and state of the areas. Throws `knowledge.invalid`. */
async function graphLinks(session: Session, base: KnowledgeBase): Promise<GraphLinks> {
  const areas = await readAreasNow(session);
  const key = JSON.stringify(areas);
  const known = KEPT.get(base);
  if (known?.areas === key) return known.links;
  const links = makeLinks(areas, session, base);
  KEPT.set(base, { areas: key, links });
  return links;
}

function makeLinks(areas: readonly ProductArea[], session: Session, base: KnowledgeBase): GraphLinks {
  const nodes = new Map<string, GraphNode>();
  const links = new Map<string, Link[]>();
  const add = (kind: GraphNode['kind'], name: string, label = name): string => {
    const id = `${kind}:${name}`;
    if (!nodes.has(id)) nodes.set(id, { id, kind, label: short(label) });
    return id;
  };
  const link = (from: string, to: string, kind: GraphEdge['kind'], label?: string): void => {
    const edge = { from, to, kind, ...(label !== undefined && { label: short(label) }) };
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      const node = nodes.get(other);
      const own = links.get(one) ?? [];
      links.set(one, own);
      if (node !== undefined && one !== other) own.push({ node, edge });
    }
  };
  const { graph, clustering } = base;
  const visible = new Set(graph.tableIds);
  for (const id of graph.tableIds) add('table', id, graph.table(id)?.name ?? id);
  linkTables(base, link);
  for (const id of graph.tableIds) {
    const { metrics, dimensions } = semanticsOfTable(session, id);
    for (const { name } of metrics) link(add('metric', name), `table:${id}`, 'defines');
    for (const { name, column } of dimensions) link(add('dimension', name), `table:${id}`, 'defines', column);
  }
  for (const area of areas)
    for (const { table } of tablesOfArea(area, session, base))
      link(add('area', area.id, area.name), `table:${table}`, 'includes');
  for (const { value: note } of graph.notes)
    if (mayRead(note, session))
      for (const id of note.tables)
        if (visible.has(id)) link(add('note', note.id, note.text), `table:${id}`, 'about');
  for (const { pair, tables } of readableExamples(session))
    for (const id of tables) link(add('example', pair.file, pair.question), `table:${id}`, 'reads');
  for (const id of clustering?.clusterIds() ?? [])
    for (const { tableId, score } of clustering?.tablesOf(id) ?? [])
      if (visible.has(tableId))
        link(add('cluster', String(id), `cluster ${id}`), `table:${tableId}`, 'includes', score.toFixed(2));
  return { node: (id) => nodes.get(id), linksOf: (id) => links.get(id) ?? [] };
}

function linkTables(
  { graph }: KnowledgeBase,
  link: (from: string, to: string, kind: GraphEdge['kind'], label?: string) => void,
): void {
  const joined = new Set<string>();
  const keyOf = (left: string, right: string): string => JSON.stringify([left, right]);
  // Each link stands with both of its tables; it is taken with the left one.
  for (const id of graph.tableIds)
    for (const { leftTable, rightTable, on } of graph.joins(id)) {
      if (leftTable !== id) continue;
      joined.add(keyOf(leftTable, rightTable));
      const label = on.map(([left, right]) => `${left} = ${right}`).join(', ');
      link(`table:${leftTable}`, `table:${rightTable}`, 'join', label);
    }
  for (const id of graph.tableIds)
    for (const { leftTable, rightTable, runs } of graph.coQueried(id))
      if (leftTable === id && !joined.has(keyOf(leftTable, rightTable)))
        link(`table:${leftTable}`, `table:${rightTable}`, 'read-with', `${runs} runs`);
}

function short(text: string): string {
  return text.length <= MOST_LABEL ? text : `${text.slice(0, MOST_LABEL - 1)}…`;
}

interface AroundQuery {
  /** `table:orders`, `metric:revenue`, `area:sales`; a name alone is a table. */
  readonly around: string;
  readonly depth: number;
  /** Nodes at most, the one in the middle among them. */
  readonly limit: number;
}

/** The nearest things, step by step, with every link between them. Throws `server.not-found`. */
async function graphAround(query: AroundQuery, session: Session): Promise<GraphPicture> {
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

type GraphPicture = z.infer<typeof GRAPH>;
