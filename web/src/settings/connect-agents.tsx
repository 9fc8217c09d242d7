import { useState } from 'react';
import {
  MCP_CLIENTS,
  type McpClient,
  mcpClientConfig,
} from '../../../src/cli/commands/server/mcp-client-config.ts';
import type { Settings } from '../api/contract.ts';
import { serverUrl } from '../api/server-url.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { CopyButton } from '../shell/copy-button.tsx';

/** What to paste into a client of the Model Context Protocol, as `candor mcp --print-config` prints it for an address. */
export function ConnectAgents({ settings: { connect, signIn } }: { readonly settings: Settings }) {
  const { desk } = useMessages();
  const [client, setClient] = useState<McpClient>('claude');
  const config = mcpClientConfig(client, 'candor', {
    url: `${window.location.origin}${serverUrl(connect.mcp)}`,
    ...(signIn && { headers: { Authorization: 'Bearer YOUR_KEY' } }),
  });
  const text = JSON.stringify(config, null, 2);
  return (
    <section>
      <h3>{desk.mcpTitle}</h3>
      <div className="desk-bar">
        <label>
          {desk.mcpClient}{' '}
          <select
            value={client}
            onChange={({ currentTarget }) => setClient(currentTarget.value as McpClient)}
          >
            {MCP_CLIENTS.map((each) => (
              <option key={each} value={each}>
                {desk.mcpClients[each]}
              </option>
            ))}
          </select>
        </label>
        <CopyButton text={text} label={desk.copyWhat(desk.configuration)} />
      </div>
      <pre className="code-block">{text}</pre>
      <p className="quiet">
        {desk.mcpPlaces[client]} {signIn && desk.keyPlace}
      </p>
      <p className="quiet">{desk.mcpLocal}</p>
    </section>
  );
}
