export * from './readBody';
