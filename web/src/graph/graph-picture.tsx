import { useMemo } from 'react';
import type { Graph, GraphNode } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { hashOf } from '../shell/use-route.ts';
import { layOut, type Place, SIZE } from './lay-out.ts';
import { LETTERS } from './letters.ts';

const MOST_LETTERS = 20;
/** The graph as a picture whose things are links: each leads to what is around it. */
export function GraphPicture({ graph }: { readonly graph: Graph }) {
  const { explore } = useMessages();
  const places = useMemo(() => layOut(graph), [graph]);
  const [middle] = graph.nodes;
  const { width, height } = SIZE;
  const title = explore.picture(middle?.label ?? '', graph.nodes.length - 1);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section className="wide graph" tabIndex={0} aria-label={title}>
      <svg viewBox={`0 0 ${width} ${height}`} data-steps={Math.max(...graph.nodes.map(({ steps }) => steps))}>
        <title>{title}</title>
        <g>
          {graph.edges.map(({ from, to, kind, label }) => {
            const [one, other] = [places.get(from), places.get(to)];
            return one === undefined || other === undefined ? null : (
              <line
                key={`${from} ${to} ${kind} ${label}`}
                className={`edge edge-${kind}`}
                {...{ x1: one.x, y1: one.y, x2: other.x, y2: other.y }}
              />
            );
          })}
        </g>
        {graph.nodes.map((node) => {
          const place = places.get(node.id);
          return place === undefined ? null : <NodeLink key={node.id} node={node} place={place} />;
        })}
      </svg>
    </section>
  );
}

const nameAt = {
  left: (x: number, y: number) => ({ x: x - 15, y: y + 5 }),
  right: (x: number, y: number) => ({ x: x + 15, y: y + 5 }),
  below: (x: number, y: number) => ({ x, y: y + 42 }),
} satisfies Record<Place['side'], (x: number, y: number) => { x: number; y: number }>;

function NodeLink({ node, place: { x, y, side } }: { readonly node: GraphNode; readonly place: Place }) {
  const { explore } = useMessages();
  const { id, kind, label, steps } = node;
  const short = label.length <= MOST_LETTERS ? label : `${label.slice(0, MOST_LETTERS - 1)}…`;
  return (
    <a
      href={hashOf(['graph', id])}
      className={`node node-${kind}`}
      aria-current={steps === 0 ? 'true' : undefined}
    >
      <title>{`${explore.nodeKinds[kind]}: ${label}`}</title>
      <circle cx={x} cy={y} r={side === 'below' ? 22 : 10} />
      <text x={x} y={y + 4} className="node-letter">
        {LETTERS[kind]}
      </text>
      <text {...nameAt[side](x, y)} className={`node-label node-label-${side}`}>
        {short}
      </text>
    </a>
  );
}
