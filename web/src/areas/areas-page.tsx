import { useState } from 'react';
import type { AreaList } from '../api/contract.ts';
import { useReply } from '../api/use-reply.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from '../shell/failure-note.tsx';
import '../explore.css';
import { AreaCard } from './area-card.tsx';
import { ClusterCard } from './cluster-card.tsx';

const PAGE = 20;

/** `#/areas`: product areas, and the clusters that may become some. */
export default function AreasPage() {
  const messages = useMessages();
  const { explore } = messages;
  const [limit, setLimit] = useState(PAGE);
  const { reply, failure, again } = useReply<AreaList>(`/v1/areas?limit=${limit}`);
  if (reply === undefined)
    return (
      <div className="page">
        {failure === undefined ? (
          <p className="quiet">{messages.loading}</p>
        ) : (
          <FailureNote failure={failure} />
        )}
      </div>
    );
  const { areas, areaCount, clusters, clusterCount, withoutClusters, isUnsettled, mayEdit } = reply;
  return (
    <div className="page explore">
      {failure !== undefined && <FailureNote failure={failure} />}
      <h2>{explore.areas}</h2>
      <p className="quiet">{areas.length === 0 ? explore.noAreas : explore.areasLine}</p>
      {areas.map((area) => (
        <AreaCard key={area.id} area={area} mayEdit={mayEdit} onChanged={again} />
      ))}
      {areaCount > areas.length && <p className="quiet">{explore.someAreas(areas.length, areaCount)}</p>}
      <h2>{explore.clusters}</h2>
      <p className="quiet">
        {withoutClusters === undefined ? explore.clustersLine : `${explore.noClusters} ${withoutClusters}.`}{' '}
        {isUnsettled && explore.unsettled}
      </p>
      {clusters.map((cluster) => (
        <ClusterCard key={cluster.id} cluster={cluster} mayEdit={mayEdit} onMade={again} />
      ))}
      {clusterCount > clusters.length && limit < 200 && (
        <button type="button" onClick={() => setLimit(Math.min(200, limit + PAGE))}>
          {explore.moreClusters}
        </button>
      )}
    </div>
  );
}
