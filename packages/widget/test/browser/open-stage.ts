import { TEXT_LANGUAGES, type TextLanguage } from '@casenote/contract'
import { buildSync } from 'esbuild'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page, Route } from 'playwright-core'

const widget = new URL('../../', import.meta.url)
const entry = fileURLToPath(new URL('dev/stage.tsx', widget))
const readTexts = (language: string): string =>
  readFileSync(new URL(`src/frame/texts/${language}.json`, widget), 'utf8')

/** The screens on the engine of `packages/widget/dev`, which can be put into any state. */
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
  return new Map([
    ...TEXT_LANGUAGES.map((language) => [`/${language}.json`, readTexts(language)] as const),
    ...outputFiles.map(({ path, text }) => [path.slice(path.lastIndexOf('/')), text] as const),
  ])
}

/** The frame's own policy: what a screen does must be allowed there as well. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "media-src 'self' blob:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

const html = (language: string): string =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>Casenote</title>` +
  '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="/stage.css">' +
  `<link rel="preload" as="fetch" crossorigin href="/${language}.json"></head><body><script type="module" src="/stage.js"></script></body></html>`

export interface StageOptions {
  widthPx?: number
  heightPx?: number
  colorScheme?: 'light' | 'dark'
  language?: TextLanguage
}

interface Stage {
  page: Page
  /** What browsers only tell developers. */
  complaints: string[]
}

/**
 * Opens the stage anew, in the page that the test before has left: a page of its own for each costs more than all that
 * is looked at in it. Who changes a page for good (its clock, say) closes it. The clipboard and locks need an `https` origin.
 */
export function makeStageOpener(browser: Browser, origin = 'http://stage.test') {
  const files = bundleStage()
  let kept: Stage | null = null
  return async ({
    widthPx = 420,
    heightPx = 760,
    colorScheme = 'light',
    language = 'en',
  }: StageOptions = {}): Promise<Stage> => {
    if (kept === null || kept.page.isClosed()) kept = await openPage(browser, origin, files)
    const { page, complaints } = kept
    await page.setViewportSize({ width: widthPx, height: heightPx })
    await page.emulateMedia({ media: null, colorScheme })
    complaints.length = 0
    await page.goto(`${origin}/?${language}`)
    await page.waitForSelector('main')
    return kept
  }
}

async function openPage(
  browser: Browser,
  origin: string,
  files: ReadonlyMap<string, string>,
): Promise<Stage> {
  const page = await browser.newPage({ locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce' })
  // What a test has typed and not saved is left.
  page.on('dialog', (dialog) => void dialog.accept())
  await page.route(`${origin}/**`, (route) => answer(route, files))
  return { page, complaints: listenForComplaints(page) }
}

function listenForComplaints(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  return complaints
}

async function answer(route: Route, files: ReadonlyMap<string, string>): Promise<void> {
  const { pathname, search } = new URL(route.request().url())
  const contentType =
    { css: 'text/css', js: 'text/javascript', json: 'application/json' }[pathname.split('.').at(-1) ?? ''] ??
    'text/html'
  const body = pathname === '/' ? html(search.slice(1)) : files.get(pathname)
  if (body === undefined) return route.fulfill({ status: 404, body: '' })
  return route.fulfill({ contentType, body, headers: { 'content-security-policy': policy } })
}
