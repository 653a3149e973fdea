import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';
import { StateGroup } from './states';

/** What the list of requests is narrowed to; kept in the address, so that it can be shared. */
export interface RequestFilters {
  scope: 'mine' | 'all';
  show: StateGroup | 'every';
  team?: string;
  limit: number;
  /** Cursors of the pages walked through, the current one last; empty on the first page. */
  cursors: string[];
}

const GROUPS = ['waiting', 'active', 'ended'];

/** The filters of the address, and a way to change them. */
export function useRequestFilters(): [
  RequestFilters,
  (change: Partial<RequestFilters>) => void,
] {
  const [params, setParams] = useSearchParams();
  const show = params.get('show') ?? '';
  const filters: RequestFilters = {
    scope: params.get('scope') === 'all' ? 'all' : 'mine',
    show: GROUPS.includes(show) ? (show as StateGroup) : 'every',
    team: params.get('team') ?? undefined,
    limit: Number(params.get('limit')) === 50 ? 50 : 20,
    cursors: params.getAll('cursor'),
  };

  const change = useCallback(
    (changed: Partial<RequestFilters>) => {
      setParams(
        current => {
          const next = new URLSearchParams(current);
          // any other filter makes another list, which starts at its first page
          next.delete('cursor');
          for (const [name, value] of Object.entries(changed)) {
            if (name === 'cursors') {
              (value as string[]).forEach(cursor =>
                next.append('cursor', cursor),
              );
            } else if (value === undefined) {
              next.delete(name);
            } else {
              next.set(name, String(value));
            }
          }
          return next;
        },
        { replace: true },
      );
    },
    [setParams],
  );
  return [filters, change];
}
