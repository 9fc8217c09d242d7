import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { buildMcpServer } from './build-mcp-server.ts';
import { type McpParts, OWN_MACHINE } from './replies/mcp-parts.ts';

/** Serves the client at the other end of the standard streams until it goes away, or until the signal. */
export async function serveMcpStdio(
  own: Pick<McpParts, 'session' | 'newId' | 'onBug'>,
  signal: AbortSignal,
): Promise<void> {
  const parts = { ...OWN_MACHINE, ...own };
  const transport = new ClosingTransport();
  const handle = serveStdio(() => buildMcpServer(parts), {
    transport,
    onerror: (error) => parts.onBug('stdio', error),
  });
  const close = (): void => void handle.close();
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  try {
    await transport.closed;
  } finally {
    signal.removeEventListener('abort', close);
  }
}

/** Says when the client has closed its end. */
class ClosingTransport extends StdioServerTransport {
  #tell: () => void = () => undefined;
  readonly closed = new Promise<void>((resolve) => {
    this.#tell = resolve;
  });

  override async close(): Promise<void> {
    await super.close();
    this.#tell();
  }
}
