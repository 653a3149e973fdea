export interface Config {
  app?: {
    /**
     * The people the sign-in page of the development hub offers.
     * @deepVisibility frontend
     */
    people?: Array<{ name: string; title: string; description: string }>;
  };
  auth?: {
    providers?: {
      sandbox?: {
        /** Names of catalog Users who may sign in without a password. */
        people: string[];
      };
    };
  };
}
