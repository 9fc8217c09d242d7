import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NEW_TALK } from '../../src/agent/index.ts';
import { AuditLog, makeKey, PeopleStore, type ServerState } from '../../src/server/index.ts';
import { QuestionCounter } from '../../src/server/people/people.ts';
import { ChatStore } from '../../src/server/state/chat-store.ts';
import { codeOf } from '../fixtures/code-of.ts';

const at = (hour: number): string => `2026-01-01T${String(hour).padStart(2, '0')}:00:00.000Z`;
let made = 0;
const newKey = (): string => {
  made += 1;
  return makeKey((bytes) => Buffer.alloc(bytes, made));
};

/** What every keeper of the server's state does, whatever lies behind it. */
export function behavesLikeServerState(name: string, open: () => Promise<ServerState>): void {
  describe(`the state in ${name}`, () => {
    let state: ServerState;
    let people: PeopleStore;
    let chats: ChatStore;
    beforeAll(async () => {
      state = await open();
      people = new PeopleStore(state);
      chats = new ChatStore(state, '');
    }, 60_000);
    afterAll(() => state.close());

    const add = async (user: string, expiresAt?: string): Promise<string> => {
      await people.addUser({ id: user, name: user, isAdmin: false, groups: ['sales'], createdAt: at(1) });
      const key = newKey();
      await people.addKey(user, key, { createdAt: at(1), ...(expiresAt !== undefined && { expiresAt }) });
      return key;
    };
    const isIn = async (key: string, hour: number): Promise<boolean> =>
      (await people.userOfKey(key, at(hour))) !== undefined;

    it('knows a person by a key, and keeps only its hash', async () => {
      expect(await people.canAnybodySignIn()).toBe(false);
      const key = await add('ann');
      expect(await people.canAnybodySignIn()).toBe(true);
      const ann = { id: 'ann', name: 'ann', isAdmin: false, groups: ['sales'], isDisabled: false };
      expect(await people.userOfKey(key, at(2))).toEqual({ ...ann, createdAt: at(1) });
      expect(JSON.stringify(await state.run('SELECT * FROM candor.keys'))).not.toContain(key.slice(-43));
      expect(await codeOf(add('ann'))).toBe('people.exists');
    });

    it('lets nobody in with a key that is wrong, over, revoked, or of a disabled user', async () => {
      const [over, revoked, disabled] = [await add('over', at(3)), await add('revoked'), await add('off')];
      expect([await isIn(over, 2), await isIn(over, 3)]).toEqual([true, false]);
      for (const wrong of [`${revoked.slice(0, -1)}_`, 'cnd_00000000_x', "' OR 1=1 --", newKey()])
        expect(await isIn(wrong, 2), wrong).toBe(false);
      await people.revokeKey((await people.listKeys('revoked'))[0]?.prefix ?? '');
      await people.changeUser('off', { isDisabled: true });
      expect([await isIn(revoked, 2), await isIn(disabled, 2)]).toEqual([false, false]);
      await people.changeUser('off', { isDisabled: false });
      expect(await isIn(disabled, 2)).toBe(true);
      expect(await codeOf(people.revokeKey('nothing'))).toBe('people.unknown');
    });

    it('counts the questions of an hour, all of them or none, for each quota anew', async () => {
      const counter = new QuestionCounter(state, '');
      const take = (who: string, hour: number, count = 1, perHour = 3) =>
        counter.take(who, perHour, { now: new Date(at(hour)), count });
      expect([await take('ada', 1, 2), await take('ada', 1, 2), await take('ada', 1)]).toEqual([
        true,
        false,
        true,
      ]);
      expect([await take('ada', 1), await take('bob', 1, 4), await take('bob', 1, 3)]).toEqual([
        false,
        false,
        true,
      ]);
      expect([
        await counter.left('ada', 3, new Date(at(1))),
        await counter.left('new', 3, new Date(at(1))),
      ]).toEqual([0, 3]);
      expect([await take('ada', 2), await counter.left('ada', 3, new Date(at(2)))]).toEqual([true, 2]);
      expect(await take('ada', 2, 5, 5)).toBe(true);
      const many = await Promise.all(Array.from({ length: 12 }, () => take('eve', 1)));
      expect(many.filter(Boolean)).toHaveLength(3);
    });

    it('ends what was signed in with its key, its user and its time', async () => {
      await add('browser');
      const isSignedIn = async (secret: string, hour: number) =>
        (await people.userOfSignIn(secret, at(hour))) !== undefined;
      for (const secret of ['one', 'two', 'three']) await people.addSignIn('browser', secret, at(8));
      expect([await isSignedIn('one', 5), await isSignedIn('one', 8)]).toEqual([true, false]);
      await people.endSignIn('one');
      expect([await isSignedIn('one', 5), await isSignedIn('two', 5)]).toEqual([false, true]);
      await people.revokeKey((await people.listKeys('browser'))[0]?.prefix ?? '');
      expect(await isSignedIn('two', 5)).toBe(false);
    });

    it('adds to the audit log, and changes nothing of it', async () => {
      const log = new AuditLog(state);
      for (const hour of [5, 6, 7])
        await log.add({ at: at(hour), who: 'ann', what: 'question', detail: { question: `${hour}?` } });
      expect((await log.list(at(6), at(7), 10)).map(({ detail }) => detail)).toEqual([{ question: '6?' }]);
      expect(await log.list(at(0), at(20), 2)).toHaveLength(2);
      for (const sql of ['DELETE FROM candor.audit', "UPDATE candor.audit SET who = 'bob'"])
        await expect(state.run(sql)).rejects.toThrow('only grows');
    });

    it('keeps a conversation for its owner alone, unless it is shared', async () => {
      await chats.addChat({ id: 'c', title: '', createdAt: at(1), updatedAt: at(1) }, NEW_TALK, 'ann');
      const route = { intent: 'other' as const, because: 'x' };
      const message = { id: 'm', at: at(2), text: 'hello', route, cards: [], quickReplies: [] };
      await Promise.all([
        chats.addMessage('c', { message, talk: NEW_TALK, title: 'greeting' }),
        chats.addMessage('c', { message: { ...message, id: 'n' }, talk: NEW_TALK }),
      ]);
      const kept = await chats.readChat('c', 'ann');
      expect([kept.title, kept.messages.map(({ id }) => id).sort()]).toEqual(['greeting', ['m', 'n']]);
      for (const work of [
        () => chats.readChat('c', 'bob'),
        () => chats.share('c', 'bob', 's'),
        () => chats.unshare('c', 'bob'),
        () => chats.deleteChat('c', 'bob'),
        () => chats.readShared('c'),
        () => chats.addMessage('gone', { message, talk: NEW_TALK }),
      ])
        expect(await codeOf(work())).toBe('server.not-found');
      expect(await chats.listChats('bob', 10)).toEqual([]);
      expect([await chats.share('c', 'ann', 's'), await chats.share('c', 'ann', 't')]).toEqual(['s', 's']);
      expect((await chats.readShared('s')).messages).toHaveLength(2);
      await chats.unshare('c', 'ann');
      expect(await codeOf(chats.readShared('s'))).toBe('server.not-found');
      await chats.deleteChat('c', 'ann');
      expect(await state.run('SELECT 1 AS one FROM candor.messages')).toEqual([]);
    });

    it('lists conversations by their last change, page by page', async () => {
      for (const hour of [1, 3, 2])
        await chats.addChat(
          { id: `p${hour}`, title: '', createdAt: at(1), updatedAt: at(hour) },
          NEW_TALK,
          'pat',
        );
      const idsOf = async (most: number, before?: string) =>
        (await chats.listChats('pat', most, before)).map(({ id }) => id);
      expect([await idsOf(2), await idsOf(2, at(2))]).toEqual([['p3', 'p2'], ['p1']]);
    });

    it('keeps feedback apart', async () => {
      await chats.addFeedback({ recordId: 'r', verdict: 'up', at: at(1) }, 'ann');
      await chats.addFeedback({ recordId: 'r', verdict: 'down', reason: 'late', at: at(2) }, 'ann');
      expect(await chats.listFeedback(5, 'bob')).toEqual([]);
      expect(await chats.listFeedback(1)).toEqual([
        { recordId: 'r', verdict: 'down', reason: 'late', at: at(2) },
      ]);
      expect(await chats.listFeedback(5)).toEqual(await chats.listFeedback(5, 'ann'));
    });

    it('keeps what belongs to a workspace from all others', async () => {
      const hr = new ChatStore(state, 'hr');
      await hr.addChat({ id: 'w', title: '', createdAt: at(1), updatedAt: at(1) }, NEW_TALK, 'wes');
      await hr.share('w', 'wes', 'ws');
      await hr.addFeedback({ recordId: 'w', verdict: 'up', at: at(1) }, 'wes');
      for (const work of [
        () => chats.readChat('w', 'wes'),
        () => chats.readShared('ws'),
        () => chats.share('w', 'wes', 'other'),
        () => chats.unshare('w', 'wes'),
        () => chats.deleteChat('w', 'wes'),
      ])
        expect(await codeOf(work())).toBe('server.not-found');
      expect([await chats.listChats('wes', 9), await chats.listFeedback(9, 'wes')]).toEqual([[], []]);
      expect([await hr.listChats('wes', 9), await hr.listFeedback(9)]).toMatchObject([
        [{ id: 'w', shareId: 'ws' }],
        [{ recordId: 'w' }],
      ]);
    });

    it('keeps nothing of a transaction that fails, and lets nobody into it', async () => {
      const failing = state.transaction(async (run) => {
        await run("INSERT INTO candor.oidc_flows VALUES ('half', 'n', 'v', '', '')");
        throw new Error('no');
      });
      const beside = state.run("INSERT INTO candor.oidc_flows VALUES ('beside', 'n', 'v', '', '')");
      await expect(failing).rejects.toThrow('no');
      await beside;
      expect(await state.run('SELECT hash FROM candor.oidc_flows')).toEqual([{ hash: 'beside' }]);
    });

    it('is found again by the next that opens it', async () => {
      const again = await open();
      expect((await new PeopleStore(again).readUser('ann')).groups).toEqual(['sales']);
      await again.close();
    });
  });
}
