export * from './apportion';
export * from './gpuTime';
export * from './money';
export * from './quantity';
