import type { KeptRecord } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';

/** What the SQL was checked for. */
export function RunChecks({ checks }: Pick<KeptRecord, 'checks'>) {
  const messages = useMessages();
  const names: Readonly<Record<string, string>> = messages.checkNames;
  if (checks.length === 0) return null;
  return (
    <section>
      <h3>{messages.checks}</h3>
      <ul className="checks">
        {checks.map(({ name, passed, detail }) => (
          <li key={name} className={passed ? 'passed' : 'not-passed'}>
            <span aria-hidden="true">{passed ? '✓' : '✗'}</span>{' '}
            {!passed && <span className="hidden">{messages.files.failedCheck} </span>}
            {names[name] ?? name}
            {detail !== undefined && <span className="quiet"> ({detail})</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
