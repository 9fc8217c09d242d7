/** Whom work is done for, where many people share what is scarce. */
import { AsyncLocalStorage } from 'node:async_hooks';

const callers = new AsyncLocalStorage<string>();

/** Does the work in the name of a caller: the processes of an embedded file share themselves out fairly among callers. */
export function calledBy<Result>(caller: string, work: () => Result): Result {
  return callers.run(caller, work);
}

/** Absent: there is only one, as on the command line. */
export function currentCaller(): string | undefined {
  return callers.getStore();
}
