import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT } from './read-imports.ts';

export interface Block {
  /** The first word after the fence: `bash`, `ts`, `text`; empty when there is none. */
  readonly language: string;
  /** The rest of that line: `candor.yml`. */
  readonly label: string;
  readonly text: string;
  readonly line: number;
}

export interface Document {
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** Every Markdown file that people read: those at the root and below docs/. */
export function readDocuments(): Document[] {
  const top = readdirSync(ROOT).filter((name) => name.endsWith('.md') && name !== 'CLAUDE.md');
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => posix.join('docs', name));
  return [...top, ...docs].sort().map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return { path, text, blocks: readBlocks(text) };
  });
}

/** The fenced blocks of a Markdown text. */
export function readBlocks(text: string): Block[] {
  return [...text.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [language = '', ...label] = (match[1] ?? '').trim().split(/\s+/);
    return {
      language,
      label: label.join(' '),
      text: match[2] ?? '',
      line: text.slice(0, match.index).split('\n').length,
    };
  });
}

export interface ShellCommand {
  readonly words: readonly string[];
  /** File that stdout goes to. */
  readonly into?: string;
  /** Exit code promised by a `# exit 12` comment; 0 otherwise. */
  readonly exitCode: number;
}

/** Reads the plain part of shell that our examples use: words, quotes, `&&`, `> file`, comments. */
export function readShell(text: string): ShellCommand[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line) => {
      const tokens = [...line.matchAll(/"([^"]*)"|'([^']*)'|(#.*)|([^\s"'#]+)/g)];
      const comment = tokens.find((token) => token[3] !== undefined)?.[3] ?? '';
      const exitCode = Number(/exit (\d+)/.exec(comment)?.[1] ?? 0);
      const commands: string[][] = [[]];
      for (const [, double, single, note, word] of tokens) {
        if (note !== undefined) continue;
        if (word === '&&') commands.push([]);
        else commands.at(-1)!.push(double ?? single ?? word ?? '');
      }
      return commands.map((words) => {
        const redirect = words.indexOf('>');
        if (redirect < 0) return { words, exitCode };
        const into = words[redirect + 1];
        return { words: words.slice(0, redirect), exitCode, ...(into === undefined ? {} : { into }) };
      });
    });
}
