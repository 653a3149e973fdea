import { LinkButton } from '@backstage/core-components';
import { usePermission } from '@backstage/plugin-permission-react';
import { gpuRequestCreatePermission } from '@gpuaas/backstage-plugin-gpu-common';
import { useGpuText } from '../translations';
import { useGpuLinks } from './useGpuLinks';

/** "Request GPUs": the way to the form, for those who may ask. */
export function AskButton({ entityRef }: { entityRef?: string }) {
  const { t } = useGpuText();
  const links = useGpuLinks();
  const { allowed } = usePermission({ permission: gpuRequestCreatePermission });
  if (!allowed || !links.ask) {
    return null;
  }
  return (
    <LinkButton
      to={links.ask(entityRef)}
      variant="contained"
      color="primary"
      size="small"
    >
      {t('nav.ask')}
    </LinkButton>
  );
}
