const KEY = 'gpu-hub.person';

/** The name of the person this tab signed in as; kept until sign-out or until the tab closes. */
export const chosenPerson = {
  get: () => sessionStorage.getItem(KEY) ?? undefined,
  set: (name: string) => sessionStorage.setItem(KEY, name),
  clear: () => sessionStorage.removeItem(KEY),
};
