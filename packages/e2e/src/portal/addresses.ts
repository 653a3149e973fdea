/** Where a running portal and what it works on are reached from outside. */
export interface Addresses {
  portal: string;
  forge: string;
  hub: string;
  'spoke-a': string;
  'spoke-b': string;
}

/** Read from the environment variable that the commands in `scripts/` set. */
export function addressesFromEnvironment(): Addresses {
  const text = process.env.GPUAAS_ADDRESSES;
  if (!text) {
    throw new Error(
      'GPUAAS_ADDRESSES is not set; run this through npm (npm run demo, npm run bench), which starts a portal or finds the one that runs',
    );
  }
  return JSON.parse(text) as Addresses;
}
