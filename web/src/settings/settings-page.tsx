import type { Settings } from '../api/contract.ts';
import { useReply } from '../api/use-reply.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from '../shell/failure-note.tsx';
import { PreferenceSelects } from '../shell/preference-selects.tsx';
import '../explore.css';
import '../desk.css';
import { AnsweringFacts } from './answering-facts.tsx';
import { ConnectAgents } from './connect-agents.tsx';
import { ConnectClients } from './connect-clients.tsx';
import { DataFacts } from './data-facts.tsx';
import { ServerFacts } from './server-facts.tsx';
import { YourFacts } from './your-facts.tsx';

/** `#/settings`: who you are here, how the page looks, and what this server is and does. */
export default function SettingsPage() {
  const messages = useMessages();
  const { desk } = messages;
  const { reply: settings, failure } = useReply<Settings>('/v1/settings');
  return (
    <div className="page explore">
      <section>
        <h2>{desk.look}</h2>
        <div className="desk-bar">
          <PreferenceSelects isLabelled />
        </div>
      </section>
      {failure !== undefined && <FailureNote failure={failure} />}
      {settings === undefined && failure === undefined && <p className="quiet">{messages.loading}</p>}
      {settings !== undefined && (
        <>
          <YourFacts settings={settings} />
          <DataFacts settings={settings} />
          <AnsweringFacts settings={settings} />
          <ServerFacts settings={settings} />
          <section>
            <h2>{desk.connect}</h2>
            <ConnectAgents settings={settings} />
            <ConnectClients settings={settings} />
          </section>
        </>
      )}
    </div>
  );
}
