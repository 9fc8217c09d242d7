import type { Settings } from '../api/contract.ts';
import { serverUrl } from '../api/server-url.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { CopyButton } from '../shell/copy-button.tsx';
import { hashOf } from '../shell/use-route.ts';

/** What clients of OpenAI's API are told, and the way to all other routes. */
export function ConnectClients({ settings: { connect, signIn } }: { readonly settings: Settings }) {
  const { desk } = useMessages();
  const base = `${window.location.origin}${serverUrl(connect.openai)}`;
  return (
    <section>
      <h3>{desk.openaiTitle}</h3>
      <dl className="facts">
        <div>
          <dt>{desk.baseUrl}</dt>
          <dd className="table-line">
            <code>{base}</code>
            <CopyButton text={base} label={desk.copyWhat(desk.baseUrl)} />
          </dd>
        </div>
        <div>
          <dt>{desk.modelName}</dt>
          <dd>
            <code>{connect.model}</code>
          </dd>
        </div>
        <div>
          <dt>{desk.apiKey}</dt>
          <dd>{signIn ? desk.yourKey : desk.anyKey}</dd>
        </div>
      </dl>
      <p>
        <a href={hashOf(['api'])}>{desk.allRoutes}</a>
      </p>
    </section>
  );
}
