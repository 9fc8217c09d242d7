import { useState } from 'react';
import type { TestCase, TestList } from '../api/contract.ts';
import { useReply } from '../api/use-reply.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from '../shell/failure-note.tsx';

const PAGE = 100;
/** What the server gives at once. */
const MOST = 1_000;

interface CaseListProps {
  readonly tags: readonly string[];
  readonly filter: string;
}

/** The cases that tags and words leave: those that a run would ask. */
export function CaseList({ tags, filter }: CaseListProps) {
  const { desk } = useMessages();
  const [limit, setLimit] = useState(PAGE);
  const query = new URLSearchParams({
    limit: String(limit),
    ...(tags.length > 0 && { tags: tags.join(',') }),
    ...(filter !== '' && { filter }),
  });
  const { reply, failure, isLoading } = useReply<TestList>(`/v1/tests?${query}`);
  const isNone = failure?.code === 'test.nothing-selected';
  if (failure !== undefined && !isNone) return <FailureNote failure={failure} />;
  const { total, cases } = isNone || reply === undefined ? { total: 0, cases: [] } : reply;
  return (
    <section aria-label={desk.cases} aria-busy={isLoading}>
      <h2>{desk.cases}</h2>
      <p className="quiet" role="status">
        {isNone ? desk.noCases : desk.caseCount(total)}
        {cases.length < total && ` · ${desk.someCases(cases.length, total)}`}
      </p>
      <ul className="lines">
        {cases.map((each) => (
          <CaseLine key={`${each.file} ${each.id}`} tested={each} />
        ))}
      </ul>
      {cases.length < total && limit < MOST && (
        <button type="button" onClick={() => setLimit(Math.min(MOST, limit + 3 * PAGE))}>
          {desk.more}
        </button>
      )}
    </section>
  );
}

function CaseLine({
  tested: { id, file, line, tags, says, expected, skip, knownFailure },
}: {
  readonly tested: TestCase;
}) {
  const { desk } = useMessages();
  return (
    <li>
      <div className="table-line">
        <strong>{id}</strong>
        <span>{says}</span>
        {tags.map((tag) => (
          <span key={tag} className="badge">
            {tag}
          </span>
        ))}
        {skip !== undefined && <span className="badge badge-warn">{desk.statuses.skipped}</span>}
        {knownFailure !== undefined && <span className="badge badge-warn">{desk.statuses.known}</span>}
      </div>
      <div className="quiet">
        {desk.place(file, line)}
        {expected !== undefined && ` · ${desk.expected}: ${desk.outcomes[expected]}`}
        {(skip ?? knownFailure) !== undefined && ` · ${skip ?? knownFailure}`}
      </div>
    </li>
  );
}
