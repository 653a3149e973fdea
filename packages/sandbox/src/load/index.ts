export * from './loadPlan';
export * from './startLoad';
