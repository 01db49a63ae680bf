import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitUntil } from '../support/casenote-process.js'
import {
  hearRecorders,
  mintTokens,
  openStage,
  partnerHtml,
  readSegments,
  Tab,
  useEngineHarness,
  type Stage,
} from './embedding-fixture.js'
import { missesChromium, openBrowser } from './open-browser.js'

const fakeMicrophone = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream']

describe.skipIf(missesChromium('recording in the widget'))('a recording', { timeout: 60_000 }, () => {
  let stage: Stage
  let browser: Browser
  let context: BrowserContext
  let listRecorded: () => Buffer[]
  let pageUrl: string

  beforeAll(async () => {
    stage = await openStage()
    browser = await openBrowser(fakeMicrophone)
    const { partnerId, clientId } = stage.partner
    pageUrl = stage.pages.add(partnerHtml(`${stage.serviceUrl}/widget/v1/widget.js?partner=${partnerId}`))
    const { AccessToken } = await mintTokens(stage)
    await stage.service.call({
      method: 'POST',
      url: `/widget/v1/clients/${clientId}/consent`,
      headers: { authorization: `Bearer ${AccessToken}` },
      payload: { textVersion: '2026-11', given: true },
    })
  })
  afterAll(async () => {
    await browser?.close()
    await stage?.close()
  })
  beforeEach(async () => {
    context = await browser.newContext()
    await useEngineHarness(context)
    listRecorded = await hearRecorders(context)
  })
  afterEach(() => context.close())

  /** Waits for the service's word, then compares byte by byte. */
  async function expectIdentical(sessionId: string): Promise<void> {
    const { blobs } = stage.service
    const read = () => readSegments(blobs, stage.partner.partnerId, sessionId)
    const isComplete = async (): Promise<boolean> => {
      const segments = await read()
      return segments.length > 0 && segments.every(({ status }) => status === 'used')
    }
    await waitUntil(isComplete, 'the recording is complete', 20_000)
    const held = await read()
    const recorded = listRecorded()
    expect(held.map(({ bytes }) => bytes.length)).toEqual(recorded.map(({ length }) => length))
    expect(held.every(({ bytes }, index) => bytes.equals(recorded[index] ?? Buffer.alloc(0)))).toBe(true)
  }

  it('arrives byte by byte as the recorder gave it, and the page hears of start and stop', async () => {
    const tab = await Tab.open(context, pageUrl, await mintTokens(stage))
    await tab.start(stage.partner.clientId)
    await tab.recordBytes(10_000)
    const { sessionId } = await tab.run(({ engine }) => engine.recorder.finish())
    await expectIdentical(sessionId)
    const names = (await tab.heard()).map(({ name }) => name)
    expect(names).toEqual(['ready', 'recordingStarted', 'recordingStopped'])
  })
})
