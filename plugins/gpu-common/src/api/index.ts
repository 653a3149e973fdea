export * from './client';
export * from './clusters';
export * from './deviceClasses';
export * from './fit';
export * from './queues';
export * from './requests';
export * from './workloads';
