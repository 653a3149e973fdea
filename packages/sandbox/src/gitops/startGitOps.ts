import { join } from 'node:path';
import { KubernetesObject } from '../apiserver/objectStore';
import { Clock } from '../clock';
import {
  applicationName,
  applicationObject,
  ApplicationTarget,
  argoNamespace,
  argoVersion,
  sourceOf,
  trackingAnnotation,
} from './application';
import { ClusterClient } from './clusterClient';
import { followObjects } from './followObjects';
import { GitMirror, Snapshot } from './gitMirror';
import { isManifestFile } from './manifests';
import { Desired, Reconciler } from './reconciler';

export interface GitOpsOptions {
  dataDir: string;
  clock: Clock;
  repository: { url: string; branch: string; token: string };
  hub: { url: string; token: string };
  spokes: Readonly<Record<string, { url: string; token: string }>>;
  /** Namespaces that get an Application on every spoke. */
  namespaces: readonly string[];
  /** Between two looks at the repository, in milliseconds; 2,000 unless said. */
  pollInterval?: number;
  /** First wait before a failed sync is tried again, in milliseconds; 5,000 unless said. */
  retryAfter?: number;
}

export interface GitOps {
  /** Looks at the repository at once: what a webhook does. */
  refresh(): void;
  close(): Promise<void>;
}

interface Entry {
  target: ApplicationTarget;
  path: string;
  reconciler: Reconciler;
  /** Files of the last reconcile, as one string: what a commit must change to matter. */
  seen?: string;
  desired?: Desired;
  running: Promise<void>;
  queued: boolean;
}

/**
 * Starts a GitOps controller: one Application for each namespace and spoke,
 * its files fetched from Git, applied through the spoke's API and reported on
 * the hub as Argo CD does.
 */
export async function startGitOps(options: GitOpsOptions): Promise<GitOps> {
  const { clock, repository } = options;
  const hub = new ClusterClient(options.hub.url, options.hub.token);
  const mirror = new GitMirror(
    join(options.dataDir, 'mirror.git'),
    repository.url,
    repository.branch,
    repository.token,
  );
  const stopping = new AbortController();
  const entries = new Map<string, Entry>();
  let gitProblem: string | undefined;

  function run(entry: Entry, work: () => Promise<void>) {
    entry.running = entry.running.then(work).catch(error => {
      if (!stopping.signal.aborted) {
        // Nothing may stop the other Applications; this one is tried again.
        clock.after(options.retryAfter ?? 5000, () => requeue(entry));
        process.emitWarning(`${entry.reconciler.name}: ${error}`, 'GitOps');
      }
    });
  }

  function requeue(entry: Entry) {
    if (entry.queued || stopping.signal.aborted) {
      return;
    }
    entry.queued = true;
    run(entry, async () => {
      entry.queued = false;
      if (gitProblem !== undefined) {
        await entry.reconciler.gitUnreadable(gitProblem);
      } else if (entry.desired) {
        await entry.reconciler.reconcile(entry.desired);
      }
    });
  }

  for (const [cluster, address] of Object.entries(options.spokes)) {
    const spoke = new ClusterClient(address.url, address.token);
    const { items } = await hub.list(argoVersion, 'Application', argoNamespace);
    const existing = new Map(items.map(item => [item.metadata.name, item]));
    for (const namespace of options.namespaces) {
      const target = { cluster, namespace };
      const source = sourceOf(target, repository.url, repository.branch);
      const name = applicationName(target);
      const object: KubernetesObject =
        existing.get(name) ??
        (await hub.create(applicationObject(target, source)));
      const entry: Entry = {
        target,
        path: `${source.path}/`,
        running: Promise.resolve(),
        queued: false,
        reconciler: new Reconciler({
          target,
          source,
          hub,
          spoke,
          clock,
          object,
          retryAfter: options.retryAfter ?? 5000,
          requeue: () => requeue(entry),
        }),
      };
      entries.set(name, entry);
    }
    followObjects(spoke, 'batch/v1', 'Job', stopping.signal, object => {
      const id = object.metadata.annotations?.[trackingAnnotation];
      const entry = id && entries.get(id.slice(0, id.indexOf(':')));
      if (entry) {
        requeue(entry);
      }
    });
  }

  const take = async (snapshot: Snapshot) => {
    const folders = byFolder(snapshot);
    const earlier = await earlierFolders(mirror, entries.values());
    for (const entry of entries.values()) {
      const files = folders.get(entry.path);
      const seen = JSON.stringify(files ?? null);
      if (entry.seen === seen) {
        continue;
      }
      // Started anew: files that are as they were synced keep their revision,
      // so that nothing is synced again only because others have changed.
      const { syncedRevision = '' } = entry.reconciler;
      const before = earlier.get(syncedRevision)?.get(entry.path);
      const unchanged =
        entry.seen === undefined && before && JSON.stringify(before) === seen;
      const manifests = files?.filter(([path]) => isManifestFile(path));
      entry.desired = {
        revision: unchanged ? syncedRevision : snapshot.revision,
        files:
          manifests &&
          (await Promise.all(
            manifests.map(async ([path, sha]) => ({
              path,
              content: await mirror.text(sha),
            })),
          )),
      };
      entry.seen = seen;
      requeue(entry);
    }
  };

  const look = async () => {
    try {
      const snapshot = await mirror.fetch();
      const recovered = gitProblem !== undefined;
      gitProblem = undefined;
      await take(snapshot);
      if (recovered) {
        entries.forEach(requeue);
      }
    } catch (error) {
      const reason = `failed to list refs: ${lastLine(
        (error as Error).message,
      )}`;
      if (!stopping.signal.aborted && gitProblem !== reason) {
        gitProblem = reason;
        entries.forEach(requeue);
      }
    }
  };

  let looking: Promise<void> | undefined;
  let again = false;
  let cancelPoll = () => {};
  const refresh = () => {
    if (stopping.signal.aborted) {
      return;
    }
    if (looking) {
      again = true;
      return;
    }
    cancelPoll();
    looking = look().then(() => {
      looking = undefined;
      if (again) {
        again = false;
        refresh();
      } else if (!stopping.signal.aborted) {
        cancelPoll = clock.after(options.pollInterval ?? 2000, refresh);
      }
    });
  };
  refresh();

  return {
    refresh,
    async close() {
      stopping.abort();
      cancelPoll();
      await looking;
      for (const entry of entries.values()) {
        entry.reconciler.stop();
      }
      await Promise.all([...entries.values()].map(entry => entry.running));
      mirror.close();
    },
  };
}

type Folders = Map<string, Array<[path: string, sha: string]>>;

function byFolder(snapshot: Snapshot): Folders {
  const folders: Folders = new Map();
  for (const [path, sha] of snapshot.files) {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const files = folders.get(folder) ?? [];
    files.push([path, sha]);
    folders.set(folder, files);
  }
  return folders;
}

/** The folders of every revision that an Application not yet looked at was synced to. */
async function earlierFolders(
  mirror: GitMirror,
  entries: Iterable<Entry>,
): Promise<Map<string, Folders>> {
  const earlier = new Map<string, Folders>();
  for (const { seen, reconciler } of entries) {
    const revision = reconciler.syncedRevision;
    if (seen === undefined && revision && !earlier.has(revision)) {
      const snapshot = await mirror.earlier(revision);
      earlier.set(revision, snapshot ? byFolder(snapshot) : new Map());
    }
  }
  return earlier;
}

function lastLine(text: string): string {
  return text.trim().split('\n').pop()!;
}
