import { Link } from '@backstage/core-components';
import { useApi } from '@backstage/core-plugin-api';
import { RequestQuery } from '@gpuaas/backstage-plugin-gpu-common';
import { ReactNode } from 'react';
import { gpuApiRef } from '../api/gpuApiRef';
import { LiveBody } from '../live/LiveBody';
import { useLive } from '../live/useLive';
import { RequestsTable } from '../requests/RequestsTable';
import { Panel } from '../show/Panel';
import { useGpuText } from '../translations';

/** The first few requests that answer a question, and the way to all of them. */
export function RequestsPanel(props: {
  title: string;
  hint?: string;
  query: RequestQuery;
  seeAll: string;
  /** Shown when there are none; without it the panel is left out. */
  empty?: ReactNode;
  hide?: Array<'who'>;
}) {
  const { t } = useGpuText();
  const api = useApi(gpuApiRef);
  const { query, empty } = props;
  const live = useLive(
    () => api.getRequests({ limit: 5, ...query }),
    [api, JSON.stringify(query)],
    3_000,
  );
  const none = live.value?.items.length === 0;
  if (empty === undefined && (none || !live.value)) {
    return null;
  }
  const more = live.value && live.value.totalItems > live.value.items.length;
  return (
    <Panel
      title={props.title}
      hint={live.value && !none ? props.hint : undefined}
    >
      <LiveBody live={live} empty={() => (none ? empty : undefined)}>
        {page => (
          <>
            <RequestsTable requests={page.items} hide={props.hide} />
            {more && (
              <Link to={props.seeAll}>
                {t('overview.seeAll')} ({page.totalItems})
              </Link>
            )}
          </>
        )}
      </LiveBody>
    </Panel>
  );
}
