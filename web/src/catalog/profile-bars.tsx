import type { Profile } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';

const MOST_BARS = 5;

/** How full a column is, how many different values it has, and the most frequent of them as bars. */
export function ProfileBars({ profile }: { readonly profile: Profile }) {
  const { explore } = useMessages();
  const { nullShare, distinct, isDistinctEstimated, isWithheld, personal, min, max } = profile;
  return (
    <div className="profile">
      {nullShare !== undefined && <FullBar empty={nullShare} />}
      {distinct !== undefined && <div>{explore.distinct(distinct, isDistinctEstimated)}</div>}
      {isWithheld ? (
        <div className="note-warn">
          {explore.withheld} {personal}
        </div>
      ) : (
        <>
          {min !== undefined && max !== undefined && <div>{explore.range(min, max)}</div>}
          <ValueBars profile={profile} />
        </>
      )}
    </div>
  );
}

/** The part of the rows that has a value. */
function FullBar({ empty }: { readonly empty: number }) {
  const { explore } = useMessages();
  const percent = empty > 0 && empty < 0.01 ? '< 1 %' : `${Math.round(empty * 100)} %`;
  return (
    <div className="bar-line">
      <span className="bar" aria-hidden="true">
        <span style={{ width: `${(1 - empty) * 100}%` }} />
      </span>
      {explore.nullable(percent)}
    </div>
  );
}

function ValueBars({ profile: { topValues, bins, examples } }: { readonly profile: Profile }) {
  const { explore } = useMessages();
  const shown = topValues.slice(0, MOST_BARS);
  const most = Math.max(1, ...shown.map(({ count }) => count));
  // Bars of values that stand once each say nothing.
  if (shown.length > 0 && most > 1)
    return (
      <ul className="value-bars">
        {shown.map(({ value, count }) => (
          <li key={value} title={explore.timesOf(value, count)}>
            <span className="bar" aria-hidden="true">
              <span style={{ width: `${(count / most) * 100}%` }} />
            </span>
            <span className="one-line">{value}</span> <span className="quiet">{explore.count(count)}</span>
          </li>
        ))}
      </ul>
    );
  if (bins.length > 2)
    return (
      <div className="quiet one-line" title={explore.spread(bins)}>
        {bins.join(' · ')}
      </div>
    );
  return <div className="quiet one-line">{examples.slice(0, MOST_BARS).join(' · ')}</div>;
}
