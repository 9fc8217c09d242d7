import type { KeptRecord } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';

/** Each stage with its time, in the order in which they ended, as bars of one length for the longest. */
export function StageBars({ stages }: Pick<KeptRecord, 'stages'>) {
  const messages = useMessages();
  const { files } = messages;
  const most = Math.max(...stages.map(({ ms }) => ms), Number.MIN_VALUE);
  return (
    <section>
      <h3>{files.stages}</h3>
      {stages.length === 0 && <p className="quiet">{files.noStages}</p>}
      <ol className="stage-bars" aria-label={files.stages}>
        {stages.map(({ stage, ms }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a stage may come twice, and the list never changes
          <li key={at}>
            <span>{messages.stages[stage] ?? stage}</span>
            <span className="bar" aria-hidden="true">
              <span style={{ width: `${(ms / most) * 100}%` }} />
            </span>
            <span className="quiet">{files.time(ms)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
