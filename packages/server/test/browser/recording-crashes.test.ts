import type { Browser, BrowserContext, Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitUntil } from '../support/casenote-process.js'
import {
  consent,
  countLostSlices,
  fakeMicrophone,
  hearRecorders,
  mintTokens,
  openStage,
  partnerHtml,
  readCompleteRecording,
  Tab,
  useEngineHarness,
  type Evaluated,
  type Stage,
} from './embedding-fixture.js'
import { missesChromium, openBrowser } from './open-browser.js'

describe.skipIf(missesChromium('crashes of the renderer'))(
  'a recording, when a renderer crashes',
  { timeout: 90_000 },
  () => {
    let stage: Stage
    let browser: Browser
    let context: BrowserContext
    let listRecorded: () => Buffer[][]
    let pageUrl: string

    beforeAll(async () => {
      stage = await openStage()
      browser = await openBrowser(fakeMicrophone)
      pageUrl = stage.pages.add(partnerHtml(`${stage.serviceUrl}/widget/v1/widget.js`))
      await consent(stage)
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

    async function record(): Promise<Tab> {
      const tab = await Tab.open(context, pageUrl, await mintTokens(stage))
      await tab.start(stage.partner.clientId)
      await waitUntil(async () => (await tab.uploadedBytes()) > 0, 'a part is at the service')
      await tab.recordBytes((await tab.uploadedBytes()) + 4_000)
      return tab
    }

    async function openAfterCrash(): Promise<{ tab: Tab; recordingId: string }> {
      const tab = await Tab.open(context, pageUrl, await mintTokens(stage))
      await tab.waitFor(
        ({ engine }) => engine.recorder.unfinished.value[0]?.isHeldElsewhere === false,
        'it is offered again',
      )
      const recordingId = await tab.run(
        ({ engine }) => engine.recorder.unfinished.value[0]?.recordingId ?? '',
      )
      return { tab, recordingId }
    }

    /** The service's bytes of each segment against those of its recorder: how many slices are missing. */
    async function countLost(sessionId: string): Promise<number[]> {
      const { service, partner } = stage
      const held = await readCompleteRecording(service.blobs, partner.partnerId, sessionId)
      const recorded = listRecorded()
      expect(held).toHaveLength(recorded.length)
      return held.map((bytes, index) => countLostSlices(bytes, recorded[index] ?? []))
    }

    it('the page’s: the next tab finishes it, at most a second short', async () => {
      const { page } = await record()
      await crash(page)
      const { tab, recordingId } = await openAfterCrash()
      const { sessionId } = await tab.frame.evaluate(
        (id) => (globalThis as unknown as Evaluated).engine.recorder.finishUnfinished(id),
        recordingId,
      )
      const [lost] = await countLost(sessionId)
      expect(lost).toBeLessThanOrEqual(1)
    })

    it('the frame’s alone: the next tab goes on with a second segment, at most a second later', async () => {
      const { page, frame } = await record()
      await crash(page, frame)
      const { tab, recordingId } = await openAfterCrash()
      const recordedBefore = await tab.run(
        ({ engine }) => engine.recorder.unfinished.value[0]?.recordedBytes ?? 0,
      )
      await tab.frame.evaluate(
        (id) => (globalThis as unknown as Evaluated).engine.recorder.resumeUnfinished(id),
        recordingId,
      )
      await tab.recordBytes(recordedBefore + 8_000)
      const { sessionId } = await tab.run(({ engine }) => engine.recorder.finish())
      const [before, after] = await countLost(sessionId)
      expect(before).toBeLessThanOrEqual(1)
      expect(after).toBe(0)
    })
  },
)

/** Really: the process dies. A frame of another site has one of its own. */
async function crash(page: Page, target: Page | Frame = page): Promise<void> {
  const session = await page.context().newCDPSession(target)
  const crashed = page.waitForEvent('crash')
  // Never answered.
  session.send('Page.crash').catch(() => {})
  await crashed
}
