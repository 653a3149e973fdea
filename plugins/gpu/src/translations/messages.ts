import { requestMessages } from './requestMessages';
import { placeMessages } from './placeMessages';
import { fieldMessages } from './fieldMessages';

/** Every English string of the plugin. */
export const gpuMessages = {
  time: {
    now: 'just now',
    ago: '{{duration}} ago',
  },
  live: {
    loading: 'Loading',
    retry: 'Try again',
    denied: 'You may not see this',
    missing: 'There is no such thing here',
    failed: 'The GPU service does not answer',
    staleSince: 'The GPU service does not answer since',
    shownIsOf: 'What you see is of',
  },
  table: {
    parts: 'Show what {{name}} is made of',
  },
  nav: {
    title: 'GPU',
    overview: 'Overview',
    requests: 'Requests',
    catalogue: 'Catalogue',
    queues: 'Queues',
    fleet: 'Fleet',
    ask: 'Request GPUs',
  },
  ...requestMessages,
  ...placeMessages,
  ...fieldMessages,
} as const;
