import { z } from 'zod';
import { hashSecret } from '../people/access-key.ts';
import type { ServerState } from '../state/server-state.ts';
import type { OidcFlow } from './oidc-client.ts';

const ROW = z.object({ nonce: z.string(), verifier: z.string(), workspace: z.string() });

/** Sign-ins that went to the issuer and are not back yet; each is taken once. */
export class FlowStore {
  readonly #state: ServerState;

  constructor(state: ServerState) {
    this.#state = state;
  }

  async add(
    { state, nonce, verifier, workspace }: OidcFlow,
    { at, until }: { at: string; until: string },
  ): Promise<void> {
    await this.#state.run('DELETE FROM candor.oidc_flows WHERE expires_at <= $1', [at]);
    await this.#state.run(
      `INSERT INTO candor.oidc_flows (hash, nonce, verifier, workspace, expires_at) VALUES ($1, $2, $3, $4, $5)`,
      [hashSecret(state).toString('hex'), nonce, verifier, workspace, until],
    );
  }

  /** Undefined for one that is unknown, over, or was taken before. */
  async take(state: string, at: string): Promise<OidcFlow | undefined> {
    const [row] = await this.#state.run(
      'DELETE FROM candor.oidc_flows WHERE hash = $1 AND expires_at > $2 RETURNING nonce, verifier, workspace',
      [hashSecret(state).toString('hex'), at],
    );
    return row === undefined ? undefined : { state, ...ROW.parse(row) };
  }
}
