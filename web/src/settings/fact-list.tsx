import type { ReactNode } from 'react';

export type Fact = readonly [name: string, value: ReactNode];

interface FactListProps {
  readonly title: string;
  readonly facts: readonly Fact[];
}

/** Names with their values, under a title. */
export function FactList({ title, facts }: FactListProps) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
