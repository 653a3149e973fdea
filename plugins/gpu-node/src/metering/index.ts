export * from './ledgerStore';
export * from './usageMeter';
export * from './usageMeterExtensionPoint';
