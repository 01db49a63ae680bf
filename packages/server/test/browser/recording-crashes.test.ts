import type { Frame, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { waitUntil } from '../support/casenote-process.js'
import { fakeMicrophone, Tab, useEngineHarness, type Evaluated } from './embedding-fixture.js'
import { missesChromium } from '../support/open-browser.js'
import { useRecordingStage } from './recording-fixture.js'

describe.skipIf(missesChromium('crashes of the renderer'))('a recording, when a renderer crashes', () => {
  const on = useRecordingStage({ browserArgs: fakeMicrophone, prepare: useEngineHarness })

  async function record(): Promise<Tab> {
    const tab = await on.openTab()
    await tab.start(on.stage.partner.clientId)
    await waitUntil(async () => (await tab.uploadedBytes()) > 0, 'a part is at the service')
    await tab.recordBytes((await tab.uploadedBytes()) + 4_000)
    return tab
  }

  async function openAfterCrash(): Promise<{ tab: Tab; recordingId: string }> {
    const tab = await on.openTab()
    await tab.waitFor(
      ({ engine }) => engine.recorder.unfinished.value[0]?.isOpenElsewhere === false,
      'it is offered again',
    )
    const recordingId = await tab.run(({ engine }) => engine.recorder.unfinished.value[0]?.recordingId ?? '')
    return { tab, recordingId }
  }

  it('the page’s: the next tab finishes it, at most a second short', async () => {
    const { page } = await record()
    await crash(page)
    const { tab, recordingId } = await openAfterCrash()
    const { sessionId } = await tab.frame.evaluate(
      (id) => (globalThis as unknown as Evaluated).engine.recorder.finishUnfinished(id),
      recordingId,
    )
    const [lost] = await on.countLost(sessionId)
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
    const [before, after] = await on.countLost(sessionId)
    expect(before).toBeLessThanOrEqual(1)
    expect(after).toBe(0)
  })
})

/** Really: the process dies. A frame of another site has one of its own. */
async function crash(page: Page, target: Page | Frame = page): Promise<void> {
  const session = await page.context().newCDPSession(target)
  const crashed = page.waitForEvent('crash')
  // Never answered.
  session.send('Page.crash').catch(() => {})
  await crashed
}
