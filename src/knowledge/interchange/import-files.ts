/** The files of a project that an import becomes. */

import { onOneLine } from '../../text/index.ts';
import type { Imported } from './conversion.ts';
import { leanModel } from './lean-model.ts';
import { writeYaml } from './write-yaml.ts';

export interface ProjectFile {
  readonly folder: 'semantics' | 'examples' | 'knowledge';
  readonly name: string;
  readonly text: string;
}

/**
 * `semantics/<name>.yml`, one `examples/*.sql` a verified pair, named after its question, and `knowledge/<name>.md`. The
 * semantic file comes last: what is there before it is there is whole without it.
 */
export function importFiles(imported: Imported, name: string, origin: string): ProjectFile[] {
  const { models, examples, notes } = imported;
  const content = { version: '0.2.0', semantic_model: models.map(leanModel) };
  const semantics: ProjectFile = {
    folder: 'semantics',
    name: `${name}.yml`,
    text: `# Imported from ${origin}. Yours to edit; another import asks before it writes over this.\n${writeYaml(content)}`,
  };
  const taken = new Set<string>();
  const pairs = examples.map((example): ProjectFile => {
    const slug = slugOf(example.question);
    let free = slug;
    for (let count = 2; taken.has(free); count += 1) free = `${slug}-${count}`;
    taken.add(free);
    return { folder: 'examples', name: `${free}.sql`, text: pairText(example) };
  });
  const written: ProjectFile[] =
    notes.length === 0 ? [] : [{ folder: 'knowledge', name: `${name}.md`, text: notesText(notes, name) }];
  return [...written, ...pairs, ...(models.length === 0 ? [] : [semantics])];
}

function slugOf(question: string): string {
  const slug = question
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return [...slug].slice(0, 60).join('').replace(/-+$/, '') || 'question';
}

function pairText({ question, sql, verifiedBy, verifiedAt }: Imported['examples'][number]): string {
  const matter = [
    `-- question: ${onOneLine(question)}`,
    ...(verifiedBy === undefined ? [] : [`-- verified_by: ${onOneLine(verifiedBy)}`]),
    ...(verifiedAt === undefined ? [] : [`-- verified_at: ${verifiedAt}`]),
  ];
  // A comment that looks like front matter would be read as such; an empty one ends the block before it.
  const end = /^\s*--\s*[A-Za-z_]+\s*:/.test(sql) ? ['--'] : [];
  return `${[...matter, ...end, sql.trim()].join('\n')}\n`;
}

function notesText(notes: Imported['notes'], name: string): string {
  const topics = new Map<string, string[]>();
  for (const { text, topic = name } of notes) topics.set(topic, [...(topics.get(topic) ?? []), text]);
  const parts = [...topics].map(([topic, texts]) => {
    const items = texts.map((text) => `- ${text.trim().split(/\r?\n/).map(plainLine).join('\n  ')}`);
    return `# ${onOneLine(topic)}\n\n${items.join('\n')}\n`;
  });
  return parts.join('\n');
}

/** Without what would start a heading or a list of its own. */
function plainLine(line: string): string {
  return line.trim().replace(/^(?:#+|[-*+]|---+)\s+/, '');
}
