import { describe, expect, it } from 'vitest'
import { waitUntil } from '../support/casenote-process.js'
import {
  callWidget,
  fakeMicrophone,
  mintTokens,
  moveFrame,
  Tab,
  useEngineHarness,
} from './embedding-fixture.js'
import { missesChromium } from '../support/open-browser.js'
import { useRecordingStage } from './recording-fixture.js'

/** The default of `CASENOTE_WIDGET_IDLE_MINUTES`, and a little more. */
const idleMs = 15 * 60_000 + 1_000

describe.skipIf(missesChromium('the lock of the widget'))('the idle lock', () => {
  const on = useRecordingStage({
    browserArgs: fakeMicrophone,
    prepare: async (context) => {
      await useEngineHarness(context)
      await context.clock.install()
    },
  })

  const stateOf = (tab: Tab) => tab.run(({ engine }) => engine.auth.value.state)
  const countAsked = async (tab: Tab): Promise<number> =>
    (await tab.heard()).filter(({ name }) => name === 'authenticationRequired').length

  it('covers the widget after 15 minutes without input, until the clinician asks and the page authenticates', async () => {
    const tab = await on.openTab()
    await tab.page.clock.fastForward(idleMs - 60_000)
    await tab.frame.locator('html').dispatchEvent('pointerdown')
    await tab.page.clock.fastForward(idleMs - 60_000)
    expect(await stateOf(tab)).toBe('signedIn')
    await tab.page.clock.fastForward(120_000)
    await waitUntil(async () => (await stateOf(tab)) === 'locked', 'it is locked')
    // The page's own idea: nobody is there who asked for it.
    const isHeard = tab.page.waitForResponse(/recording-keys/)
    await callWidget(tab.page, 'authenticate', await mintTokens(on.stage))
    await isHeard
    await tab.frame.locator('html').dispatchEvent('pointerdown')
    expect([await stateOf(tab), await countAsked(tab)]).toEqual(['locked', 0])
    // Nor is it opened by a page that builds itself anew.
    const moved = new Tab(tab.page, await moveFrame(tab.page, tab.frame))
    await moved.waitFor(({ engine }) => engine?.auth.value.state === 'locked', 'it comes up locked')
    await moved.run(({ engine }) => engine.unlock())
    await waitUntil(async () => (await countAsked(moved)) === 1, 'the page is asked')
    expect(await stateOf(moved)).toBe('locked')
    await callWidget(tab.page, 'authenticate', await mintTokens(on.stage))
    await waitUntil(async () => (await stateOf(moved)) === 'signedIn', 'it is open again')
    expect(await moved.frame.evaluate('sessionStorage.length')).toBe(0)
  })

  it('covers it also where somebody sets the device’s clock back', async () => {
    const tab = await on.openTab()
    await tab.page.clock.fastForward(idleMs - 60_000)
    expect(await stateOf(tab)).toBe('signedIn')
    await tab.page.clock.setSystemTime(new Date(await tab.page.evaluate(() => Date.now() - 3_600_000)))
    await tab.page.clock.fastForward(120_000)
    await waitUntil(async () => (await stateOf(tab)) === 'locked', 'it is locked')
  })

  it('leaves a recording that runs in sight, and loses nothing of it', async () => {
    const tab = await on.openTab()
    await tab.start(on.stage.partner.clientId)
    await waitUntil(async () => (await tab.uploadedBytes()) > 0, 'it is sent while it is recorded')
    await tab.page.clock.fastForward(idleMs)
    expect(await stateOf(tab)).toBe('signedIn')
    const { sessionId } = await tab.run(({ engine }) => engine.recorder.finish())
    expect(await on.countLost(sessionId)).toEqual([0])
    await tab.page.clock.fastForward(idleMs)
    await waitUntil(async () => (await stateOf(tab)) === 'locked', 'it is locked afterwards')
  })
})
