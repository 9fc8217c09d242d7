import type { KeptRecord } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';

type Model = NonNullable<KeptRecord['model']>;
type Sent = NonNullable<Model['sent']>[number];

/** What a language model did, and what it was told. */
export function ModelUse({ model }: { readonly model: KeptRecord['model'] }) {
  const messages = useMessages();
  const { files } = messages;
  return (
    <>
      <section>
        <h3>{messages.model}</h3>
        {model === undefined ? (
          <p>{files.noModel}</p>
        ) : (
          <>
            <p>
              {messages.modelLine(model.id, model.calls)} · {messages.mode}: {messages.modes[model.mode]}
            </p>
            <ul>
              {model.story.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </>
        )}
      </section>
      <section>
        <h3>{files.leftMachine}</h3>
        <Left model={model} />
      </section>
    </>
  );
}

function Left({ model }: { readonly model: KeptRecord['model'] }) {
  const { files } = useMessages();
  if (model === undefined) return <p>{files.nothingLeft}</p>;
  if (model.sent === undefined) return <p>{files.sentNotKept}</p>;
  const isOut = model.sent.some(({ host, outcome }) => host !== null && outcome !== 'replayed');
  return (
    <>
      {!isOut && <p>{files.nothingLeft}</p>}
      <ol className="sent" aria-label={files.modelCalls}>
        {model.sent.map((call, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: calls may be alike, and the list never changes
          <li key={at}>
            <Call call={call} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Call({ call }: { readonly call: Sent }) {
  const { files } = useMessages();
  const { role, model, host, promptTokens, completionTokens, cachedTokens, blocks, tables, outcome } = call;
  return (
    <>
      <p>
        <strong>{role}</strong> {files.toModel(model, host)} · {files.callOutcomes[outcome]} ·{' '}
        {files.tokens(promptTokens, completionTokens, cachedTokens)}
      </p>
      <ul>
        {blocks.map(({ name, characters, mayHoldValues }) => (
          <li key={name}>
            {files.block(name, characters)}
            {mayHoldValues && <span className="note-warn"> {files.mayHoldValues}</span>}
          </li>
        ))}
      </ul>
      {tables.length > 0 && (
        <p className="quiet">
          {files.tablesNamed}: {tables.join(', ')}
        </p>
      )}
    </>
  );
}
