/** What can lie in an IndexedHeap: it remembers its place, so that it can be taken out. */
export interface HeapItem {
  /** -1: in no heap. */
  heapIndex: number;
}

/** Binary heap whose items can be removed from the middle in O(log n). An item is in one heap at most. */
export class IndexedHeap<T extends HeapItem> {
  private readonly items: T[] = [];

  constructor(private readonly compare: (a: T, b: T) => number) {}

  get size(): number {
    return this.items.length;
  }

  peek(): T | undefined {
    return this.items[0];
  }

  push(item: T): void {
    item.heapIndex = this.items.length;
    this.items.push(item);
    this.up(item.heapIndex);
  }

  pop(): T | undefined {
    const first = this.items[0];
    if (first) this.remove(first);
    return first;
  }

  remove(item: T): void {
    const index = item.heapIndex;
    if (this.items[index] !== item) return;
    item.heapIndex = -1;
    const last = this.items.pop() as T;
    if (last === item) return;
    this.items[index] = last;
    last.heapIndex = index;
    this.up(index);
    this.down(last.heapIndex);
  }

  /** Call after an item's place in the order has changed. */
  moved(item: T): void {
    if (this.items[item.heapIndex] !== item) return;
    this.up(item.heapIndex);
    this.down(item.heapIndex);
  }

  /** In no particular order. */
  [Symbol.iterator](): Iterator<T> {
    return this.items[Symbol.iterator]();
  }

  private up(start: number): void {
    let index = start;
    const item = this.items[index];
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (this.compare(item, this.items[parent]) >= 0) break;
      this.place(this.items[parent], index);
      index = parent;
    }
    this.place(item, index);
  }

  private down(start: number): void {
    let index = start;
    const item = this.items[index];
    const { length } = this.items;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= length) break;
      if (
        child + 1 < length &&
        this.compare(this.items[child + 1], this.items[child]) < 0
      ) {
        child += 1;
      }
      if (this.compare(this.items[child], item) >= 0) break;
      this.place(this.items[child], index);
      index = child;
    }
    this.place(item, index);
  }

  private place(item: T, index: number): void {
    this.items[index] = item;
    item.heapIndex = index;
  }
}
