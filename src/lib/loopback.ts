/** Names of this machine that no other one has. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);

/** Whether a server that listens on this name is reached from this machine alone. */
export function isLoopback(name: string): boolean {
  return LOOPBACK.has(name);
}

/**
 * Whether a request with this `Host` header names this machine. A page that had its own name resolved to this machine
 * would still call us by that name (DNS rebinding).
 */
export function namesLoopback(host: string): boolean {
  const name = host.replace(/:\d{1,5}$/, '').replace(/^\[(.*)\]$/, '$1');
  return isLoopback(name.toLowerCase());
}
