import { sha256 } from '@noble/hashes/sha256';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';

/** SHA-256 of the text's UTF-8 bytes, 64 hexadecimal digits; works in browsers. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/**
 * Digest of a manifest file, `sha256:<64 hex>`: proof that the merged file is the
 * one that was reviewed.
 *
 * @public
 */
export function fileDigest(text: string): string {
  return `sha256:${sha256Hex(text)}`;
}
