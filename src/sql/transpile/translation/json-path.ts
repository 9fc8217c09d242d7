/** Paths into JSON values in the spellings of the dialects. */

/** Names of fields and places in lists. */
export type PathStep = string | number;

/** `$.a[0]."b c"` as its steps; `undefined` for what is more than a path, as wildcards are. */
export function readJsonPath(path: string): readonly PathStep[] | undefined {
  if (!path.startsWith('$')) return undefined;
  const steps: PathStep[] = [];
  let at = 1;
  const step = /\.([A-Za-z_]\w*)|\."([^"]+)"|\[(\d+)\]|\["([^"]+)"\]|\['([^']+)'\]/y;
  while (at < path.length) {
    step.lastIndex = at;
    const match = step.exec(path);
    if (match === null) return undefined;
    const [, plain, quoted, index, double, single] = match;
    steps.push(index === undefined ? (plain ?? quoted ?? double ?? single ?? '') : Number(index));
    at = step.lastIndex;
  }
  return steps.length === 0 ? undefined : steps;
}

/** `{a,0,b c}` of PostgreSQL as its steps. */
export function readPathArray(path: string): readonly PathStep[] | undefined {
  const inside = /^\{([\w ,]+)\}$/.exec(path)?.[1];
  return inside?.split(',').map((step) => (/^\d+$/.test(step) ? Number(step) : step.trim()));
}

/** `$.a[0]."b c"`. */
export function writeJsonPath(steps: readonly PathStep[]): string {
  return `$${steps.map((step) => (typeof step === 'number' ? `[${step}]` : fieldOf(step, '"'))).join('')}`;
}

/** `{a,0,b}`; a field with other characters than of words cannot be written. */
export function writePathArray(steps: readonly PathStep[]): string | undefined {
  return steps.every((step) => /^[\w ]+$/.test(String(step))) ? `{${steps.join(',')}}` : undefined;
}

/** `a[0].b` of Snowflake. */
export function writeDottedPath(steps: readonly PathStep[]): string {
  return writeJsonPath(steps).replace(/^\$\.?/, '');
}

function fieldOf(name: string, quote: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `.${quote}${name}${quote}`;
}
