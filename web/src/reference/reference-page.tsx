import { useEffect, useMemo, useRef, useState } from 'react';
import { serverUrl } from '../api/server-url.ts';
import { useReply } from '../api/use-reply.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from '../shell/failure-note.tsx';
import type { PageProps } from '../shell/pages.ts';
import '../explore.css';
import '../desk.css';
import { type ListedRoute, listRoutes } from './list-routes.ts';
import type { OpenApi } from './open-api.ts';
import { RouteView } from './route-view.tsx';

const DOCUMENT = '/openapi.json';

/** `#/api`: the routes of this server by their document; `#/api/get %2Fv1%2Ftests`: one of them opened. */
export default function ReferencePage({ route: [opened] }: PageProps) {
  const messages = useMessages();
  const { desk } = messages;
  const [words, setWords] = useState('');
  const { reply: document, failure } = useReply<OpenApi>(DOCUMENT);
  const groups = useMemo(
    () => (document === undefined ? [] : listRoutes(document, words)),
    [document, words],
  );
  if (document === undefined)
    return (
      <div className="page">
        {failure === undefined ? (
          <p className="quiet">{messages.loading}</p>
        ) : (
          <FailureNote failure={failure} />
        )}
      </div>
    );
  const count = groups.reduce((sum, { routes }) => sum + routes.length, 0);
  return (
    <div className="page explore">
      <p className="quiet">
        {desk.apiLine(document.info.version)} <a href={serverUrl(DOCUMENT)}>{desk.openapiFile}</a>
      </p>
      <search className="explore-bar">
        <label>
          {desk.findRoute}
          <input
            type="search"
            value={words}
            maxLength={200}
            placeholder={desk.findRouteHint}
            onChange={({ currentTarget }) => setWords(currentTarget.value)}
          />
        </label>
      </search>
      <p className="quiet" role="status">
        {count === 0 ? desk.noRoutes : desk.routes(count)}
      </p>
      {groups.map(({ tag, routes }) => (
        <section key={tag} aria-label={tag}>
          <h2>{tag}</h2>
          {routes.map((route) => (
            <RouteFold key={route.id} route={route} document={document} isChosen={route.id === opened} />
          ))}
        </section>
      ))}
    </div>
  );
}

interface RouteFoldProps {
  readonly route: ListedRoute;
  readonly document: OpenApi;
  /** Its address was opened. */
  readonly isChosen: boolean;
}

/** A route in one line; the rest of it is drawn once it is opened. */
function RouteFold({ route, document, isChosen }: RouteFoldProps) {
  const [isOpen, setOpen] = useState(isChosen);
  const fold = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!isChosen) return;
    setOpen(true);
    fold.current?.scrollIntoView();
  }, [isChosen]);
  const { method, path, operation } = route;
  return (
    <details
      className="route"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      ref={fold}
    >
      <summary>
        <span className="method">{method.toUpperCase()}</span> <code>{path}</code>{' '}
        <span className="quiet">{operation.summary}</span>
      </summary>
      {isOpen && <RouteView route={route} document={document} />}
    </details>
  );
}
