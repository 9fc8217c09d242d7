import { readFile, rename, writeFile } from 'node:fs/promises';
import { NEW_TALK, parseTalk, type Talk } from '../agent/index.ts';
import { CandorError } from '../errors.ts';

/** A talk that is kept in a file, or a new one where there is no file yet. Throws `talk.invalid`. */
export async function readTalk(path: string): Promise<Talk> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return NEW_TALK;
    throw new CandorError('talk.invalid', `cannot read ${path}: ${messageOf(error)}`, { cause: error });
  }
  try {
    return parseTalk(JSON.parse(text));
  } catch (error) {
    throw new CandorError('talk.invalid', `${path}: ${messageOf(error)}`, { cause: error });
  }
}

/** Whole or not at all. Throws `talk.not-writable`. */
export async function writeTalk(path: string, talk: Talk): Promise<void> {
  try {
    await writeFile(`${path}.tmp`, `${JSON.stringify(talk, null, 2)}\n`);
    await rename(`${path}.tmp`, path);
  } catch (error) {
    throw new CandorError('talk.not-writable', `cannot write ${path}: ${messageOf(error)}`, { cause: error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
