import type { ResourceType } from '../objectStore';
import { accessTypes } from './accessTypes';
import { coreTypes } from './coreTypes';
import { gitopsTypes } from './gitopsTypes';
import { kueueTypes } from './kueueTypes';
import { workTypes } from './workTypes';

/** Everything a sandbox cluster serves. */
export const servedTypes: readonly ResourceType[] = [
  ...coreTypes,
  ...workTypes,
  ...accessTypes,
  ...kueueTypes,
  ...gitopsTypes,
];
