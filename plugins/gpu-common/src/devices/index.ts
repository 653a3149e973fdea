export * from './deviceClass';
