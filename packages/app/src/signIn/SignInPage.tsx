import { ProxiedSignInPage } from '@backstage/core-components';
import {
  configApiRef,
  IdentityApi,
  useApi,
} from '@backstage/frontend-plugin-api';
import { SignInPageProps } from '@backstage/plugin-app-react';
import {
  Button,
  Card,
  CardActionArea,
  CardContent,
  Container,
  makeStyles,
  Typography,
} from '@material-ui/core';
import { useState } from 'react';
import { chosenPerson } from './chosenPerson';

const useStyles = makeStyles(theme => ({
  root: { paddingTop: theme.spacing(8), paddingBottom: theme.spacing(4) },
  title: {
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(2),
    marginBottom: theme.spacing(1),
  },
  people: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(16rem, 1fr))',
    gap: theme.spacing(2),
    margin: theme.spacing(3, 0, 0),
    padding: 0,
    listStyle: 'none',
  },
  card: { height: '100%' },
  action: { height: '100%' },
}));

/** An identity that forgets the choice when it signs out. */
function forgetting(identity: IdentityApi): IdentityApi {
  return {
    getProfileInfo: () => identity.getProfileInfo(),
    getBackstageIdentity: () => identity.getBackstageIdentity(),
    getCredentials: () => identity.getCredentials(),
    signOut: async () => {
      chosenPerson.clear();
      await identity.signOut();
    },
  };
}

/** Lists the people of the development hub; a choice signs in without a password. */
export function SignInPage({ onSignInSuccess }: SignInPageProps) {
  const classes = useStyles();
  const config = useApi(configApiRef);
  const [name, setName] = useState(chosenPerson.get);
  const people = config.getOptionalConfigArray('app.people') ?? [];

  const choose = (next: string | undefined) => {
    if (next) {
      chosenPerson.set(next);
    } else {
      chosenPerson.clear();
    }
    setName(next);
  };

  if (name) {
    return (
      <ProxiedSignInPage
        provider="sandbox"
        headers={{ 'x-sandbox-user': name }}
        onSignInSuccess={identity => onSignInSuccess(forgetting(identity))}
        ErrorComponent={({ error }) => (
          <Container component="main" maxWidth="sm" className={classes.root}>
            <Typography variant="h5" component="h1" gutterBottom>
              Cannot sign in as {name}
            </Typography>
            <Typography paragraph role="alert">
              {error?.message}
            </Typography>
            <Button
              variant="contained"
              color="primary"
              onClick={() => choose(undefined)}
            >
              Choose again
            </Button>
          </Container>
        )}
      />
    );
  }

  return (
    <Container component="main" maxWidth="md" className={classes.root}>
      <div className={classes.title}>
        <img src="/icon.svg" width={48} height={48} alt="" />
        <Typography variant="h4" component="h1">
          {config.getOptionalString('app.title')}
        </Typography>
      </div>
      <Typography color="textSecondary">
        Who are you today? There is no password: this hub is for development.
      </Typography>
      <ul className={classes.people}>
        {people.map(person => (
          <li key={person.getString('name')}>
            <Card variant="outlined" className={classes.card}>
              <CardActionArea
                className={classes.action}
                onClick={() => choose(person.getString('name'))}
              >
                <CardContent>
                  <Typography variant="h6" component="h2">
                    {person.getString('title')}
                  </Typography>
                  <Typography variant="body2" color="textSecondary">
                    {person.getString('description')}
                  </Typography>
                </CardContent>
              </CardActionArea>
            </Card>
          </li>
        ))}
      </ul>
    </Container>
  );
}
