import { Account } from '../accounts';
import { Html, markup } from './html';

export interface PageFrame {
  title: string;
  /** Path of the page itself, to come back to after signing in. */
  path: string;
  account?: Account;
  repository?: { owner: string; name: string };
  /** A sentence about what has just been tried. */
  problem?: string;
}

function whoAmI({ account, path }: PageFrame): Html {
  return account
    ? markup`<form method="post" action="/sign-out" aria-label="Signed in">
        <input type="hidden" name="return" value="${path}" />
        <span>Signed in as <strong>${account.fullName}</strong></span>
        <button>Sign out</button>
      </form>`
    : markup`<a class="button" href="/sign-in?return=${encodeURIComponent(
        path,
      )}"
        >Sign in</a
      >`;
}

/** A whole page around its content. */
export function page(frame: PageFrame, content: Html): string {
  const { repository } = frame;
  const home = repository && `/${repository.owner}/${repository.name}`;
  return markup`<!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${frame.title}</title>
        <link rel="stylesheet" href="/assets/forge.css" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <header class="top">
          <div>
            <strong><a href="/">Git forge</a></strong>
            ${
              home &&
              markup`<nav aria-label="Repository">
              <a href="${home}/src/branch/main/"
                >${repository!.owner} / ${repository!.name}</a
              >
              &nbsp;·&nbsp; <a href="${home}/pulls">Pull requests</a>
            </nav>`
            }
            <span class="space"></span>
            ${whoAmI(frame)}
          </div>
        </header>
        <main>
          ${
            frame.problem &&
            markup`<p class="card message bad" role="alert">${frame.problem}</p>`
          }
          ${content}
        </main>
      </body>
    </html> `.text;
}
