export * from './resourceRefs';
export * from './rules';
