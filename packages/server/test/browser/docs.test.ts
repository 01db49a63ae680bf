import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTestService, type TestService } from '../support/test-service.js'
import { findBarriers, missesChromium, openBrowser } from '../support/open-browser.js'

/** One of each kind: prose, snippets, wide tables, a long reference, events, shapes. */
const paths = [
  '/docs',
  '/docs/quick-start',
  '/docs/guides/webhooks',
  '/docs/guides/assessments',
  '/docs/guides/going-live',
  '/docs/reference',
  '/docs/reference/assessment-assignments',
  '/docs/reference/events',
  '/docs/reference/shapes',
]

/** The same colours and boxes are on all of them; a long reference costs ten times as much as a short one. */
const fewPaths = ['/docs/quick-start', '/docs/guides/webhooks', '/docs/reference/organizations']

/** Every kind of page, the one for what there is not and what search finds among them. */
const kinds: readonly { path: string; search?: string }[] = [
  { path: '/docs' },
  { path: '/docs/guides/webhooks' },
  { path: '/docs/reference/organizations' },
  { path: '/docs/errors' },
  { path: '/docs/nothing' },
  { path: '/docs', search: 'signature' },
]

const phone = { width: 390, height: 844 }
const smallPhone = { width: 320, height: 640 }
const desktop = { width: 1_280, height: 900 }

