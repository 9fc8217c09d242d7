/** Text of foreign origin, made safe for where people read it. */
export { escapeControl, escapeControlKeepingLines, onOneLine } from './escape-control.ts';
export { orYamlFault } from './read-yaml.ts';
