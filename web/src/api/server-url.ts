let base = '';

/** Where the server is: this page's own unless an embedding page names another. */
export function serverUrl(path: string): string {
  return `${base}${path}`;
}

export function setServer(url: string): void {
  base = url.replace(/\/+$/, '');
}
