import { bootstrapPolicy } from './bootstrapPolicy';
import { MemoryStore, type MemoryStoreOptions } from './memoryStore';
import { builtinRules } from './rules/builtinRules';
import { servedTypes } from './types/servedTypes';

/**
 * The store of one sandbox cluster: every served kind with its built-in
 * behaviour, and the objects a cluster is born with. Add admission plugins
 * before anything is written that they should see.
 */
export function createStore(
  options: Omit<MemoryStoreOptions, 'types' | 'rules'> = {},
): MemoryStore {
  const store = new MemoryStore({
    types: servedTypes,
    rules: builtinRules,
    ...options,
  });
  bootstrapPolicy(store);
  return store;
}
