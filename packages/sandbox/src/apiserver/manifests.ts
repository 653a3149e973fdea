import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { mergePatch } from './patch/mergePatch';
import type { KubernetesObject, ObjectStore } from './objectStore';

/** Objects of a YAML text with one or more documents. Throws when it cannot be read. */
export function parseManifests(text: string): KubernetesObject[] {
  return parseAllDocuments(text).flatMap(document => {
    if (document.errors?.length) {
      throw document.errors[0];
    }
    const object = document.toJS();
    return object ? [object as KubernetesObject] : [];
  });
}

/** Creates the objects of a YAML file in a store, or merges them over what is there. */
export function applyManifestFile(store: ObjectStore, path: string): void {
  for (const object of parseManifests(readFileSync(path, 'utf8'))) {
    const { name, namespace } = object.metadata;
    const existing = store.get(object.kind, name, namespace);
    if (existing) {
      store.update(mergePatch(existing, object));
    } else {
      store.create(object);
    }
  }
}
