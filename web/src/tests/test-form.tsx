import type { FormEvent } from 'react';
import type { TestChoice } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';

type Mode = NonNullable<TestChoice['mode']>;

interface TestFormProps {
  readonly knownTags: readonly string[];
  readonly tags: readonly string[];
  readonly onTags: (tags: readonly string[]) => void;
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
  readonly isRunning: boolean;
  readonly onRun: (choice: { readonly bail: boolean; readonly mode: Mode }) => void;
}

/** Which cases, and how they are asked. */
export function TestForm({ isRunning, onRun, filter, onFilter, ...tagProps }: TestFormProps) {
  const { desk, mode, modes } = useMessages();
  const run = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    onRun({ bail: given.has('bail'), mode: given.get('mode') as Mode });
  };
  return (
    <form onSubmit={run}>
      <div className="explore-bar">
        <label>
          {desk.filter}
          <input
            type="search"
            value={filter}
            maxLength={200}
            onChange={({ currentTarget }) => onFilter(currentTarget.value)}
          />
        </label>
        <label>
          {mode}
          <select name="mode" defaultValue="fast">
            {Object.entries(modes).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" className="primary" disabled={isRunning}>
          {desk.runTests}
        </button>
      </div>
      <label>
        <input type="checkbox" name="bail" /> {desk.bail}
      </label>
      <TagTicks {...tagProps} />
    </form>
  );
}

function TagTicks({ knownTags, tags, onTags }: Pick<TestFormProps, 'knownTags' | 'tags' | 'onTags'>) {
  const { desk } = useMessages();
  if (knownTags.length === 0) return null;
  return (
    <fieldset className="ticks tag-ticks">
      <legend>{desk.tags}</legend>
      {knownTags.map((tag) => (
        <label key={tag}>
          <input
            type="checkbox"
            checked={tags.includes(tag)}
            onChange={({ currentTarget }) =>
              onTags(currentTarget.checked ? [...tags, tag] : tags.filter((other) => other !== tag))
            }
          />{' '}
          {tag}
        </label>
      ))}
    </fieldset>
  );
}
