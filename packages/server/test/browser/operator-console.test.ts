import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTotpCode } from '../../src/features/console/totp.js'
import { fromBase32, goodPassword, ownPage, stepNow } from '../console/console-fixture.js'
import {
  freePort,
  makeDataFolder,
  runCasenote,
  startCasenote,
  type CasenoteProcess,
} from '../support/casenote-process.js'
import { missesChromium, openBrowser } from '../support/open-browser.js'

/** Set to look at the screens. */
const screenshotFolder = process.env['CASENOTE_TEST_SCREENSHOTS']

async function look(page: Page, name: string): Promise<void> {
  if (screenshotFolder === undefined) return
  for (const [width, colorScheme] of [
    [390, 'light'],
    [1_280, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: join(screenshotFolder, `admin-${name}-${width}.png`), fullPage: true })
  }
}

describe.skipIf(missesChromium('the console on a real admin port'))('the admin port', () => {
  let folder: { path: string; remove(): Promise<void> }
  let service: { process: CasenoteProcess; url: string }
  let browser: Browser
  let env: Record<string, string>
  let adminUrl: string
  let partnerId: string

  beforeAll(async () => {
    folder = await makeDataFolder()
    const adminPort = String(await freePort())
    const port = String(await freePort())
    env = { CASENOTE_DATA_DIR: folder.path, CASENOTE_ADMIN_PORT: adminPort, PORT: port }
    adminUrl = `http://localhost:${adminPort}`
    service = await startCasenote(env)
    const credentials = readFileSync(join(folder.path, 'sandbox-credentials.json'), 'utf8')
    partnerId = (JSON.parse(credentials) as { partnerId: string }).partnerId
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.process.end('SIGTERM')
    await folder?.remove()
  })

  async function invite(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await runCasenote(['console', 'invite', ...args, '--json'], env)
    expect([code, stderr]).toEqual([0, ''])
    return (JSON.parse(stdout) as { link: string }).link
  }

  const call = (base: string, path: string, body?: object): Promise<Response> =>
    fetch(`${base}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      // As the page's own script; `fetch` of Node would say that it is another site's.
      headers: {
        'x-casenote-console': ownPage['x-casenote-console'],
        origin: base,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })

  it('has no console until somebody is invited', async () => {
    for (const path of ['/console', '/console/api/me', '/console/api/health']) {
      expect([path, (await call(adminUrl, path)).status]).toEqual([path, 404])
      expect([path, (await call(service.url, path)).status]).toEqual([path, 403])
    }
  })

  it('signs an operator in who was invited on the command line, and shows every screen', async () => {
    const link = await invite('olga')
    expect(link.startsWith(`${adminUrl}/console#link=`)).toBe(true)
    const page = await browser.newPage({ locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce' })
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    // What was found of users is known for two seconds.
    await expect.poll(async () => (await call(adminUrl, '/console')).status).toBe(200)
    await page.goto(link)
    await page.getByLabel('New password').fill(goodPassword)
    await page.getByRole('button', { name: 'Go on with a password' }).click()
    const shown = await page.locator('.secret code').innerText()
    const secret = fromBase32(shown.replaceAll(' ', ''))
    await page.getByLabel('Code').fill(makeTotpCode(secret, stepNow()))
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    const names = await page.locator('.menu a').allInnerTexts()
    expect(names).toEqual(expect.arrayContaining(['Tenants', 'Health', 'Keys and secrets', 'Your sign-in']))
    for (const name of names) {
      await page.setViewportSize({ width: 1_280, height: 900 })
      await page.getByRole('link', { name, exact: true }).click()
      await page.locator('main h1', { hasText: name }).waitFor()
      await expect.poll(() => page.getByText('Loading …').count()).toBe(0)
      expect({ name, bad: await page.locator('.notice.bad').allInnerTexts() }).toEqual({ name, bad: [] })
      await look(page, name)
    }
    await page.setViewportSize({ width: 1_280, height: 900 })
    await page.getByRole('link', { name: 'Health', exact: true }).click()
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string
    }
    const processes = page.getByRole('table', { name: 'Processes' })
    for (const role of ['API', 'Worker', 'Dispatcher'])
      await processes.getByRole('row', { name: new RegExp(`${role}.*Running.*${version}`) }).waitFor()
    await page.getByRole('table', { name: 'Engines' }).getByText('Speech').waitFor()
    await page.getByRole('link', { name: 'Tenants', exact: true }).click()
    await page.getByRole('main').getByText(partnerId).first().waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  it('has nothing of the partners, and the public port nothing of the operator', async () => {
    for (const path of ['/v2/partners', '/docs', '/widget/v1/', '/demo', '/'])
      expect([path, (await call(adminUrl, path)).status]).toEqual([path, 404])
    for (const path of ['/metrics', '/console/api/health', '/console/api/tenants', '/console/api/refusals'])
      expect([path, (await call(service.url, path)).status]).toEqual([path, 403])
    // A link of the one is none of the other.
    const operators = (await invite('otto')).split('#link=')[1]
    const link = await invite('ana', '--partner', partnerId)
    expect(link.startsWith(`http://localhost:${env['PORT']}/console#link=`)).toBe(true)
    const partners = link.split('#link=')[1]
    await expect.poll(async () => (await call(service.url, '/console')).status).toBe(200)
    expect((await call(service.url, '/console/api/link', { token: operators })).status).toBe(401)
    expect((await call(adminUrl, '/console/api/link', { token: partners })).status).toBe(401)
    expect((await call(service.url, '/console/api/link', { token: partners })).status).toBe(200)
    expect((await call(adminUrl, '/console/api/link', { token: operators })).status).toBe(200)
  })
})
