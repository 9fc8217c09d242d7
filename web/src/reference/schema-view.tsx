import { useState } from 'react';
import { useMessages } from '../i18n/use-messages.ts';
import type { OpenApi, Schema } from './open-api.ts';
import { partsOfSchema, type SchemaPart } from './parts-of-schema.ts';
import { resolveSchema } from './resolve-schema.ts';
import { typeWords } from './type-words.ts';

interface SchemaViewProps {
  readonly schema: Schema;
  readonly document: OpenApi;
}

/** A schema as nested lists; what is inside a part is drawn once it is opened, so that one may hold itself. */
export function SchemaView({ schema, document }: SchemaViewProps) {
  const { desk } = useMessages();
  const parts = partsOfSchema(schema, document, desk);
  return (
    <>
      <p className="quiet">
        {typeWords(schema, document, desk)}
        {descriptionOf(schema, document)}
      </p>
      {parts.length > 0 && <Parts parts={parts} document={document} />}
    </>
  );
}

function Parts({ parts, document }: { readonly parts: readonly SchemaPart[]; readonly document: OpenApi }) {
  return (
    <ul className="schema">
      {parts.map((part) => (
        <li key={part.key}>
          <PartView part={part} document={document} />
        </li>
      ))}
    </ul>
  );
}

function PartView({ part, document }: { readonly part: SchemaPart; readonly document: OpenApi }) {
  const { desk } = useMessages();
  const [isOpen, setOpen] = useState(false);
  const { name, isRequired, schema } = part;
  const inner = partsOfSchema(schema, document, desk);
  const line = (
    <>
      {name !== undefined && <code>{name}</code>} <span>{typeWords(schema, document, desk)}</span>
      {isRequired === true && <span className="quiet"> · {desk.required}</span>}
      <span className="quiet">{descriptionOf(schema, document)}</span>
    </>
  );
  if (inner.length === 0) return <div>{line}</div>;
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{line}</summary>
      {isOpen && <Parts parts={inner} document={document} />}
    </details>
  );
}

function descriptionOf(schema: Schema, document: OpenApi): string {
  const said = schema.description ?? resolveSchema(schema, document).schema.description;
  return said === undefined ? '' : ` · ${said}`;
}
