import { expired } from './apiStatus';
import type { WatchEvent } from './objectStore';

/** One committed change. */
export interface Commit {
  /** The resourceVersion it made. */
  version: number;
  kind: string;
  event: WatchEvent;
}

/**
 * The last changes of a cluster, so that a watch can go on from a
 * resourceVersion and a paged list can be finished as it was begun. Versions
 * follow each other without a gap.
 */
export class EventHistory {
  private commits: Commit[] = [];

  /**
   * @param capacity - changes to keep; older ones are forgotten
   * @param oldest - the resourceVersion before the first change
   */
  constructor(private readonly capacity: number, private oldest: number) {}

  append(commit: Commit): void {
    this.commits.push(commit);
    // Trimming in bulk keeps appending cheap.
    if (this.commits.length > this.capacity * 1.25) {
      this.forget(this.commits.length - this.capacity);
    }
  }

  /** Changes after `version`, oldest first. Throws 410 Expired when some of them are forgotten. */
  since(version: number): Commit[] {
    if (version < this.oldest) {
      throw expired(
        `too old resource version: ${version} (${this.oldest + 1})`,
      );
    }
    return this.commits.slice(version - this.oldest);
  }

  /** Whether every change after `version` is still known. */
  reaches(version: number): boolean {
    return version >= this.oldest;
  }

  /** Forgets every change, as etcd does when it is compacted. */
  compact(): void {
    this.forget(this.commits.length);
  }

  private forget(count: number): void {
    if (count > 0) {
      this.oldest = this.commits[count - 1].version;
      this.commits = this.commits.slice(count);
    }
  }
}
