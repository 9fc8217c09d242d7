import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSmallSession, type SmallSession } from '../../../test/fixtures/grounded/open-small-session.ts';
import { CandorError } from '../../errors.ts';
import { openSession } from '../../session/project/open-session.ts';
import { ProjectSessions } from './project-sessions.ts';

let small: SmallSession;
let projectSessions: ProjectSessions;
let path: string;
let openings = 0;
let open = (): void => undefined;
beforeAll(async () => {
  small = await openSmallSession();
  path = join(small.folder, 'note.txt');
  projectSessions = new ProjectSessions(small.session, {
    reopen: () => {
      openings += 1;
      open();
      return openSession(small.session.config);
    },
  });
});
beforeEach(() => {
  open = () => undefined;
  writeFileSync(path, 'first');
});
afterAll(async () => {
  await projectSessions.close();
  await small.close();
});

const write = (text: string) =>
  projectSessions.change(async () => {
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, text);
    return { result: before, written: { path, before } };
  });
const fail = (): never => {
  throw new CandorError('catalog.stale', 'The disk is gone.');
};

describe('a change of the project', () => {
  it('finds what the one before has made, and each opens the project anew', async () => {
    const opened = openings;
    expect(await Promise.all([write('second'), write('third'), write('fourth')])).toEqual([
      'first',
      'second',
      'third',
    ]);
    expect(openings).toBe(opened + 3);
  });

  it('opens nothing anew where it left the text as it was', async () => {
    const opened = openings;
    await write('first');
    expect(openings).toBe(opened);
  });

  it('is taken back where the project does not open; the next one is none the worse', async () => {
    const current = projectSessions.current;
    open = fail;
    await expect(write('broken')).rejects.toMatchObject({
      code: 'catalog.stale',
      message: 'The project could not be opened with this note.txt, so all is as it was. The disk is gone.',
    });
    expect(readFileSync(path, 'utf8')).toBe('first');
    expect(projectSessions.current).toBe(current);
    open = () => undefined;
    expect(await write('second')).toBe('first');
  });

  it('is no reason to delete what somebody has written meanwhile', async () => {
    open = () => {
      writeFileSync(path, 'of somebody else');
      fail();
    };
    await expect(write('broken')).rejects.toThrow('somebody has written since');
    expect(readFileSync(path, 'utf8')).toBe('of somebody else');
  });

  it('takes a new file away again', async () => {
    const born = join(small.folder, 'born.txt');
    open = fail;
    const change = projectSessions.change(async () => {
      writeFileSync(born, 'new');
      return { result: null, written: { path: born, before: undefined } };
    });
    await expect(change).rejects.toMatchObject({ code: 'catalog.stale' });
    expect(existsSync(born)).toBe(false);
  });
});
