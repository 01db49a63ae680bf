import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTestService, type TestService } from '../support/test-service.js'
import { findBarriersOnBoth, missesChromium, openBrowser } from '../support/open-browser.js'

describe.skipIf(missesChromium('the pages at / and /docs/errors'))('pages that lead on', () => {
  let service: TestService
  let browser: Browser
  let origin: string

  beforeAll(async () => {
    service = await makeTestService()
    await service.api.app.listen({ host: '127.0.0.1', port: 0 })
    origin = `http://127.0.0.1:${(service.api.app.server.address() as AddressInfo).port}`
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await service.close()
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`/ and /docs/errors have no barrier, ${colorScheme}, and ask no other host`, async () => {
      const page = await browser.newPage({ colorScheme, bypassCSP: true })
      const hosts = new Set<string>()
      page.on('request', (request) => {
        if (request.url().startsWith('http')) hosts.add(new URL(request.url()).origin)
      })
      for (const path of ['/', '/docs/errors']) {
        await page.goto(origin + path)
        expect(await findBarriersOnBoth(page)).toEqual([])
      }
      expect([...hosts]).toEqual([origin])
      await page.close()
    })
  }

  it('from / a developer gets to the entry of a code', async () => {
    const page = await browser.newPage()
    await page.goto(origin)
    await page.getByRole('link', { name: '/docs/errors' }).click()
    await page.goto(`${origin}/docs/errors#token_expired`)
    const entry = page.locator('#token_expired')
    await expect.poll(() => entry.evaluate((shown) => shown.getBoundingClientRect().top)).toBeLessThan(200)
    const told = page.locator('#token_expired ~ p', { hasText: 'What to do' }).first()
    expect(await told.innerText()).toContain('POST /partners/authenticate')
    await page.close()
  })
})
