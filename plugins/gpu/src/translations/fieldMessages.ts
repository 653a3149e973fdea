/** Strings of the Scaffolder fields. */
export const fieldMessages = {
  field: {
    queueTitle: 'Team and queue',
    queueHelp: 'The queues of your teams.',
    queueNone:
      'None of your groups owns a queue. Type one as namespace/queue, or ask the platform team.',
    queueFailed: 'Queues cannot be listed now. Type one as namespace/queue.',
    queueOption: '{{namespace}} / {{queue}} on {{clusters}}',
    queueInvalid:
      'Queue {{value}} is not understood: write namespace/queue, for example team-07/gpu.',
    clusterTitle: 'Cluster',
    clusterHelp: 'Best fit takes the cluster that can start it first.',
    clusterNeedsQueue: 'Choose a queue to see the clusters that have it.',
    clusterFailed: 'Clusters cannot be listed now. Type a name, or best-fit.',
    bestFit: 'Best fit',
    clusterFresh: 'current as of',
    clusterStale: 'cannot be read; last seen',
    clusterWithoutQueue:
      'Cluster {{value}} has not this queue. It may go to: {{offered}}.',
    durationTitle: 'Longest duration',
    durationHelp: 'Leave it empty for no limit.',
    durationInvalid:
      'Duration {{value}} is not understood: give whole numbers from 0.',
    hours: 'Hours',
    minutes: 'Minutes',
    deviceTitle: 'GPU',
    byClass: 'A device class',
    byFraction: 'A fraction of a GPU',
    mode: 'How to ask',
    deviceHelp: 'Free is physical; in brackets what your queue may take.',
    deviceNone: 'No device class is offered. Type a device class id.',
    deviceFailed:
      'Device classes cannot be listed now. Type a device class id.',
    deviceOffer: '{{free}} free of {{total}} on {{cluster}}',
    deviceOfferForQueue:
      '{{free}} free of {{total}} on {{cluster}} ({{forQueue}} for your queue)',
    deviceInvalid:
      'Device {{value}} is not understood: choose a device class, or a fraction with 1 to 100 % of the cores and at least 1 MiB of VRAM.',
    core: 'Compute',
    coreHelp: 'of one GPU’s cores, 1 to 100',
    vram: 'VRAM',
    vramHelp: 'memory it can use',
    coreInvalid: 'Compute {{value}} % is not accepted: give 1 to 100.',
    vramInvalid: 'VRAM {{value}} GiB is not accepted: give more than 0.',
    matched: 'Matched to {{deviceClass}}',
    classId: 'Device class id',
    priorityTitle: 'Priority',
    priorityHelp: 'The classes this queue may use; a higher value goes first.',
    priorityNeedsQueue: 'Choose a queue first.',
    priorityOption: '{{name}} ({{value}})',
    priorityDefault: 'The queue’s default',
    priorityNotAllowed:
      'Priority {{value}} is not allowed in this queue. It may use: {{allowed}}.',
    fitTitle: 'Will it fit?',
    fitNeeds: 'Choose a queue and a GPU to see whether it would run now.',
    fitFailed: 'Whether it fits cannot be told now.',
    verdict: {
      now: 'Starts now',
      later: 'Allowed, waits',
      never: 'Cannot run',
    },
    fitFacts_one:
      '{{count}} unit, {{physical}}, {{share}} % of the pool on {{cluster}}',
    fitFacts_other:
      '{{count}} units, {{physical}}, {{share}} % of the pool on {{cluster}}',
    fitQuota: 'Quota used: {{before}} before, {{after}} after, of {{nominal}}',
    fitBorrows: '{{units}} of them borrowed',
  },
} as const;
