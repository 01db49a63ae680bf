import { buildSync } from 'esbuild'
import { fileURLToPath } from 'node:url'
import type { Browser, Page, Route } from 'playwright-core'

const entry = fileURLToPath(new URL('../dev/stage.tsx', import.meta.url))
const origin = 'https://console.test'

function bundleStage(): Map<string, string> {
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    bundle: true,
    // As it ships, and read anew for every state.
    minify: true,
    write: false,
    outdir: '/stage',
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  })
  return new Map(outputFiles.map(({ path, text }) => [path.slice(path.lastIndexOf('/')), text]))
}

/** As strict as the service's own page. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

const html =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Casenote console</title>' +
  '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">' +
  '<link rel="stylesheet" href="/stage.css"></head>' +
  '<body><div id="page"></div><script type="module" src="/stage.js"></script></body></html>'

export interface ConsoleStage {
  page: Page
  /** What browsers only tell developers. */
  complaints: string[]
  /** Everything that was asked of another host. */
  strangers: string[]
}

interface StageOptions {
  /** Where one is, with the `#`. */
  place?: string
  who?: 'operator' | 'partner' | 'nobody' | 'closed'
  widthPx?: number
  colorScheme?: 'light' | 'dark'
  /** By the browser's own clock, which a test then moves. */
  isClockHeld?: boolean
}

const now = new Date('2026-11-17T09:00:30Z')

/**
 * The console on the service of `packages/console/dev`, in the page that the test before has left: a page of its own for each
 * costs more than all that is looked at in it. A page whose clock was held is closed.
 */
export function makeConsoleOpener(browser: Browser) {
  const files = bundleStage()
  let kept: ConsoleStage | null = null
  let isKeptHeld = false
  return async (options: StageOptions = {}): Promise<ConsoleStage> => {
    const {
      place = '',
      who = 'operator',
      widthPx = 1_280,
      colorScheme = 'light',
      isClockHeld = false,
    } = options
    if (kept !== null && (isClockHeld || isKeptHeld)) {
      await kept.page.close()
      kept = null
    }
    kept = kept === null ? await openPage(browser, files, isClockHeld) : await empty(kept)
    isKeptHeld = isClockHeld
    const { page } = kept
    await page.setViewportSize({ width: widthPx, height: 900 })
    await page.emulateMedia({ colorScheme })
    await page.goto(`${origin}/console?${who}${place}`)
    await page.waitForSelector('h1')
    return kept
  }
}

async function openPage(
  browser: Browser,
  files: ReadonlyMap<string, string>,
  isClockHeld: boolean,
): Promise<ConsoleStage> {
  const page = await browser.newPage({ locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce' })
  const stage: ConsoleStage = { page, complaints: [], strangers: [] }
  listen(stage)
  await page.route('**/*', (route) => answer(route, files, stage.strangers))
  if (isClockHeld) await page.clock.install({ time: now })
  else await page.clock.setFixedTime(now)
  return stage
}

/** Nothing of the last test is left. From one place to another, which differ after the `#`, a browser loads nothing anew. */
async function empty(stage: ConsoleStage): Promise<ConsoleStage> {
  const { page, complaints, strangers } = stage
  await page.evaluate('localStorage.clear(); sessionStorage.clear()')
  await page.goto('about:blank')
  complaints.length = 0
  strangers.length = 0
  return stage
}

function listen({ page, complaints }: ConsoleStage): void {
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
}

async function answer(route: Route, files: ReadonlyMap<string, string>, strangers: string[]): Promise<void> {
  const url = new URL(route.request().url())
  if (url.origin !== origin) {
    strangers.push(url.host)
    return route.abort()
  }
  const contentType =
    { css: 'text/css', js: 'text/javascript' }[url.pathname.split('.').at(-1) ?? ''] ?? 'text/html'
  const body = url.pathname === '/console' ? html : files.get(url.pathname)
  if (body === undefined) return route.fulfill({ status: 404, body: '' })
  return route.fulfill({ contentType, body, headers: { 'content-security-policy': policy } })
}