describe.skipIf(missesChromium('the documentation at /docs'))('the documentation', () => {
  let service: TestService
  let browser: Browser
  let url: string

  beforeAll(async () => {
    service = await makeTestService()
    await service.api.app.listen({ host: '127.0.0.1', port: 0 })
    url = `http://127.0.0.1:${(service.api.app.server.address() as AddressInfo).port}`
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  /** One after the other in one page, with everything that the browser refuses or reports as an error. */
  async function openEach(
    shown: readonly string[],
    options: BrowserContextOptions,
    look: (page: Page, path: string) => Promise<void>,
  ): Promise<void> {
    const context = await browser.newContext({ viewport: desktop, ...options })
    const problems: string[] = []
    try {
      const page = await context.newPage()
      page.on('console', (message) => {
        // What it says of a page that there is not, which is asked for on purpose.
        const isNoPage = message.location().url.endsWith('/nothing')
        if (message.type() === 'error' && !isNoPage) problems.push(message.text())
      })
      page.on('pageerror', (error) => problems.push(error.message))
      page.on('request', (request) => {
        if (!request.url().startsWith(url) && !request.url().startsWith('data:')) problems.push(request.url())
      })
      for (const path of shown) {
        await page.goto(url + path)
        await look(page, path)
        expect([path, problems]).toEqual([path, []])
      }
    } finally {
      await context.close()
    }
  }

  const open = (
    path: string,
    options: BrowserContextOptions,
    look: (page: Page) => Promise<void>,
  ): Promise<void> => openEach([path], options, look)

  const isTooWide = (page: Page): Promise<boolean> =>
    page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')

  it.for([
    ['a desktop in light', { viewport: desktop, colorScheme: 'light' }],
    ['a desktop in dark', { viewport: desktop, colorScheme: 'dark' }],
    ['a phone in light', { viewport: phone, colorScheme: 'light' }],
    ['a phone in dark', { viewport: phone, colorScheme: 'dark' }],
  ] as const)('has no barrier and fits on %s, on every kind of page', async ([, options]) => {
    // One window for all of them: opening one takes longer than looking.
    await open('/docs', options, async (page) => {
      for (const { path, search } of kinds) {
        await page.goto(url + path)
        if (search !== undefined) {
          await page.keyboard.press('/')
          await page.keyboard.type(search)
          await page.getByRole('option').first().waitFor()
        }
        const found = { barriers: await findBarriers(page), isTooWide: await isTooWide(page) }
        expect([path, search, found]).toEqual([path, search, { barriers: [], isTooWide: false }])
      }
    })
  })

  it('shows its menu and finds pages where there is no page', async () => {
    await open('/docs/guides/nothing', {}, async (page) => {
      expect(await page.title()).toBe('Page not found · Casenote')
      await page.getByRole('combobox').fill('quick start')
      await page.locator('#found [href="/docs/quick-start"]').first().waitFor()
      await page.locator('#menu').getByRole('link', { name: 'Console' }).click()
      await page.waitForURL('**/docs/guides/console')
    })
  })

  it('fits on a phone, and is whole without its script', async () => {
    await openEach(['/docs', ...fewPaths], { viewport: phone }, async (page, path) => {
      // Scripts are allowed, since axe is one; the page's own is empty from the second page on.
      if (path === '/docs') {
        await page.route('**/docs/assets/*.js', (route) =>
          route.fulfill({ contentType: 'text/javascript', body: '' }),
        )
        return
      }
      expect(await page.locator('.snippet .label').count()).toBeGreaterThan(0)
      expect([path, await findBarriers(page)]).toEqual([path, []])
    })
    await openEach(paths, { viewport: smallPhone, javaScriptEnabled: false }, async (page, path) => {
      expect([path, await isTooWide(page)]).toEqual([path, false])
    })
    await open('/docs/quick-start', { viewport: phone, javaScriptEnabled: false }, async (page) => {
      const first = page.locator('.snippet').first()
      expect(await first.locator('.label').allTextContents()).toEqual(['curl', 'TypeScript', 'Python'])
      expect(await first.locator('pre:visible').count()).toBe(3)
      expect(await page.locator('.search').isVisible()).toBe(false)
      expect(await page.locator('#menu').isVisible()).toBe(false)
      await page.getByRole('link', { name: 'Menu', exact: true }).click()
      await page.locator('#menu').getByRole('link', { name: 'Limits' }).click()
      expect(new URL(page.url()).pathname).toBe('/docs/guides/limits')
    })
  })

  it('opens and closes its menu on a phone, and has no barrier while it is open', async () => {
    await open('/docs', { viewport: phone }, async (page) => {
      const button = page.getByRole('button', { name: 'Menu' })
      await button.click()
      expect(await button.getAttribute('aria-expanded')).toBe('true')
      expect(await findBarriers(page)).toEqual([])
      await page.keyboard.press('Escape')
      expect(await page.locator('#menu').isVisible()).toBe(false)
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Menu')
    })
  })

  it('keeps the language of snippets over pages, chosen by keyboard', async () => {
    await open('/docs/quick-start', {}, async (page) => {
      const tabs = page.locator('.snippet').first().getByRole('tab')
      await tabs.first().focus()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowRight')
      expect(await page.locator('.snippet').last().getByRole('tabpanel').getAttribute('data-language')).toBe(
        'Python',
      )
      await page.goto(`${url}/docs/reference/organizations`)
      const shown = page.locator('.snippet').first().getByRole('tabpanel')
      expect(await shown.textContent()).toContain('print(call("GET", "/organizations"))')
      expect(await findBarriers(page)).toEqual([])
    })
  })

  it('finds by keyboard: / to search, arrows to choose, Enter to open, Escape to leave', async () => {
    await open('/docs', {}, async (page) => {
      await page.keyboard.press('/')
      await page.keyboard.type('signature')
      const options = page.getByRole('option')
      await options.first().waitFor()
      expect(await options.first().textContent()).toContain('Verifying the signature')
      expect(await findBarriers(page)).toEqual([])
      await page.keyboard.press('ArrowDown')
      expect(await page.locator('[aria-selected=true][role=option]').getAttribute('id')).toBe('found-1')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/docs/guides/webhooks#verifying-the-signature')
      await page.keyboard.press('/')
      await page.keyboard.type('xyzzy')
      await page.getByText('Nothing found.').waitFor()
      await page.keyboard.press('Escape')
      expect(await page.getByRole('combobox').inputValue()).toBe('')
    })
  })

  it('finds a call by its path, an event and a field', async () => {
    await open('/docs', {}, async (page) => {
      const search = page.getByRole('combobox')
      for (const [query, href] of [
        ['/sessions/{sessionId}/retry', '/docs/reference/sessions#session-retry'],
        ['mdm_elements_identified', '/docs/reference/events#mdm_elements_identified'],
        ['digestHeader', '/docs/reference/webhook-endpoints#webhookEndpoint-create'],
      ] as const) {
        await search.fill(query)
        await page.locator(`#found [href="${href}"]`).waitFor()
      }
    })
  })

  it('copies an example with the address that the reader came by', async () => {
    await open('/docs/quick-start', { permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await page.locator('.snippet').first().getByRole('button', { name: 'Copy' }).first().click()
      await page.getByText('Copied', { exact: true }).first().waitFor()
      const copied = await page.evaluate('navigator.clipboard.readText()')
      expect(copied).toContain(`BASE_URL=${url}/v2\n`)
    })
  })
})
