/**
 * The value of a GpuDevicePicker: a device class by id, or a fraction to match one to.
 *
 * @public
 */
export type DeviceValue =
  | { deviceClass: string }
  | { fraction: { corePercent: number; vramMiB: number } };

/** Per cent of a GPU's cores a fraction may ask for: a whole number from 1 to 100. */
export function isCorePercent(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 100;
}

/** Memory a fraction may ask for, MiB: a whole number from 1. */
export function isVramMiB(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1;
}

/** Whether a value of any origin says what device is asked for, in exactly one way. */
export function isDeviceValue(value: unknown): value is DeviceValue {
  const { deviceClass, fraction } = (value ?? {}) as {
    deviceClass?: unknown;
    fraction?: { corePercent?: unknown; vramMiB?: unknown };
  };
  if (deviceClass !== undefined) {
    return (
      fraction === undefined &&
      typeof deviceClass === 'string' &&
      /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/.test(deviceClass)
    );
  }
  return isCorePercent(fraction?.corePercent) && isVramMiB(fraction?.vramMiB);
}
