import type { Graph, GraphNode } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { hashOf } from '../shell/use-route.ts';
import { LETTERS } from './letters.ts';

/** The graph in words, kind by kind: all that the picture shows. */
export function GraphList({ graph }: { readonly graph: Graph }) {
  const { explore } = useMessages();
  const [, ...around] = graph.nodes;
  const kinds = [...new Set(around.map(({ kind }) => kind))];
  return (
    <div className="graph-list">
      {kinds.map((kind) => (
        <section key={kind}>
          <h3>
            <span className={`badge node-${kind}`} aria-hidden="true">
              {LETTERS[kind]}
            </span>{' '}
            {explore.nodeKinds[kind]}
          </h3>
          <ul className="lines">
            {around
              .filter((node) => node.kind === kind)
              .map((node) => (
                <NodeLine key={node.id} node={node} graph={graph} />
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function NodeLine({ node, graph }: { readonly node: GraphNode; readonly graph: Graph }) {
  const { explore } = useMessages();
  const labels = new Map(graph.nodes.map(({ id, label }) => [id, label]));
  const steps = new Map(graph.nodes.map((each) => [each.id, each.steps]));
  // What leads here from nearer the middle says why it is shown.
  const leading = graph.edges
    .map((edge) => ({
      ...edge,
      other: edge.from === node.id ? edge.to : edge.to === node.id ? edge.from : '',
    }))
    .filter(({ other }) => (steps.get(other) ?? Number.POSITIVE_INFINITY) < node.steps);
  return (
    <li>
      <a href={hashOf(['graph', node.id])}>{node.label}</a>{' '}
      {node.kind === 'table' && (
        <a className="quiet" href={hashOf(['catalog', node.id.slice('table:'.length)])}>
          {explore.openTable}
          <span className="hidden">: {node.label}</span>
        </a>
      )}
      {leading.map(({ kind, label, other }) => (
        <div key={`${kind} ${other} ${label}`} className="quiet">
          {explore.edgeKinds[kind]}: {labels.get(other)} {label !== undefined && <code>{label}</code>}
        </div>
      ))}
    </li>
  );
}
