import { Call } from '../http';

const largestPage = 50;
const usualPage = 30;

/** Gitea's `page` (from 1) and `limit` (at most 50, usually 30) of a request. */
export function pageOf(call: Call): { page: number; limit: number } {
  const number = (name: string) => {
    const value = Number(call.url.searchParams.get(name));
    return Number.isInteger(value) && value > 0 ? value : undefined;
  };
  return {
    page: number('page') ?? 1,
    limit: Math.min(number('limit') ?? usualPage, largestPage),
  };
}

/** `X-Total-Count` and `Link` of a list, as Gitea sends them. */
export function pagingHeaders(
  call: Call,
  baseUrl: string,
  total: number,
): Record<string, string> {
  const { page, limit } = pageOf(call);
  const last = Math.max(1, Math.ceil(total / limit));
  const link = (to: number, rel: string) => {
    const url = new URL(call.url.pathname + call.url.search, baseUrl);
    url.searchParams.set('page', String(to));
    return `<${url}>; rel="${rel}"`;
  };
  const links = [
    ...(page < last ? [link(page + 1, 'next'), link(last, 'last')] : []),
    ...(page > 1 ? [link(1, 'first'), link(page - 1, 'prev')] : []),
  ];
  return {
    'X-Total-Count': String(total),
    'Access-Control-Expose-Headers': 'X-Total-Count, Link',
    ...(links.length > 0 && { Link: links.join(',') }),
  };
}

/** The items of the page a request asks for. */
export function onPage<T>(call: Call, items: readonly T[]): T[] {
  const { page, limit } = pageOf(call);
  return items.slice((page - 1) * limit, page * limit);
}
