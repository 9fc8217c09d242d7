import type { TablePage } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { hashOf } from '../shell/use-route.ts';

type Join = TablePage['joins'][number];

/** How a table goes together with others, and who says so. */
export function TableJoins({ joins }: { readonly joins: readonly Join[] }) {
  const { explore } = useMessages();
  if (joins.length === 0) return null;
  return (
    <section>
      <h3>{explore.joins}</h3>
      <ul className="lines">
        {joins.map((join) => (
          <li key={`${join.table} ${join.on.map(({ own, other }) => `${own} ${other}`).join()}`}>
            <a href={hashOf(['catalog', join.table])}>{join.table}</a>{' '}
            <code>{join.on.map(({ own, other }) => `${own} = ${other}`).join(' AND ')}</code>{' '}
            <Evidence said={join.said} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Evidence({ said }: { readonly said: Join['said'] }) {
  const { explore } = useMessages();
  const lines = said.map(({ by, runs, users, confidence }) => {
    const more = [
      ...(runs === undefined ? [] : [explore.usedBy(runs, users ?? 0)]),
      ...(confidence === undefined ? [] : [explore.sureBy(Math.round(confidence * 100))]),
    ];
    return `${explore.said[by]}${more.length === 0 ? '' : ` (${more.join(', ')})`}`;
  });
  return <span className="quiet">{lines.join('; ')}</span>;
}
