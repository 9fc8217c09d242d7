import { exampleOf } from './example-of.ts';
import type { ListedRoute } from './list-routes.ts';
import type { OpenApi } from './open-api.ts';

/** A call of a route in a shell; the key is named, never shown. */
export function curlOf(
  { method, path, operation }: ListedRoute,
  document: OpenApi,
  { origin, needsKey }: { readonly origin: string; readonly needsKey: boolean },
): string {
  const { parameters = [], requestBody } = operation;
  const named = parameters.filter(({ in: place, required }) => place === 'query' && required === true);
  const query = named.map(
    ({ name, schema }) => `${name}=${encodeURIComponent(String(exampleOf(schema, document)))}`,
  );
  const headers = parameters.filter(({ in: place, required }) => place === 'header' && required === true);
  const body = requestBody?.content['application/json']?.schema;
  // `{id}` of a path stays as it is: it is to be filled in, and curl would take its braces for a list.
  const address = `${origin}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  return [
    `curl -s${path.includes('{') ? 'g' : ''}${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} ${quoted(address)}`,
    ...(needsKey ? ['-H "authorization: Bearer $CANDOR_KEY"'] : []),
    ...headers.map(({ name, schema }) => `-H ${quoted(`${name}: ${exampleOf(schema, document)}`)}`),
    ...(body === undefined
      ? []
      : ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(exampleOf(body, document)))}`]),
  ].join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
