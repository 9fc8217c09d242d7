import type { MiddlewareHandler } from 'hono';
import { CandorError } from '../../errors.ts';

/** A form can be sent by a page of any origin without asking; JSON cannot. */
export const requireJson: MiddlewareHandler = async ({ req }, next) => {
  const length = req.header('content-length') ?? '0';
  const hasBody = length !== '0' || req.header('transfer-encoding') !== undefined;
  if (hasBody && !/^application\/json\b/i.test(req.header('content-type') ?? ''))
    throw new CandorError('server.wrong-type', 'The request is not of the type application/json.');
  await next();
};
