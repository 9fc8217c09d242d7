/** A small OpenID Connect issuer over real HTTP: discovery, keys, the code flow with PKCE; signed by `jose`. */
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export interface Issuer {
  readonly url: string;
  /** What the next ID token says, beside what every one says. */
  claims: Record<string, unknown>;
  /** What the next token says in place of the truth. */
  forged: { readonly nonce?: string; readonly audience?: string; readonly isForeignKey?: boolean };
  close(): Promise<void>;
}

export const CLIENT = { clientId: 'candor', clientSecret: 'issuer-secret' };

export async function startIssuer(port = 0): Promise<Issuer> {
  const [{ publicKey, privateKey }, foreign] = await Promise.all([
    generateKeyPair('RS256'),
    generateKeyPair('RS256'),
  ]);
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const codes = new Map<string, URLSearchParams>();
  const issuer: Issuer = { url: '', claims: {}, forged: {}, close: async () => undefined };

  const authorize = (asked: URLSearchParams): string => {
    const code = randomUUID();
    codes.set(code, asked);
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.searchParams.set('code', code);
    back.searchParams.set('state', asked.get('state') ?? '');
    return back.href;
  };
  const token = async (request: IncomingMessage, sent: URLSearchParams): Promise<object | undefined> => {
    const asked = codes.get(sent.get('code') ?? '');
    codes.delete(sent.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(sent.get('code_verifier') ?? '')
      .digest('base64url');
    const secret = sent.get('client_secret') ?? basicSecret(request);
    const isRight =
      asked?.get('code_challenge') === challenge &&
      asked.get('code_challenge_method') === 'S256' &&
      asked.get('redirect_uri') === sent.get('redirect_uri') &&
      secret === CLIENT.clientSecret;
    if (!isRight) return undefined;
    const { nonce = asked.get('nonce'), audience = CLIENT.clientId, isForeignKey = false } = issuer.forged;
    const idToken = await new SignJWT({ ...issuer.claims, nonce })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(issuer.url)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(isForeignKey ? foreign.privateKey : privateKey);
    return { access_token: randomUUID(), token_type: 'Bearer', expires_in: 300, id_token: idToken };
  };

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', issuer.url);
    const reply = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (url.pathname === '/.well-known/openid-configuration') return reply(200, discoveryOf(issuer.url));
    if (url.pathname === '/jwks') return reply(200, { keys: [jwk] });
    if (url.pathname === '/authorize')
      return void response.writeHead(302, { location: authorize(url.searchParams) }).end();
    let text = '';
    for await (const part of request) text += part;
    const tokens = await token(request, new URLSearchParams(text));
    return tokens === undefined ? reply(400, { error: 'invalid_grant' }) : reply(200, tokens);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return Object.assign(issuer, { url: `http://127.0.0.1:${address.port}`, close });
}

function discoveryOf(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
  };
}

function basicSecret({ headers }: IncomingMessage): string | undefined {
  const [, coded = ''] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? [];
  return decodeURIComponent(Buffer.from(coded, 'base64').toString().split(':')[1] ?? '');
}
