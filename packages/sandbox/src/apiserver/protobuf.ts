/**
 * As much of protobuf as kubectl cannot do without: it sends its questions
 * about rights in this form and takes answers in JSON.
 */

/** Media type of Kubernetes' protobuf. */
export const protobufType = 'application/vnd.kubernetes.protobuf';

const magic = Buffer.from('k8s\0');

/** Length-delimited fields of a message, by number; the last of each counts. Throws RangeError when cut short. */
export function readFields(message: Buffer): Map<number, Buffer> {
  const fields = new Map<number, Buffer>();
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = message.readUInt8(at++);
      value += (byte % 128) * shift;
      if (byte < 128) {
        return value;
      }
    }
  };
  while (at < message.length) {
    const tag = varint();
    const wireType = tag % 8;
    if (wireType === 2) {
      const length = varint();
      fields.set(Math.floor(tag / 8), message.subarray(at, at + length));
      at += length;
    } else if (wireType === 0) {
      varint();
    } else {
      at += wireType === 1 ? 8 : 4;
    }
  }
  return fields;
}

/** The object inside the envelope (runtime.Unknown) that Kubernetes puts around each. */
export function unwrap(body: Buffer): Buffer {
  if (!body.subarray(0, magic.length).equals(magic)) {
    throw new RangeError('no Kubernetes protobuf');
  }
  const raw = 2;
  return readFields(body.subarray(magic.length)).get(raw) ?? Buffer.alloc(0);
}
