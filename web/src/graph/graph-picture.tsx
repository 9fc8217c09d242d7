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
      <svg viewBox={`0 0 ${width} ${height}`}>
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

function NodeLink({ node, place: { x, y } }: { readonly node: GraphNode; readonly place: Place }) {
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
      <circle cx={x} cy={y} r={steps === 0 ? 22 : 15} />
      <text x={x} y={y + 5} className="node-letter">
        {LETTERS[kind]}
      </text>
      <text x={x} y={y + (steps === 0 ? 40 : 32)} className="node-label">
        {short}
      </text>
    </a>
  );
}
