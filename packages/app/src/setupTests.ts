import '@testing-library/jest-dom';
import { configure } from '@testing-library/react';

configure({
  // a loaded machine renders a page of tables in seconds, not in the default one
  asyncUtilTimeout: 10_000,
  // computing what is visible makes up nearly all the time of a query by role
  defaultHidden: true,
});
jest.setTimeout(30_000);
