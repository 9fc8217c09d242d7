import type { KeptRecord } from '../api/contract.ts';
import { useReply } from '../api/use-reply.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { CopyButton } from '../shell/copy-button.tsx';
import { FailureNote } from '../shell/failure-note.tsx';
import { hashOf } from '../shell/use-route.ts';
import { breakSql } from '../sql/break-sql.ts';
import { ModelUse } from './model-use.tsx';
import { OutcomeBadge } from './outcome-badge.tsx';
import { Replay } from './replay.tsx';
import { RunChecks } from './run-checks.tsx';
import { RunContext } from './run-context.tsx';
import { StageBars } from './stage-bars.tsx';

/** How one answer came about: stages, checks, cost, what left the machine. */
export function RunView({ id }: { readonly id: string }) {
  const messages = useMessages();
  const { files } = messages;
  const { reply: record, failure } = useReply<KeptRecord>(`/v1/records/${encodeURIComponent(id)}`);
  return (
    <article aria-busy={record === undefined && failure === undefined}>
      <p>
        <a href={hashOf(['runs'])}>← {files.allRuns}</a>
      </p>
      {failure !== undefined && <FailureNote failure={failure} />}
      {record === undefined && failure === undefined && <p className="quiet">{messages.loading}</p>}
      {record !== undefined && (
        <>
          <RunHead record={record} />
          <RunContext record={record} />
          {record.sql !== undefined && <RunSql sql={record.sql} />}
          <StageBars stages={record.stages} />
          <RunChecks checks={record.checks} />
          <ModelUse model={record.model} />
          <Replay id={record.id} />
        </>
      )}
    </article>
  );
}

function RunHead({ record }: { readonly record: KeptRecord }) {
  const messages = useMessages();
  const { files } = messages;
  const { question, kind, at, stages, model, rowCount } = record;
  const ms = stages.reduce((sum, stage) => sum + stage.ms, 0);
  const totals = [
    [files.timeTotal, files.time(ms)],
    [
      files.costTotal,
      model === undefined
        ? files.noModelCost
        : model.cost === undefined
          ? files.unknownCost
          : files.cost(model.cost),
    ],
    ...(model === undefined
      ? []
      : [[files.tokensTotal, files.tokens(model.promptTokens, model.completionTokens, model.cachedTokens)]]),
    ...(rowCount === undefined ? [] : [[files.result, messages.rows(rowCount)]]),
  ];
  return (
    <header>
      <div className="table-line">
        <h2>{question}</h2>
        <OutcomeBadge kind={kind} />
        <span className="quiet">{files.day(at)}</span>
      </div>
      <dl className="totals">
        {totals.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </header>
  );
}

function RunSql({ sql }: { readonly sql: string }) {
  const messages = useMessages();
  return (
    <section>
      <div className="sql-bar">
        <h3>{messages.sql}</h3>
        <CopyButton text={sql} />
      </div>
      <pre className="sql-plain run-sql">{breakSql(sql)}</pre>
    </section>
  );
}
