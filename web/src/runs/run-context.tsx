import type { KeptRecord } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';

/** What the question stood on, and what was said back where it was not answered. */
export function RunContext({ record }: { readonly record: KeptRecord }) {
  const messages = useMessages();
  const { files } = messages;
  const { readAs, hint, after = [], tables, assume, reason, risk, back, disagreement, now, at } = record;
  const facts: readonly (readonly [string, string | undefined])[] = [
    [messages.readAs, readAs],
    [files.hint, hint],
    [files.after, after.length === 0 ? undefined : after.join(' · ')],
    [files.onlyTables, tables?.join(', ')],
    [
      files.assumed,
      assume &&
        Object.entries(assume)
          .map(([name, value]) => `${name}: ${value}`)
          .join(', '),
    ],
    [files.askedBack, back && `${back.phrase}: ${back.options.map(({ label }) => label).join(', ')}`],
    [files.reason, reason],
    [messages.missing, disagreement && `${disagreement.missing}: ${disagreement.because}`],
    [files.risk, risk && files.percent(risk.queryRisk)],
    [files.present, now.slice(0, 10) === at.slice(0, 10) ? undefined : files.day(now)],
  ];
  const shown = facts.filter(([, value]) => value !== undefined && value !== '');
  if (shown.length === 0) return null;
  return (
    <dl className="run-facts">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
