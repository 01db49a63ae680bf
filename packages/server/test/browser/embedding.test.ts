import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setOrigins } from '../../src/features/partners/administer-partner.js'
import { waitUntil } from '../support/casenote-process.js'
import {
  callWidget,
  consent,
  fakeMicrophone,
  findFrame,
  listHeard,
  mintTokens,
  openStage,
  pageNonce,
  partnerHtml,
  type HeardEvent,
  type PageOptions,
  type Stage,
} from './embedding-fixture.js'
import { missesChromium, openBrowser } from '../support/open-browser.js'

/** Everything that a page can lay its hands on before the widget's script runs. */
const spyOnEverything = `
  globalThis.spied = []
  const note = (value) => { try { spied.push(typeof value === 'string' ? value : JSON.stringify(value)) } catch { spied.push(String(value)) } }
  const spy = (owner, name) => { const old = owner[name]; owner[name] = function (...args) { args.forEach(note); return old.apply(this, args) } }
  spy(globalThis, 'fetch'); spy(globalThis, 'postMessage'); spy(XMLHttpRequest.prototype, 'send')
  spy(MessagePort.prototype, 'postMessage'); spy(Storage.prototype, 'setItem'); spy(Element.prototype, 'attachShadow')
  spy(IDBObjectStore.prototype, 'put'); spy(IDBObjectStore.prototype, 'add'); spy(BroadcastChannel.prototype, 'postMessage')
  const listen = EventTarget.prototype.addEventListener
  EventTarget.prototype.addEventListener = function (type, listener, ...rest) {
    const heard = typeof listener === 'function' ? function (event) { note(event.data ?? null); return listener.call(this, event) } : listener
    return listen.call(this, type, heard, ...rest)
  }
  listen.call(globalThis, 'message', (event) => note(event.data))`

