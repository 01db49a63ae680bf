import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { chromium, type Browser, type Frame, type Page } from 'playwright-core'

const candidates = [
  process.env['CASENOTE_TEST_CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const find = (): string | null => candidates.find((path) => path !== undefined && existsSync(path)) ?? null

/** Where it may (root on Debian), the tests install the browser they need; elsewhere they skip by name. */
function install(): string | null {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return null
  const options = {
    stdio: 'ignore',
    timeout: 300_000,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  } as const
  const packages = ['install', '-y', '--no-install-recommends', 'chromium']
  if (spawnSync('apt-get', packages, options).status !== 0) {
    spawnSync('apt-get', ['update'], options)
    spawnSync('apt-get', packages, options)
  }
  return find()
}

/** The browser of the browser tests; null: there is none and it could not be installed. Called by the global setup. */
export const findOrInstallChromium = (): string | null => find() ?? install()

/** For `describe.skipIf`: says loudly what is not tested here. */
export function missesChromium(whatIsNotTested: string): boolean {
  if (find() !== null) return false
  process.stderr.write(`SKIPPED for want of Chromium (set CASENOTE_TEST_CHROMIUM): ${whatIsNotTested}\n`)
  return true
}

/** Without the background traffic of a fresh profile; `Translate` also keeps storage partitioned as people have it. */
export const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-features=Translate',
]

/** `speechFile`: a WAV that the microphone hears, once. */
export const microphoneArgs = (speechFile: string): string[] => [
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-audio-capture=${speechFile}%noloop`,
]

export async function openBrowser(args: readonly string[] = []): Promise<Browser> {
  const executablePath = find()
  if (executablePath === null) throw new Error('there is no Chromium')
  // Playwright's own list of disabled features would switch storage partitioning off.
  const browser = await chromium.launch({
    executablePath,
    args: [...browserArgs, ...args],
    ignoreDefaultArgs: ['--mute-audio', '--hide-scrollbars'],
  })
  // What breathes while somebody records is drawn sixty times a second, by a processor that models need: a tenth of one. The half minute
  // that is the default is short where models have a low priority beside other tests.
  const openContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await openContext({ reducedMotion: 'reduce', ...options })
    context.setDefaultTimeout(120_000)
    return context
  }
  return browser
}

interface Found {
  id: string
  nodes: { html: string; selector: string; isCovered: boolean }[]
}

/** Whether a bar that stays in place lies over a corner of it. */
const underBar = (selector: string): string => `(() => {
  const found = document.querySelector(${JSON.stringify(selector)})
  if (found === null) return false
  const { left, right, top, bottom } = found.getBoundingClientRect()
  return [left + 1, right - 1].some((x) => [top + 1, bottom - 1].some((y) => {
    let over = document.elementFromPoint(x, y)
    for (; over !== null && !over.contains(found); over = over.parentElement)
      if (['fixed', 'sticky'].includes(getComputedStyle(over).position)) return true
    return false
  }))
})()`

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const standards = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}

const phone = { width: 360, height: 740 }
const desktop = { width: 1_280, height: 900 }

/** On a phone, the test's own where it has one, and on a desktop; also what is wider than they are. Leaves the page as it was. */
export async function findBarriersOnBoth(page: Page, shown: Page | Frame = page): Promise<string[]> {
  const before = page.viewportSize()
  const found: string[] = []
  for (const size of [before !== null && before.width < 500 ? before : phone, desktop]) {
    await page.setViewportSize(size)
    const overflow = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
    const problems = [
      ...(await findBarriers(shown)),
      ...((await shown.evaluate(overflow)) === true ? ['wider than the screen'] : []),
    ]
    found.push(...problems.map((problem) => `${size.width} px: ${problem}`))
  }
  if (before !== null) await page.setViewportSize(before)
  if ('frameElement' in shown) await waitForPresses(page, shown)
  return found
}

/**
 * A press right after a new size may be lost: the browser looks for the frame of another site where it was before, one in thirty
 * times on a busy machine. Until the frame hears a pointer where it is now, or for some seconds where something lies over it.
 */
async function waitForPresses(page: Page, frame: Frame): Promise<void> {
  await page.screenshot()
  const box = await (await frame.frameElement()).boundingBox()
  const size = page.viewportSize()
  if (box === null || size === null) return
  const middleOf = (from: number, length: number, most: number): number =>
    (Math.max(from, 0) + Math.min(from + length, most)) / 2
  const x = middleOf(box.x, box.width, size.width)
  const y = middleOf(box.y, box.height, size.height)
  await frame.evaluate(`isPointerHeard = false
    addEventListener('pointermove', () => { isPointerHeard = true }, { capture: true, once: true })`)
  for (let tries = 0; tries < 100; tries += 1) {
    await page.mouse.move(x + (tries % 2), y)
    if ((await frame.evaluate('isPointerHeard')) === true) return
    await setTimeout(50)
  }
}

/** A button that has just become one has its new words at once and the ground under them 120 ms later. What turns for ever is no colour. */
const colorsSettled = `Promise.allSettled(document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().endTime !== Infinity)
  .map((one) => one.finished))`

/**
 * What axe finds against WCAG 2.2 AA in a page or frame, as short sentences. Not what a bar that stays in place covers in part at this
 * moment of scrolling: it is whole once it is scrolled to, and where the bar lies over it hangs on the words of a note.
 */
export async function findBarriers(page: Pick<Page, 'evaluate'>): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axeSource)
  await page.evaluate(colorsSettled)
  const violations = await page.evaluate(async (only) => {
    interface Node {
      html: string
      target: string[]
      any: { data: { messageKey?: string } | null }[]
    }
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; nodes: Node[] }[] }> }
    }
    // What is loaded beforehand serves rules that are not asked for.
    const found = await axe.run({ runOnly: only, resultTypes: ['violations'], preload: false })
    return found.violations.map(({ id, nodes }): Found => ({
      id,
      nodes: nodes.map(({ html, target, any }) => ({
        html,
        selector: target[0] ?? '',
        isCovered: any.some(({ data }) => data?.messageKey === 'partiallyObscured'),
      })),
    }))
  }, standards)
  const barriers: string[] = []
  for (const { id, nodes } of violations) {
    const shown: string[] = []
    for (const { html, selector, isCovered } of nodes)
      if (!isCovered || (await page.evaluate(underBar(selector))) !== true) shown.push(html)
    if (shown.length > 0) barriers.push(`${id}: ${shown.join(' | ').slice(0, 300)}`)
  }
  return barriers
}
