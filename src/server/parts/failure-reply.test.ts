import { expect, it } from 'vitest';
import { projectConfig } from '../../config/index.ts';
import { CandorError, type ErrorCode } from '../../errors.ts';
import { failureReply } from './failure-reply.ts';

it.each<[ErrorCode, number]>([
  ['server.overloaded', 429],
  ['database.overloaded', 429],
  ['database.unreachable', 503],
  ['database.timeout', 504],
  ['question.empty', 400],
])('%s is %i', (code, status) => {
  const session = { config: projectConfig('.', 'sqlite:shop.db') };
  const { status: told } = failureReply(new CandorError(code, 'x'), 'id', {
    session,
    onBug: () => undefined,
  });
  expect(told).toBe(status);
});
