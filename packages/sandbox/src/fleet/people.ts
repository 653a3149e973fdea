/** Somebody who can sign in to the portal and to the forge. */
export interface Person {
  login: string;
  name: string;
  email: string;
  title: string;
  /** Backstage groups, without kind and namespace. */
  groups: readonly string[];
  /** May approve and merge in the GitOps repository. */
  maintainer: boolean;
}

const person = (
  login: string,
  name: string,
  title: string,
  group: string,
  maintainer = false,
): Person => ({
  login,
  name,
  email: `${login}@example.com`,
  title,
  groups: [group],
  maintainer,
});

export const people: readonly Person[] = [
  person('mira', 'Mira Okafor', 'ML engineer', 'team-07'),
  person('enzo', 'Enzo Marchetti', 'Engineering manager', 'team-07'),
  person('fiona', 'Fiona Lindqvist', 'FinOps', 'finops'),
  person('pavel', 'Pavel Horák', 'Platform engineer', 'platform', true),
];
