import { Cluster } from '@gpuaas/backstage-plugin-gpu-common';
import { Typography } from '@material-ui/core';
import { Age } from '../show/Age';
import { Column, DataTable } from '../show/DataTable';
import { formatGpus } from '../show/gpuAmounts';
import { Moment } from '../show/Moment';
import { useGpuText } from '../translations';
import { ClusterStateMark } from './ClusterStateMark';

/** Clusters, whether they can be read, and how old their picture is. */
export function ClustersTable(props: { clusters: Cluster[]; short?: boolean }) {
  const { t } = useGpuText();
  const all: Array<Column<Cluster> & { short: boolean }> = [
    {
      title: t('clusters.cluster'),
      short: true,
      show: cluster => (
        <>
          {cluster.title}
          {!props.short && (
            <Typography variant="caption" color="textSecondary" display="block">
              {cluster.name}
            </Typography>
          )}
        </>
      ),
    },
    {
      title: t('clusters.role'),
      secondary: true,
      short: false,
      show: cluster => t(`clusters.${cluster.role}`),
    },
    {
      title: t('clusters.state'),
      short: true,
      show: cluster => <ClusterStateMark state={cluster.state} />,
    },
    {
      title: t('clusters.since'),
      secondary: true,
      short: false,
      show: cluster => <Moment at={cluster.since} />,
    },
    {
      title: t('clusters.fresh'),
      secondary: !props.short,
      short: true,
      show: cluster =>
        cluster.freshAt ? (
          <Age at={cluster.freshAt} />
        ) : (
          t('clusters.neverFresh')
        ),
    },
    {
      title: t('clusters.gpus'),
      short: true,
      numeric: true,
      show: cluster =>
        cluster.gpus.physical > 0 &&
        t('clusters.gpusOf', {
          used: formatGpus(cluster.gpus.usedNano).replace(/ GPUs?$/, ''),
          physical: formatGpus(cluster.gpus.physical * 1_000_000_000),
        }),
    },
    {
      title: t('clusters.kubernetes'),
      secondary: true,
      short: false,
      show: cluster => cluster.kubernetesVersion ?? '–',
    },
    {
      title: t('clusters.kueue'),
      secondary: true,
      short: false,
      show: cluster => cluster.kueueApiVersion ?? '–',
    },
    {
      title: t('clusters.reason'),
      secondary: true,
      short: false,
      wrap: true,
      show: cluster => cluster.message ?? '',
    },
  ];
  return (
    <DataTable
      label={t('clusters.list')}
      columns={props.short ? all.filter(column => column.short) : all}
      rows={props.clusters}
      keyOf={cluster => cluster.name}
    />
  );
}
