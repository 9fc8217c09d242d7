let base = '';
let key = '';

/** Where the server is: this page's own unless an embedding page names another. */
export function serverUrl(path: string): string {
  return `${base}${path}`;
}

/** The header that says who asks, where the embedding page has a key of theirs; else the cookie of the browser does. */
export function serverKey(): { readonly authorization?: string } {
  return key === '' ? {} : { authorization: `Bearer ${key}` };
}

export function setServer(url: string, keyOfPerson: string): void {
  base = url.replace(/\/+$/, '');
  key = keyOfPerson;
}
