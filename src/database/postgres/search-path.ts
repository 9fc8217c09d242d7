const ELEMENT = /"(?:[^"]|"")*"|[^\s,"]+/g;
/** The engine's own functions, operators and types come before anybody else's, temporary ones last. */
const FIRST = 'pg_catalog';
const LAST = 'pg_temp';

/**
 * The path that a server gives a session, with the engine's schema first and the temporary one last: a path may name
 * both anywhere, and without its name the temporary one comes before all others.
 */
export function pinSearchPath(given: string): string {
  const others = (given.match(ELEMENT) ?? []).filter((name) => {
    const plain = name.startsWith('"') ? name.slice(1, -1) : name.toLowerCase();
    return plain !== FIRST && plain !== LAST && plain !== '';
  });
  return [FIRST, ...others, LAST].join(', ');
}
