import { act, renderHook } from '@testing-library/react';
import { useLive } from './useLive';

describe('useLive', () => {
  let hidden: boolean;

  beforeEach(() => {
    jest.useFakeTimers();
    hidden = false;
    jest.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden);
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const settle = () => act(() => jest.advanceTimersByTimeAsync(0));
  const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

  it('asks at once and then at the pace the answer calls for', async () => {
    let count = 0;
    const load = jest.fn(async () => ++count);
    const { result } = renderHook(() =>
      useLive(load, [], value => (value < 2 ? 2_000 : 30_000)),
    );
    expect(result.current.loading).toBe(true);
    await settle();
    expect(result.current).toMatchObject({ value: 1, loading: false });
    await pass(2_000);
    expect(result.current.value).toBe(2);
    await pass(29_000);
    expect(load).toHaveBeenCalledTimes(2);
    await pass(1_000);
    expect(load).toHaveBeenCalledTimes(3);
  });

  it('keeps the last good answer while calls fail, slows down, recovers', async () => {
    let answer: () => Promise<string> = async () => 'good';
    const load = jest.fn(() => answer());
    const { result } = renderHook(() => useLive(load, [], 1_000));
    await settle();
    const { at } = result.current;

    answer = async () => {
      throw new Error('down');
    };
    await pass(1_000);
    expect(result.current).toMatchObject({ value: 'good', at });
    expect(result.current.error?.message).toBe('down');
    const since = result.current.failingSince;
    // 2 s, 4 s, 8 s, 16 s, then every 30 s
    await pass(2_000 + 4_000 + 8_000 + 16_000);
    expect(load).toHaveBeenCalledTimes(6);
    await pass(29_000);
    expect(load).toHaveBeenCalledTimes(6);
    expect(result.current.failingSince).toEqual(since);

    answer = async () => 'better';
    await pass(1_000);
    expect(result.current.value).toBe('better');
    expect(result.current.error).toBeUndefined();
    expect(result.current.failingSince).toBeUndefined();
  });

  it('pauses while the page is hidden and asks when it is seen again', async () => {
    const load = jest.fn(async () => 'x');
    renderHook(() => useLive(load, [], 1_000));
    await settle();
    hidden = true;
    await pass(60_000);
    expect(load).toHaveBeenCalledTimes(1);
    hidden = false;
    document.dispatchEvent(new Event('visibilitychange'));
    await settle();
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('does not show the answer to another question when the new one fails', async () => {
    const load = jest.fn(async (page: number) => {
      if (page === 2) {
        throw new Error('no such page');
      }
      return page;
    });
    const { result, rerender } = renderHook(
      ({ page }) => useLive(() => load(page), [page], 1_000),
      { initialProps: { page: 1 } },
    );
    await settle();
    expect(result.current.value).toBe(1);
    rerender({ page: 2 });
    expect(result.current).toMatchObject({ value: 1, loading: true });
    await settle();
    expect(result.current).toMatchObject({ value: undefined, loading: false });
  });

  it('drops an answer that comes after the question has changed', async () => {
    const answers: Array<(value: string) => void> = [];
    const { result, rerender } = renderHook(
      ({ id }) =>
        useLive(() => new Promise<string>(r => answers.push(r)), [id], 1_000),
      { initialProps: { id: 'a' } },
    );
    await settle();
    rerender({ id: 'b' });
    await settle();
    await act(async () => answers[1]('of b'));
    await act(async () => answers[0]('of a'));
    expect(result.current.value).toBe('of b');
  });

  it('asks no more once it is gone', async () => {
    const load = jest.fn(async () => 1);
    const { unmount } = renderHook(() => useLive(load, [], 1_000));
    await settle();
    unmount();
    await pass(60_000);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('asks again on demand', async () => {
    const load = jest.fn(async () => 1);
    const { result } = renderHook(() => useLive(load, [], 60_000));
    await settle();
    act(() => result.current.refresh());
    await settle();
    expect(load).toHaveBeenCalledTimes(2);
  });
});
