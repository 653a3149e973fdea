import {
  Link,
  sidebarConfig,
  useSidebarOpenState,
} from '@backstage/core-components';
import { configApiRef, useApi } from '@backstage/frontend-plugin-api';
import { makeStyles, Typography } from '@material-ui/core';

const useStyles = makeStyles({
  link: {
    display: 'flex',
    alignItems: 'center',
    height: 2 * sidebarConfig.logoHeight,
    color: '#fff',
  },
  icon: {
    width: sidebarConfig.drawerWidthClosed,
    display: 'flex',
    justifyContent: 'center',
    flex: 'none',
  },
});

/** The product's mark, and its name while the sidebar is open. */
export function SidebarLogo() {
  const classes = useStyles();
  const { isOpen } = useSidebarOpenState();
  const title = useApi(configApiRef).getOptionalString('app.title');
  return (
    <Link to="/" underline="none" className={classes.link} aria-label="Home">
      <span className={classes.icon}>
        <img src="/icon.svg" width={32} height={32} alt="" />
      </span>
      {isOpen && (
        <Typography variant="subtitle1" component="span" noWrap>
          {title}
        </Typography>
      )}
    </Link>
  );
}
