import { useEffect, useState } from 'react';

/** Where the page is: `#/chat/ID` is `['chat', 'ID']`. */
export type Route = readonly string[];

export function useRoute(): Route {
  const [hash, setHash] = useState(window.location.hash);
  useEffect(() => {
    const hear = (): void => setHash(window.location.hash);
    window.addEventListener('hashchange', hear);
    return () => window.removeEventListener('hashchange', hear);
  }, []);
  return parseRoute(hash);
}

export function parseRoute(hash: string): Route {
  const parts = hash
    .replace(/^#?\/?/, '')
    .split('/')
    .filter((part) => part !== '');
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return parts;
  }
}

export function hashOf(route: Route): string {
  return `#/${route.map(encodeURIComponent).join('/')}`;
}

/** Goes there; `replace`: as if the place before had never been. */
export function goTo(route: Route, { replace = false } = {}): void {
  const hash = hashOf(route);
  if (window.location.hash === hash) return;
  if (!replace) window.location.hash = hash;
  else {
    window.history.replaceState(null, '', hash);
    window.dispatchEvent(new HashChangeEvent('hashchange'));
  }
}
