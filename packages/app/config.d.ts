export interface Config {
  app?: {
    /**
     * The people the sign-in page of the development hub offers.
     * @deepVisibility frontend
     */
    people?: Array<{
      /** Name of a User in the catalog's default namespace. */
      name: string;
      title: string;
      description: string;
    }>;
  };
}
