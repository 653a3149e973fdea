import { GpuRequest } from '@gpuaas/backstage-plugin-gpu-common';
import { makeStyles, Typography } from '@material-ui/core';
import { Lasting } from '../show/Age';
import { Notice } from '../show/Notice';
import { useGpuText } from '../translations';

const useStyles = makeStyles(theme => ({
  words: {
    margin: theme.spacing(1, 0, 0),
    paddingLeft: theme.spacing(1.5),
    borderLeft: `2px solid ${theme.palette.divider}`,
    overflowWrap: 'anywhere',
  },
}));

/** Somebody else's words, marked as such. */
export function Words(props: { who: string; children: string }) {
  const classes = useStyles();
  return (
    <figure className={classes.words}>
      <Typography
        variant="caption"
        component="figcaption"
        color="textSecondary"
      >
        {props.who}
      </Typography>
      <Typography variant="body2" component="blockquote" style={{ margin: 0 }}>
        {props.children}
      </Typography>
    </figure>
  );
}

/** Why a request does not run: in plain words, with Kueue's or the cluster's own beside them. */
export function Waiting({ request }: { request: GpuRequest }) {
  const { t } = useGpuText();
  const { waiting, delivery, cluster } = request;
  if (request.state === 'refused') {
    return (
      <Notice tone="bad" title={t('request.clusterSays', { cluster })}>
        {delivery.message}
      </Notice>
    );
  }
  if (!waiting) {
    return null;
  }
  return (
    <Notice
      tone="waiting"
      title={
        <>
          {t('request.waitsFor')} · <Lasting since={waiting.since} />
        </>
      }
    >
      {waiting.sentence}
      {waiting.message && (
        <Words who={t('request.kueueSays')}>{waiting.message}</Words>
      )}
    </Notice>
  );
}
