import { Link } from '@backstage/core-components';
import { EntityRefLink } from '@backstage/plugin-catalog-react';
import { GpuRequest, Workload } from '@gpuaas/backstage-plugin-gpu-common';
import { useDevices } from '../devices/useDevices';
import { formatDuration } from '../show/duration';
import { Facts } from '../show/Facts';
import { Moment } from '../show/Moment';
import { Panel } from '../show/Panel';
import { useGpuText } from '../translations';
import { fileUrl } from './fileUrl';

/** When a request that runs has to end: its start and the longest run it asked for. */
export function latestEnd(request: GpuRequest): string | undefined {
  const startedAt = request.steps.find(step => step.name === 'Running')?.at;
  if (
    request.state !== 'running' ||
    !startedAt ||
    !request.maxDurationSeconds
  ) {
    return undefined;
  }
  return new Date(
    new Date(startedAt).getTime() + request.maxDurationSeconds * 1_000,
  ).toISOString();
}

/** What was asked, by whom and for what. */
export function AskedFacts({ request }: { request: GpuRequest }) {
  const { t } = useGpuText();
  const { titleOf } = useDevices();
  const end = latestEnd(request);
  return (
    <Panel title={t('request.asked')}>
      <Facts
        facts={[
          [t('request.deviceClass'), titleOf(request.deviceClass)],
          [t('request.unitsName'), String(request.units)],
          [
            t('request.priority'),
            request.priorityClass ?? t('request.priorityDefault'),
          ],
          [
            t('request.longest'),
            request.maxDurationSeconds
              ? formatDuration(request.maxDurationSeconds)
              : t('request.noLimit'),
          ],
          [t('request.until'), end && <Moment at={end} />],
          [t('request.kind'), t(`request.kinds.${request.kind}`)],
          [
            t('request.requester'),
            <EntityRefLink entityRef={request.requester} />,
          ],
          [t('request.entity'), <EntityRefLink entityRef={request.entity} />],
          [
            t('request.team'),
            request.team && <EntityRefLink entityRef={request.team} />,
          ],
        ]}
      />
    </Panel>
  );
}

/** The pull request, what delivers it, and the manifest. */
export function LinkFacts({ request }: { request: GpuRequest }) {
  const { t } = useGpuText();
  const { pullRequest, delivery, file } = request;
  const via = delivery.via;
  const viaName = via && `${via.kind} ${via.namespace}/${via.name}`;
  const url = fileUrl(request);
  return (
    <Panel title={t('request.links')}>
      <Facts
        facts={[
          [
            t('request.pullRequestName'),
            pullRequest ? (
              <>
                <Link to={pullRequest.url}>
                  {t('request.pullRequest', {
                    number: String(pullRequest.number),
                  })}
                </Link>
                {` · ${t(`request.pullRequestState.${pullRequest.state}`)}`}
              </>
            ) : (
              t('request.noPullRequest')
            ),
          ],
          [
            t('request.application'),
            via && (
              <>
                {via.url ? <Link to={via.url}>{viaName}</Link> : viaName}
                {delivery.revision &&
                  ` · ${t('request.revision', {
                    revision: delivery.revision.slice(0, 8),
                  })}`}
              </>
            ),
          ],
          [
            t('request.file'),
            url ? <Link to={url}>{file.path}</Link> : file.path,
          ],
        ]}
      />
    </Panel>
  );
}

/** The Job on the cluster, and its Workload once Kueue has made one. */
export function JobFacts(props: { request: GpuRequest; workload?: Workload }) {
  const { t } = useGpuText();
  const { request, workload } = props;
  const podSet = workload?.podSets[0];
  return (
    <Panel title={t('request.job')}>
      <Facts
        facts={[
          [t('request.cluster'), request.cluster],
          [t('request.namespace'), request.namespace],
          [t('request.jobName'), request.name],
          [t('request.queue'), request.queue],
          [t('request.flavor'), request.flavor],
          [t('request.workload'), request.workload?.name],
          [t('request.phase'), workload?.phase],
          [t('request.pods'), podSet && String(podSet.count)],
          [
            t('request.podRequests'),
            podSet &&
              Object.entries(podSet.requests)
                .map(([resource, amount]) => `${amount} ${resource}`)
                .join(', '),
          ],
          [
            t('request.evictions'),
            workload && workload.evictions > 0
              ? String(workload.evictions)
              : undefined,
          ],
          [
            t('request.commandHint'),
            <code>
              kubectl get job {request.name} -n {request.namespace}
            </code>,
          ],
        ]}
      />
    </Panel>
  );
}
