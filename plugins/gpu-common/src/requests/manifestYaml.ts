import { JsonObject } from '@backstage/types';
import { Document, Scalar, visit } from 'yaml';

/** Words that no version of YAML takes for anything but text. */
const PLAIN = /^[A-Za-z][-A-Za-z0-9_./@]*(:[-A-Za-z0-9_./@]+)*$/;

/** Several lines of printable ASCII that begin with text, so that a block needs no hints. */
const SCRIPT = /^[!-~][ -~]*(\n[ -~]*)*\n?$/;

/** Line breaks of YAML 1.1, byte order mark and C1 controls: readers differ over them. */
const DIVIDING = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

/**
 * A manifest as YAML that Kubernetes' reader (YAML 1.1, in Go) and a reader of YAML 1.2
 * understand alike: whatever is not plainly a word is quoted, scripts stand as blocks so
 * that a reviewer can read them. Same manifest, same bytes.
 */
export function manifestYaml(manifest: JsonObject): string {
  const document = new Document(manifest, {
    version: '1.1',
    aliasDuplicateObjects: false,
  });
  visit(document, {
    Scalar(key, node) {
      if (key !== 'key' && typeof node.value === 'string') {
        node.type = styleOf(node.value);
      }
    },
  });
  return document
    .toString({ lineWidth: 0 })
    .replace(
      DIVIDING,
      char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}

function styleOf(text: string): Scalar.Type {
  if (PLAIN.test(text)) {
    // Words such as "yes" are quoted by the library all the same.
    return Scalar.PLAIN;
  }
  const readable =
    SCRIPT.test(text) && text.includes('\n') && !/ (\n|$)|\n\n$/.test(text);
  return readable ? Scalar.BLOCK_LITERAL : Scalar.QUOTE_DOUBLE;
}
