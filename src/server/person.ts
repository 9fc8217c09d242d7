/** Who a request is of. */
export interface Person {
  readonly id: string;
  readonly name: string;
}

/** Whoever reaches a server of this machine that has no users: the person at its keyboard. */
export const LOCAL_PERSON: Person = { id: 'local', name: 'this machine' };
