import { use, useMemo } from 'react';
import { serverUrl } from '../api/server-url.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { CopyButton } from '../shell/copy-button.tsx';
import { MeContext } from '../shell/me-context.ts';
import { hashOf } from '../shell/use-route.ts';
import { ContentView } from './content-view.tsx';
import { curlOf } from './curl-of.ts';
import type { ListedRoute } from './list-routes.ts';
import type { OpenApi, Parameter } from './open-api.ts';
import { typeWords } from './type-words.ts';

interface RouteViewProps {
  readonly route: ListedRoute;
  readonly document: OpenApi;
}

/** One route whole: what it takes, what it replies, and a call of it. */
export function RouteView({ route, document }: RouteViewProps) {
  const { desk } = useMessages();
  const me = use(MeContext);
  const { id, operation } = route;
  const { description, parameters = [], requestBody, responses } = operation;
  const origin = `${window.location.origin}${serverUrl('')}`;
  const curl = useMemo(
    () => curlOf(route, document, { origin, needsKey: me?.isSignedIn === true }),
    [route, document, origin, me],
  );
  return (
    <div className="route-body">
      {description !== undefined && <p>{description}</p>}
      {parameters.length > 0 && <Parameters parameters={parameters} document={document} />}
      {requestBody !== undefined && (
        <section>
          <h4>{desk.requestBody}</h4>
          <ContentView content={requestBody.content} document={document} />
        </section>
      )}
      <section>
        <h4>{desk.responsesTitle}</h4>
        {Object.entries(responses).map(([status, { description: what, content }]) => (
          <div key={status}>
            <p>
              <strong>{status}</strong> {what}
            </p>
            {content !== undefined && <ContentView content={content} document={document} />}
          </div>
        ))}
      </section>
      <section>
        <h4>{desk.example}</h4>
        <pre className="code-block">{curl}</pre>
        <div className="desk-bar">
          <CopyButton text={curl} label={desk.copyWhat('curl')} />
          <CopyButton
            text={`${origin}/${hashOf(['api', id])}`}
            label={desk.linkOf(`${route.method.toUpperCase()} ${route.path}`)}
          />
        </div>
      </section>
    </div>
  );
}

function Parameters({
  parameters,
  document,
}: {
  readonly parameters: readonly Parameter[];
  readonly document: OpenApi;
}) {
  const { desk } = useMessages();
  return (
    <section>
      <h4>{desk.parameters}</h4>
      <ul className="schema">
        {parameters.map(({ name, in: place, required, schema, description }) => {
          const said = description ?? schema.description;
          return (
            <li key={`${place} ${name}`}>
              <code>{name}</code> <span>{typeWords(schema, document, desk)}</span>
              <span className="quiet">
                {` · ${desk.inPlace[place]}`}
                {required === true && ` · ${desk.required}`}
                {said !== undefined && ` · ${said}`}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
