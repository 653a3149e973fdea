import { join } from 'node:path';
import {
  Browser,
  BrowserContextOptions,
  chromium,
  Page,
} from 'playwright-core';
import { addressesFromEnvironment } from '../portal/addresses';
import { until } from '../portal/until';

export const addresses = addressesFromEnvironment();

/** Without these, Chromium tries to reach its maker's hosts at every start. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * What the console may say: React 18's warnings about Material UI 4, and the
 * browser's own line for an answer that is not a success, which pages handle.
 */
const ALLOWED_CONSOLE = [
  /findDOMNode/,
  /Support for defaultProps/,
  /Failed to load resource/,
];

/** Longest wait for anything on a page; the machine may be busy. */
export const PATIENCE_MS = 60_000;

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: FLAGS,
  });
}

/** A page of the portal, and what its console said that nobody expected. */
export interface Visit {
  page: Page;
  complaints: string[];
  close(): Promise<void>;
}

/** Collects what a page's console says, errors nobody expected alone. */
function listen(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', message => {
    const text = message.text();
    if (
      message.type() === 'error' &&
      !ALLOWED_CONSOLE.some(allowed => allowed.test(text))
    ) {
      complaints.push(text);
    }
  });
  page.on('pageerror', error => complaints.push(String(error)));
  return complaints;
}

/** Opens the portal as one of its people, by the sign-in page. */
export async function visit(
  browser: Browser,
  person: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    colorScheme: 'light',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const complaints = listen(page);
  await page.goto(addresses.portal);
  await page.getByRole('heading', { name: person }).click();
  await page.getByRole('link', { name: 'GPU', exact: true }).first().waitFor();
  return { page, complaints, close: () => context.close() };
}

/** Opens a page of the forge as one of its accounts, by its sign-in page. */
export async function visitForge(
  browser: Browser,
  person: string,
  path: string,
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const complaints = listen(page);
  await page.goto(
    `${addresses.forge}/sign-in?return=${encodeURIComponent(path)}`,
  );
  await page.getByRole('button', { name: new RegExp(person) }).click();
  return { page, complaints, close: () => context.close() };
}

/** Goes to a path of the portal. */
export async function go(page: Page, path: string): Promise<void> {
  await page.goto(`${addresses.portal}${path}`);
}

/** Keeps a picture of the whole page where the run's reports are, and where else it is wanted. */
export async function picture(
  page: Page,
  name: string,
  alsoAs?: string,
): Promise<void> {
  const folder = process.env.GPUAAS_SCREENSHOTS;
  const paths = [folder && join(folder, `${name}.png`), alsoAs];
  const seen = page.viewportSize()!;
  const height = await page.evaluate(() => document.body.scrollHeight);
  // what stands fixed beside the page then reaches down to its end
  await page.setViewportSize({
    ...seen,
    height: Math.max(seen.height, height),
  });
  for (const path of paths) {
    if (path) await page.screenshot({ path });
  }
  await page.setViewportSize(seen);
}

/** Nothing sticks out sideways, neither of the page nor of a table on it, once it has been laid out. */
export async function fitsItsWidth(page: Page, name: string): Promise<void> {
  let tooWide: string[] = [];
  await until(
    `${name} is no wider than its page`,
    async () => {
      tooWide = await page.evaluate(() =>
        [document.body, ...document.querySelectorAll('.MuiTableContainer-root')]
          .filter(element => element.scrollWidth > element.clientWidth)
          .map(
            element =>
              `${element.tagName} ${element.getAttribute('class') ?? ''}: ${
                element.scrollWidth
              } px in ${element.clientWidth} px`,
          ),
      );
      return tooWide.length === 0;
    },
    { timeoutMs: 5_000 },
  ).catch(error => {
    throw new Error(`${error.message}: ${tooWide.join('; ')}`);
  });
}
