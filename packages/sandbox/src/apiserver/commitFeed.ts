import type { Commit } from './eventHistory';

/**
 * Hands commits to observers, each in the order they were made: what an
 * observer commits itself is handed out after the commit it is being told of.
 */
export class CommitFeed {
  private readonly observers = new Set<(commit: Commit) => void>();
  private readonly undelivered: Commit[] = [];
  private delivering = false;

  /** Calls back for each commit from now on; returns a canceller. */
  observe(onCommit: (commit: Commit) => void): () => void {
    this.observers.add(onCommit);
    return () => this.observers.delete(onCommit);
  }

  publish(commit: Commit): void {
    this.undelivered.push(commit);
    if (this.delivering) {
      return;
    }
    this.delivering = true;
    try {
      while (this.undelivered.length > 0) {
        this.deliver(this.undelivered.shift()!);
      }
    } finally {
      this.delivering = false;
    }
  }

  private deliver(commit: Commit): void {
    for (const observer of [...this.observers]) {
      try {
        if (this.observers.has(observer)) {
          observer(commit);
        }
      } catch (error) {
        // A watcher's fault is not the writer's: the write has happened.
        // eslint-disable-next-line no-console
        console.error(`Watcher of ${commit.kind} failed:`, error);
      }
    }
  }
}
