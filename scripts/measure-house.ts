/**
 * Prints how the source files stand against the bars of the house: how many there are, which small ones one other file imports,
 * which folders and faces hold more than a reader takes in, and which folders import each other.
 * `npx tsx scripts/measure-house.ts [--list]`
 */
import { parseArgs } from 'node:util';
import { BARS, measureHouse } from '../test/repo/house.ts';
import { readSources } from '../test/repo/read-imports.ts';

const { values: options } = parseArgs({ options: { list: { type: 'boolean' } } });

const house = measureHouse(readSources('src').filter(({ path }) => !path.endsWith('.test.ts')));
const print = (text: string) => process.stdout.write(`${text}\n`);

print(`${house.files} source files (bar ${BARS.files})`);
show('files under 40 lines with one importer', house.small, `bar ${BARS.small}`);
show('pairs of folders that import each other', house.mutual, `bar ${BARS.mutual}`);
show(`folders of more than ${BARS.entries} entries`, house.entries, 'bar 0');
show(`faces of more than ${BARS.names} names`, house.names, 'bar 0');

function show(what: string, places: readonly string[], bar: string): void {
  print(`${places.length} ${what} (${bar})`);
  if (options.list === true) for (const place of places) print(`  ${place}`);
}
