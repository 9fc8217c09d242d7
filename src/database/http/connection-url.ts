/** URLs of database servers: how secrets get into them and never out of them. */

/** Schemes of servers; everything else is a file. */
const SERVER = /^(?:postgres|postgresql|mysql|mariadb|trino|snowflake|bigquery):\/\//i;
const SECRET_PARAMETER = /password|passwd|^pwd$|passphrase|secret|token|api_?key/i;
/** Variables that the engines' own clients read, for a URL that leaves the secret out. */
const PASSWORD_VARIABLES: readonly (readonly [scheme: RegExp, variable: string])[] = [
  [/^postgres/i, 'PGPASSWORD'],
  [/^(?:mysql|mariadb)/i, 'MYSQL_PWD'],
  [/^trino/i, 'TRINO_PASSWORD'],
];
const CREDENTIALS_VARIABLE = 'GOOGLE_APPLICATION_CREDENTIALS';

export function isServerUrl(url: string): boolean {
  return SERVER.test(url.trim());
}

/** The URL without passwords and tokens: `postgres://reader:secret@db/shop` → `postgres://reader@db/shop`. */
export function redactUrl(url: string): string {
  const match = /^([a-z][a-z0-9+.-]+:\/\/)([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/is.exec(url.trim());
  if (match === null) return url;
  const [, scheme = '', authority = '', path = '', query = ''] = match;
  // The last @ ends the user: an unescaped one may stand in a password.
  const at = authority.lastIndexOf('@');
  const user = at === -1 ? '' : `${authority.slice(0, at).split(':', 1)[0]}@`;
  const kept = query
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !SECRET_PARAMETER.test(pair.split('=', 1)[0] ?? ''));
  return `${scheme}${user}${authority.slice(at + 1)}${path}${kept.length === 0 ? '' : `?${kept.join('&')}`}`;
}

/**
 * Puts values in place of `${VAR}`. Between `://` and `@` they are percent-encoded, so that any sign may stand in a
 * password: `postgres://u:${PW}@db/shop` with `p@ss` → `postgres://u:p%40ss@db/shop`.
 */
export function fillUrl(template: string, lookUp: (name: string, written: string) => string): string {
  const userEnd = isServerUrl(template) ? template.lastIndexOf('@') : -1;
  return template.replace(/\$\{([^}]*)\}/g, (written, name: string, offset: number) => {
    const value = lookUp(name, written);
    return offset < userEnd ? encodeURIComponent(value) : value;
  });
}

/** Adds the password, or the file with credentials, that the environment holds where the URL names none. */
export function addEnvironmentSecret(url: string, env: Readonly<Record<string, string | undefined>>): string {
  if (/^bigquery:\/\//i.test(url)) {
    const file = env[CREDENTIALS_VARIABLE];
    if (!file || /[?&](?:credentials|access_token)=/.test(url)) return url;
    return `${url}${url.includes('?') ? '&' : '?'}credentials=${encodeURIComponent(file)}`;
  }
  const variable = PASSWORD_VARIABLES.find(([scheme]) => scheme.test(url))?.[1];
  const password = variable === undefined ? undefined : env[variable];
  const user = /^([a-z]+:\/\/[^/?#:@]+)@/i.exec(url)?.[1];
  if (!password || user === undefined) return url;
  return `${user}:${encodeURIComponent(password)}${url.slice(user.length)}`;
}
