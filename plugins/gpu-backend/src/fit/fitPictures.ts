import { ClusterStore, FitSnapshot } from '../clusters/clusterStore';

interface Entry {
  begun: number;
  made: Promise<FitSnapshot | undefined>;
}

/**
 * Pictures that questions share. Reading tens of thousands of Workloads and
 * building an engine of them takes seconds of the event loop, so a picture is
 * used again for as long as it and its first answer took: a small cluster is
 * read each time, a large one costs at most half of the time.
 */
export class FitPictures {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly clusters: Pick<ClusterStore, 'snapshotForFit'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** What `answer` makes of the picture; undefined for a cluster that was never read. */
  async use<T>(
    cluster: string,
    answer: (picture: FitSnapshot) => T,
  ): Promise<T | undefined> {
    const known = this.entries.get(cluster);
    if (known) {
      const picture = await known.made;
      return picture && answer(picture);
    }
    const entry = {
      begun: this.now(),
      made: this.clusters.snapshotForFit(cluster),
    };
    this.entries.set(cluster, entry);
    try {
      const picture = await entry.made;
      return picture && answer(picture);
    } finally {
      setTimeout(
        () => this.entries.delete(cluster),
        this.now() - entry.begun,
      ).unref();
    }
  }
}
