import { Header, Page, TabbedLayout } from '@backstage/core-components';
import { CataloguePage } from '../catalogue/CataloguePage';
import { AskButton } from '../links/AskButton';
import { FleetPage } from '../fleet/FleetPage';
import { OverviewPage } from '../overview/OverviewPage';
import { QueuesPage } from '../queues/QueuesPage';
import { RequestsRoutes } from '../requests/RequestsRoutes';
import { useGpuText } from '../translations';

/** The pages under the legacy system's own header and tabs. */
export function GpuPage() {
  const { t } = useGpuText();
  return (
    <Page themeId="tool">
      <Header title={t('nav.title')}>
        <AskButton />
      </Header>
      <TabbedLayout>
        <TabbedLayout.Route path="/overview" title={t('nav.overview')}>
          <OverviewPage />
        </TabbedLayout.Route>
        <TabbedLayout.Route path="/requests" title={t('nav.requests')}>
          <RequestsRoutes />
        </TabbedLayout.Route>
        <TabbedLayout.Route path="/catalogue" title={t('nav.catalogue')}>
          <CataloguePage />
        </TabbedLayout.Route>
        <TabbedLayout.Route path="/queues" title={t('nav.queues')}>
          <QueuesPage />
        </TabbedLayout.Route>
        <TabbedLayout.Route path="/fleet" title={t('nav.fleet')}>
          <FleetPage />
        </TabbedLayout.Route>
      </TabbedLayout>
    </Page>
  );
}
