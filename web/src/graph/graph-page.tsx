import { type FormEvent, useState } from 'react';
import type { Graph, TableList } from '../api/contract.ts';
import { useReply } from '../api/use-reply.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from '../shell/failure-note.tsx';
import type { PageProps } from '../shell/pages.ts';
import { goTo, hashOf } from '../shell/use-route.ts';
import '../explore.css';
import { GraphList } from './graph-list.tsx';
import { GraphPicture } from './graph-picture.tsx';

const MOST_NODES = 60;

/** `#/graph/table:orders`: what is around a thing; without one, where to begin. */
export default function GraphPage({ route: [around] }: PageProps) {
  const messages = useMessages();
  const { explore } = messages;
  const [depth, setDepth] = useState('1');
  const query = new URLSearchParams({ around: around ?? '', depth, limit: String(MOST_NODES) });
  const {
    reply: graph,
    failure,
    isLoading,
  } = useReply<Graph>(around === undefined ? undefined : `/v1/graph?${query}`);
  return (
    <div className="page explore">
      <AroundForm key={around} around={around ?? ''} depth={depth} onDepth={setDepth} />
      {around === undefined && <Beginnings />}
      {failure !== undefined && <FailureNote failure={failure} />}
      {around !== undefined && graph === undefined && failure === undefined && (
        <p className="quiet">{messages.loading}</p>
      )}
      {graph !== undefined && failure === undefined && (
        <div aria-busy={isLoading}>
          <h2>{graph.nodes[0]?.label}</h2>
          <p className="quiet">
            {explore.pictureHelp} {graph.leftOut > 0 && explore.leftOut(graph.leftOut)}
          </p>
          <GraphPicture graph={graph} />
          <GraphList graph={graph} />
        </div>
      )}
    </div>
  );
}

interface AroundFormProps {
  readonly around: string;
  readonly depth: string;
  readonly onDepth: (depth: string) => void;
}

function AroundForm({ around, depth, onDepth }: AroundFormProps) {
  const { explore } = useMessages();
  const show = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('around') ?? '').trim();
    if (name !== '') goTo(['graph', name]);
  };
  return (
    <form className="explore-bar" onSubmit={show}>
      <label>
        {explore.around}
        <input
          name="around"
          type="search"
          defaultValue={around}
          maxLength={300}
          placeholder={explore.aroundHint}
        />
      </label>
      <button type="submit" className="primary">
        {explore.show}
      </button>
      <label>
        {explore.steps}
        <select value={depth} onChange={({ currentTarget }) => onDepth(currentTarget.value)}>
          <option value="1">1</option>
          <option value="2">2</option>
        </select>
      </label>
    </form>
  );
}

/** The tables that are read most. */
function Beginnings() {
  const { explore } = useMessages();
  const { reply } = useReply<TableList>('/v1/catalog/tables?limit=20');
  return (
    <section>
      <h2>{explore.beginAt}</h2>
      <ul className="chips">
        {reply?.tables.map(({ id, name }) => (
          <li key={id}>
            <a className="button chip" href={hashOf(['graph', `table:${id}`])}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
