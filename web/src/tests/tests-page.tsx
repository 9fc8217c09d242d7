import { useState } from 'react';
import type { TestList } from '../api/contract.ts';
import { useReply } from '../api/use-reply.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from '../shell/failure-note.tsx';
import { useDebounced } from '../shell/use-debounced.ts';
import '../explore.css';
import '../desk.css';
import { CaseList } from './case-list.tsx';
import { TestForm } from './test-form.tsx';
import { TestProgressLine } from './test-progress-line.tsx';
import { TestReportView } from './test-report-view.tsx';
import { useTestRun } from './use-test-run.ts';

/** `#/tests`: the questions of the project with the outcome they should have, to be run. */
export default function TestsPage() {
  const messages = useMessages();
  const { desk } = messages;
  const { reply: known, failure } = useReply<TestList>('/v1/tests?limit=1');
  const [tags, setTags] = useState<readonly string[]>([]);
  const [filter, setFilter] = useState('');
  const { state, start, cancel } = useTestRun();
  const wanted = useDebounced(filter.trim());
  if (known === undefined)
    return (
      <div className="page">
        {failure === undefined ? (
          <p className="quiet">{messages.loading}</p>
        ) : (
          <FailureNote failure={failure}>
            {failure.code === 'server.no-right' && desk.noTestRight}
          </FailureNote>
        )}
      </div>
    );
  return (
    <div className="page explore">
      <p className="quiet">{desk.testsLine}</p>
      <TestForm
        knownTags={known.tags}
        tags={tags}
        onTags={setTags}
        filter={filter}
        onFilter={setFilter}
        isRunning={state.kind === 'running'}
        onRun={({ bail, mode }) =>
          start({
            ...(tags.length > 0 && { tags: [...tags] }),
            ...(filter.trim() !== '' && { filter: filter.trim() }),
            ...{ bail, mode },
          })
        }
      />
      {state.kind === 'running' && (
        <TestProgressLine progress={state.progress} isLost={state.isLost} onCancel={cancel} />
      )}
      {state.kind === 'failed' && <FailureNote failure={state.failure} />}
      {state.kind === 'reported' && <TestReportView report={state.report} />}
      <CaseList tags={tags} filter={wanted} />
    </div>
  );
}
