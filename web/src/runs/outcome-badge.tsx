import type { ListedRecord } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';

export type Outcome = ListedRecord['kind'];

const LOOKS: Readonly<Record<Outcome, string>> = {
  answered: 'badge badge-good',
  clarify: 'badge badge-ask',
  follow_up: 'badge badge-ask',
  reject: 'badge badge-no',
  abstain: 'badge badge-warn',
};

/** What a question came to. */
export function OutcomeBadge({ kind }: { readonly kind: Outcome }) {
  const { files } = useMessages();
  return <span className={LOOKS[kind]}>{files.outcomes[kind]}</span>;
}
