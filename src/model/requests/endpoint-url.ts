import { CandorError } from '../../errors.ts';

/**
 * Reads the address of a service without its last slashes; `what` names it in messages: `the embedding service`. Throws
 * `model.refused`, and does not show the text, which may hold a secret.
 */
export function readEndpointUrl(text: string, what: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new CandorError('model.refused', `the URL of ${what} is not an http or https URL`);
  if (url.username !== '' || url.password !== '')
    throw new CandorError(
      'model.refused',
      `the URL of ${what} at ${url.host} holds a user or password; give the key apart`,
    );
  url.pathname = url.pathname.replace(/\/+$/, '');
  url.hash = '';
  return url;
}

/** Without query: some services take keys there. */
export function shownUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