describe.skipIf(missesChromium('embedding the widget'))('the widget in a page', () => {
  let stage: Stage
  let browser: Browser
  let context: BrowserContext
  let consoleTexts: string[]

  beforeAll(async () => {
    stage = await openStage()
    browser = await openBrowser(fakeMicrophone)
  })
  afterAll(async () => {
    await browser?.close()
    await stage?.close()
  })
  beforeEach(async () => {
    context = await browser.newContext()
    consoleTexts = []
    context.on('console', (message) => consoleTexts.push(message.text()))
  })
  afterEach(() => context.close())

  async function openPage(
    query: string,
    { headers = {}, ...options }: PageOptions & { headers?: Record<string, string> } = {},
    prepare: (page: Page) => Promise<void> = async () => {},
  ): Promise<Page> {
    const html = partnerHtml(`${stage.serviceUrl}/widget/v1/widget.js${query}`, options)
    const page = await context.newPage()
    await prepare(page)
    await page.goto(stage.pages.add(html, headers))
    return page
  }

  const waitForEvent = async (
    page: Page,
    isIt: (event: HeardEvent) => boolean,
    what: string,
  ): Promise<void> => waitUntil(async () => (await listHeard(page)).some(isIt), what, 20_000)

  const waitForText = async (page: Page, text: string): Promise<void> => {
    const frame = await findFrame(page)
    await waitUntil(
      async () => (await frame.locator('body').innerText()).includes(text),
      `the frame shows ${text}`,
      20_000,
    )
  }

  it('shows the page’s scripts no token after the hand-over and no clinical text, also when the page moves it', async () => {
    const page = await openPage(`?partner=${stage.partner.partnerId}`, { before: spyOnEverything })
    await callWidget(page, 'authenticate', await mintTokens(stage))
    await callWidget(page, 'selectClient', stage.partner.clientId)
    await waitForText(page, 'Sam Sample')
    await page.evaluate(() => void ((globalThis as unknown as { spied: string[] }).spied.length = 0))
    stage.passMs(601_000)
    await callWidget(page, 'selectClient', '')
    await waitForText(page, 'Sam Sample')
    // Re-parenting loads the frame anew: it is told everything again but the tokens.
    await page.evaluate(() => {
      const { document } = globalThis as unknown as {
        document: { querySelector(selector: string): { append(child: unknown): void } }
      }
      document.querySelector('#place').append(document.querySelector('casenote-widget'))
    })
    await waitUntil(
      async () => (await listHeard(page)).filter(({ name }) => name === 'ready').length === 2,
      'the frame is there again',
    )
    await callWidget(page, 'selectClient', stage.partner.clientId)
    await waitForText(page, 'Sam Sample')
    const seen = await page.evaluate(() => {
      const { spied, document } = globalThis as unknown as {
        spied: string[]
        document: {
          querySelector(selector: string): {
            shadowRoot: { querySelector(name: string): { contentDocument: unknown } }
          }
        }
      }
      const { contentDocument } = document.querySelector('casenote-widget').shadowRoot.querySelector('iframe')
      return { text: spied.join('\n'), contentDocument }
    })
    expect(seen.contentDocument).toBeNull()
    expect(seen.text).toContain('resume')
    expect(seen.text).not.toMatch(/eyJ|[0-9a-f]{32}\.[\w-]{43}|AccessToken|RefreshToken/)
    expect(seen.text).not.toContain('Sample')
    expect(seen.text).not.toContain('1990')
  })

  it('works under a strict policy with a container and another global, and says which setting and event it does not know', async () => {
    const { serviceUrl } = stage
    const policy = `default-src 'none'; script-src 'nonce-${pageNonce}' ${serviceUrl}; style-src 'nonce-${pageNonce}'; frame-src ${serviceUrl}; require-trusted-types-for 'script'`
    const page = await openPage('?global=EHR&settings=casenoteSettings', {
      settings: {
        containerId: 'place',
        cspNonce: pageNonce,
        colour: 'red',
        minifiedViewSettings: { width: 300 },
      },
      global: 'EHR',
      headers: {
        'content-security-policy': policy,
        'permissions-policy': `microphone=(self "${serviceUrl}")`,
      },
    })
    await waitForEvent(page, ({ name }) => name === 'ready', 'the widget is ready')
    await waitForText(page, 'ign')
    await page.evaluate('EHR.on("noteReady", () => {})')
    for (const unknown of [
      'unknown settings, ignored: colour',
      'without isMinifiedView, ignored: minifiedViewSettings',
      'unknown events of on(), ignored: noteReady',
    ]) {
      await waitUntil(async () => consoleTexts.some((text) => text.includes(unknown)), `it says ${unknown}`)
    }
    expect(consoleTexts.filter((text) => text.includes('unknown events'))).toHaveLength(1)
    expect(consoleTexts.filter((text) => text.includes('Content Security Policy'))).toEqual([])
    expect((await listHeard(page)).filter(({ name }) => name === 'error')).toEqual([])
    const place = page.locator('#place casenote-widget iframe')
    expect(await place.getAttribute('allow')).toContain('microphone')
  })

  it('says what is wrong: blocked frame, microphone kept from it, camelCase tokens', async () => {
    const blocked = await openPage('', { headers: { 'content-security-policy': "frame-src 'none'" } })
    await waitForEvent(blocked, ({ code }) => code === 'frameBlocked', 'the page hears of the blocked frame')
    expect(await blocked.locator('casenote-widget p').innerText()).toContain('tell support')
    const silent = await openPage('', { headers: { 'permissions-policy': 'microphone=()' } })
    await waitForEvent(
      silent,
      ({ code, message }) =>
        code === 'microphoneBlocked' && message?.includes(`(self "${stage.serviceUrl}")`) === true,
      'the page hears what to send',
    )
    const { AccessToken, RefreshToken, ExpiresIn } = await mintTokens(stage)
    const camel = { accessToken: AccessToken, refreshToken: RefreshToken, expiresIn: ExpiresIn }
    await callWidget(silent, 'authenticate', camel)
    await waitForEvent(
      silent,
      ({ code, message }) => code === 'tokens' && message?.includes('camelCase') === true,
      'the page hears of camelCase',
    )
    await waitForText(silent, 'support team')
  })

  it('signs in and shows the client where embedded pages may store nothing, and says why it does not record', async () => {
    await consent(stage)
    const closed = await openBrowser([...fakeMicrophone, '--disable-features=ThirdPartyStoragePartitioning'])
    try {
      const page = await closed.newPage()
      await page.goto(stage.pages.add(partnerHtml(`${stage.serviceUrl}/widget/v1/widget.js`)))
      await callWidget(page, 'authenticate', await mintTokens(stage))
      await callWidget(page, 'selectClient', stage.partner.clientId)
      const frame = await findFrame(page)
      await expect(frame.evaluate('navigator.locks.query()')).rejects.toThrow()
      await frame.getByRole('button', { name: 'Start recording' }).click()
      await waitForText(page, 'keeps no data for embedded pages')
    } finally {
      await closed.close()
    }
  })

  it('cannot be framed by an origin that is not allowed, and refuses to act for it', async () => {
    const { service, partner } = stage
    const tenant = { tenantId: partner.partnerId }
    await setOrigins(service.owner, tenant, ['https://ehr.example.org'])
    try {
      const framed = await openPage(`?partner=${partner.partnerId}`, {}, (page) => page.clock.install())
      await framed.clock.fastForward(20_000)
      await waitForEvent(framed, ({ code }) => code === 'frameRefused', 'the page hears of the refusal')
      const signedIn = await openPage('')
      await callWidget(signedIn, 'authenticate', await mintTokens(stage))
      await waitForEvent(signedIn, ({ code }) => code === 'refused', 'the frame refuses')
      await waitForText(signedIn, 'not allowed')
    } finally {
      await setOrigins(service.owner, tenant, null)
    }
  })
})
