import type { Failure, Settings } from '../api/contract.ts';
import { useReply } from '../api/use-reply.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FactList } from './fact-list.tsx';

interface Ready {
  readonly runs: number;
}

/** Which version serves, and whether it can answer now. */
export function ServerFacts({ settings: { version, signIn, project } }: { readonly settings: Settings }) {
  const { desk } = useMessages();
  const health = useReply<unknown>('/health');
  const ready = useReply<Ready>('/ready');
  return (
    <FactList
      title={desk.thisServer}
      facts={[
        [desk.version, version],
        [desk.health, <State key="health" isGood={health.reply !== undefined} failure={health.failure} />],
        [desk.readiness, <State key="ready" isGood={ready.reply !== undefined} failure={ready.failure} />],
        ...(ready.reply === undefined ? [] : ([[desk.inWork, String(ready.reply.runs)]] as const)),
        [desk.signIn, signIn ? desk.signInNeeded : desk.signInNone],
        ...(project === undefined
          ? []
          : ([[desk.projectFolder, <code key="at">{project.folder}</code>]] as const)),
      ]}
    />
  );
}

interface StateProps {
  readonly isGood: boolean;
  readonly failure: Failure | undefined;
}

function State({ isGood, failure }: StateProps) {
  const { desk, loading } = useMessages();
  if (failure !== undefined)
    return (
      <span className="note-warn">
        {desk.no}: {failure.message} {failure.next}
      </span>
    );
  return isGood ? desk.yes : loading;
}
