export * from './startPrometheus';
