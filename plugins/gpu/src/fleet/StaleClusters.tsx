import { Cluster } from '@gpuaas/backstage-plugin-gpu-common';
import { Moment } from '../show/Moment';
import { Notice } from '../show/Notice';
import { useGpuText } from '../translations';

/** Says which clusters cannot be read and since when, above numbers that come from them. */
export function StaleClusters({ clusters }: { clusters: Cluster[] }) {
  const { t } = useGpuText();
  return (
    <>
      {clusters
        .filter(cluster => cluster.state === 'unreachable')
        .map(cluster => (
          <Notice
            key={cluster.name}
            tone="waiting"
            title={
              <>
                {t('clusters.staleTitle', { cluster: cluster.name })}{' '}
                <Moment at={cluster.freshAt ?? cluster.since} />
              </>
            }
          >
            {t('clusters.staleHint')} {cluster.message}
          </Notice>
        ))}
    </>
  );
}
