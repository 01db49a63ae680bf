import type { Browser, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { waitUntil } from '../support/casenote-process.js'
import { callWidget, mintTokens, Tab, useEngineHarness, type Evaluated } from './embedding-fixture.js'
import { missesChromium } from '../support/open-browser.js'
import { useRecordingStage } from './recording-fixture.js'

const accessTokenLifeMs = 600_000

describe.skipIf(missesChromium('microphones that go and disks that are full'))(
  'a recording on a device in trouble',
  () => {
    // Without the flag that says yes to everything: a permission can then be taken back.
    const on = useRecordingStage({
      browserArgs: ['--use-fake-device-for-media-stream'],
      contextOptions: { permissions: ['microphone'] },
      prepare: useEngineHarness,
    })

    async function record(): Promise<Tab> {
      const tab = await on.openTab()
      await tab.start(on.stage.partner.clientId)
      await tab.recordBytes(6_000)
      return tab
    }

    async function finishWhole(tab: Tab, segments: number): Promise<void> {
      const { sessionId } = await tab.run(({ engine }) => engine.recorder.finish())
      expect(await on.countLost(sessionId)).toEqual(Array.from({ length: segments }, () => 0))
    }

    const stateOf = (tab: Tab) => tab.run(({ engine }) => engine.recorder.state.value)

    const change = (tab: Tab, deviceId: string): Promise<string> =>
      tab.frame.evaluate(
        (id) =>
          (globalThis as unknown as Evaluated).engine.recorder
            .changeMicrophone(id)
            .then(() => 'changed')
            .catch((error: Error) => error.message),
        deviceId,
      )

    it('pauses and says so when its microphone dies, and goes on with another one as a second segment', async () => {
      const tab = await record()
      await killAudioService(on.browser)
      await tab.waitFor(({ engine }) => engine.recorder.state.value.state === 'paused', 'it paused')
      const lost = await stateOf(tab)
      expect(lost.pauseReason).toContain('disconnected')
      const other = await tab.run(
        ({ engine }) =>
          engine.recorder.microphones.value.find(
            ({ deviceId }) => deviceId !== (engine.recorder.state.value.deviceId ?? ''),
          )?.deviceId ?? '',
      )
      expect(await change(tab, other)).toBe('changed')
      await tab.recordBytes((lost.recordedBytes ?? 0) + 6_000)
      const now = await stateOf(tab)
      expect([now.state, now.pauseReason, now.deviceId]).toEqual(['recording', null, other])
      await finishWhole(tab, 2)
    })

    it('pauses and says so when the clinician takes the permission back', async () => {
      const tab = await record()
      await setMicrophone(tab, 'denied')
      await tab.waitFor(({ engine }) => engine.recorder.state.value.state === 'paused', 'it paused')
      await tab.waitFor(
        ({ engine }) => engine.recorder.state.value.pauseReason?.includes('not allowed') === true,
        'it says why',
      )
      const { recordedBytes = 0 } = await stateOf(tab)
      const resume = () =>
        tab.run(({ engine }) => engine.recorder.resume().catch((error: Error) => error.message))
      expect(await resume()).toContain('not allowed')
      expect((await stateOf(tab)).state).toBe('paused')
      await setMicrophone(tab, 'granted')
      expect(await resume()).toBeUndefined()
      await tab.recordBytes(recordedBytes + 6_000)
      await finishWhole(tab, 2)
    })

    it('goes on with the microphone that it has when another one cannot be opened', async () => {
      const tab = await record()
      const before = await stateOf(tab)
      expect(await change(tab, 'gone')).toContain('No microphone was found')
      expect(await stateOf(tab)).toMatchObject({ state: 'recording', deviceId: before.deviceId })
      await tab.recordBytes((before.recordedBytes ?? 0) + 8_000)
      await finishWhole(tab, 2)
    })

    it('leaves no microphone on that is being opened when it is ended, and pauses with one that is', async () => {
      const tab = await on.openTab()
      await tab.frame.evaluate(delayMicrophones)
      const { clientId } = on.stage.partner
      const isAllOff = (): Promise<boolean> =>
        tab.frame.evaluate('tracks.every((one) => one.readyState === "ended")')
      const letOne = async (): Promise<unknown> => {
        await waitUntil(() => tab.frame.evaluate('waiting.length > 0'), 'a microphone is being opened')
        return tab.frame.evaluate('isHeld = false, waiting.splice(0).forEach((pass) => pass())')
      }
      /** A change of the microphone that waits for the browser while something else is done. */
      const changeDuring = async (meanwhile: () => Promise<unknown>): Promise<void> => {
        await tab.frame.evaluate('isHeld = true')
        const changing = change(tab, 'default')
        await waitUntil(() => tab.frame.evaluate('waiting.length > 0'), 'a microphone is being opened')
        const done = meanwhile()
        await tab.waitFor(({ engine }) => engine.recorder.state.value.state !== 'recording', 'it is ended')
        await letOne()
        await Promise.all([changing, done])
      }
      await tab.start(clientId)
      await tab.recordBytes(6_000)
      const { seconds = 0 } = await stateOf(tab)
      await Promise.all([change(tab, 'default'), change(tab, 'default')])
      expect(await tab.frame.evaluate('tracks.filter((one) => one.readyState === "live").length')).toBe(1)
      expect((await stateOf(tab)).seconds).toBeGreaterThanOrEqual(seconds)
      await tab.frame.evaluate('isHeld = true')
      const changing = change(tab, 'default')
      await waitUntil(() => tab.frame.evaluate('waiting.length > 0'), 'a microphone is being opened')
      const closed = await stateOf(tab)
      await tab.waitFor(
        ({ engine }) => engine.recorder.state.value.pauseReason?.includes('is being opened') === true,
        'it says that nothing is recorded',
      )
      // The state is told four times a second; it took one to be said.
      expect((await stateOf(tab)).seconds).toBeLessThan((closed.seconds ?? 0) + 0.5)
      await letOne()
      await changing
      expect(await stateOf(tab)).toMatchObject({ state: 'recording', pauseReason: null })
      await changeDuring(() => tab.run(({ engine }) => engine.recorder.pause()))
      expect((await stateOf(tab)).state).toBe('paused')
      await tab.run(({ engine }) => engine.recorder.resume())
      await changeDuring(() => callWidget(tab.page, 'logout'))
      await waitUntil(isAllOff, 'it is off after a logout')
      await callWidget(tab.page, 'authenticate', await mintTokens(on.stage))
      await tab.waitFor(({ engine }) => engine.recorder.unfinished.value.length === 1, 'it is offered')
      await tab.run(({ engine }) => {
        const [one] = engine.recorder.unfinished.value
        return engine.recorder.resumeUnfinished(one?.recordingId ?? '')
      })
      await changeDuring(() => tab.run(({ engine }) => engine.recorder.discard()))
      await waitUntil(isAllOff, 'it is off after a recording was discarded')
      await tab.start(clientId)
      await tab.recordBytes(2_000)
      await changeDuring(() => tab.run(({ engine }) => engine.recorder.finish()))
      await waitUntil(isAllOff, 'it is off after a recording was finished')
    })

    it('counts what is recorded: all of it in a frame that is held up, nothing while the system takes the sound away', async () => {
      const tab = await on.openTab()
      await tab.frame.evaluate(`globalThis.sound = new AudioContext()
        const tone = sound.createOscillator()
        const out = sound.createMediaStreamDestination()
        tone.connect(out)
        tone.start()
        navigator.mediaDevices.getUserMedia = async () => out.stream
        sound.resume()`)
      await tab.start(on.stage.partner.clientId)
      await tab.recordBytes(6_000)
      const { seconds: before = 0, recordedBytes: heardBefore = 0 } = await stateOf(tab)
      const heldUpMs = 4_000
      await tab.frame.evaluate(
        `for (const until = performance.now() + ${heldUpMs}; performance.now() < until; );`,
      )
      // By its last second all of the sound is there.
      await tab.recordBytes(heardBefore + heldUpMs)
      expect((await stateOf(tab)).seconds).toBeGreaterThan(before + heldUpMs / 1000)
      await tab.frame.evaluate('sound.suspend()')
      const { seconds = 0 } = await stateOf(tab)
      await tab.waitFor(({ engine }) => (engine.recorder.state.value.silentSeconds ?? 0) > 4, 'it is silent')
      expect((await stateOf(tab)).seconds).toBeLessThan(seconds + 2)
      await tab.waitFor(({ engine }) => engine.recorder.state.value.isDry === true, 'it is told')
      await tab.frame.evaluate('sound.resume()')
      const { recordedBytes = 0 } = await stateOf(tab)
      await tab.recordBytes(recordedBytes + 6_000)
      const now = await stateOf(tab)
      expect(now.seconds).toBeGreaterThan(seconds)
      expect(now.isDry).toBe(false)
      await finishWhole(tab, 1)
    })

    /** Chromium asks for the quota once in half a minute: it is set before the frame writes for the first time. */
    async function openWithRoomFor(bytes: number): Promise<{ tab: Tab; lift: () => Promise<unknown> }> {
      // Of the same site: the quota of a frame in another site's page cannot be set from outside.
      const url = on.pageUrl.replace('127.0.0.1', 'localhost')
      const tokens = await mintTokens(on.stage)
      const origin = on.stage.serviceUrl
      const other = await on.browser.newContext()
      await useEngineHarness(other)
      const { page } = await Tab.open(other, url, tokens)
      const { usage } = await (await other.newCDPSession(page)).send('Storage.getUsageAndQuota', { origin })
      await other.close()
      const session = await on.context.newCDPSession(await on.context.newPage())
      await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: usage + bytes })
      const tab = await on.openTab(url)
      return { tab, lift: () => session.send('Storage.overrideQuotaForOrigin', { origin }) }
    }

    it('goes on from memory when the disk is full, offline and past its token, and loses nothing', async () => {
      const { tab, lift } = await openWithRoomFor(40_000)
      await tab.start(on.stage.partner.clientId)
      await waitUntil(async () => (await tab.uploadedBytes()) > 0, 'it is being sent')
      await on.context.setOffline(true)
      await tab.waitFor(
        ({ engine }) => engine.recorder.state.value.warning?.includes('storage is full') === true,
        'it says so',
      )
      const { recordedBytes = 0, uploadedBytes = 0 } = await stateOf(tab)
      // More than there is room for when what the service has is dropped.
      await tab.recordBytes(recordedBytes + uploadedBytes + 8_000)
      on.stage.passMs(accessTokenLifeMs + 1_000)
      await on.context.setOffline(false)
      await waitUntil(async () => (await tab.uploadedBytes()) > recordedBytes, 'it is sent from memory')
      await lift()
      await tab.waitFor(
        ({ engine }) => engine.recorder.state.value.warning === null,
        'it is written where there is room again',
      )
      await finishWhole(tab, 1)
    })

    it('loses no word that is typed while others are sent, also when the disk is full', async () => {
      const { tab } = await openWithRoomFor(20_000)
      await on.context.setOffline(true)
      await tab.start(on.stage.partner.clientId)
      await tab.waitFor(({ engine }) => engine.recorder.state.value.warning !== null, 'it is full')
      const started = async () => (await tab.heard()).find(({ name }) => name === 'recordingStarted')
      await waitUntil(async () => (await started()) !== undefined, 'the page was told', 20_000)
      // There is none yet: an empty one would be filed under.
      expect(await started()).not.toHaveProperty('sessionId')
      await tab.run(({ engine }) => engine.recorder.jot('Tearful'))
      const held: Route[] = []
      await on.context.route('**/sessions/*/pad', (route) => void held.push(route), { times: 1 })
      await on.context.setOffline(false)
      await waitUntil(async () => held.length > 0, 'the first words are under way', 30_000)
      await tab.run(({ engine }) => engine.recorder.jot('Tearful, and silent at the end'))
      const { sessionId } = await tab.run(({ engine }) => engine.recorder.finish())
      await held[0]?.continue()
      await tab.waitFor(({ engine }) => engine.recorder.sending.value.length === 0, 'all of it is sent')
      const { AccessToken } = await mintTokens(on.stage)
      const pad = await on.stage.service.call({
        method: 'GET',
        url: `/widget/v1/sessions/${sessionId}/pad`,
        headers: { authorization: `Bearer ${AccessToken}` },
      })
      expect(pad.json()).toMatchObject({ text: 'Tearful, and silent at the end' })
    })

    it('is sent to its end from memory when the disk stays full', async () => {
      const { tab } = await openWithRoomFor(20_000)
      await on.context.setOffline(true)
      await tab.start(on.stage.partner.clientId)
      await tab.waitFor(({ engine }) => engine.recorder.state.value.warning !== null, 'it is full')
      const finished = tab.run(({ engine }) => engine.recorder.finish())
      await tab.waitFor(
        ({ engine }) => engine.recorder.sending.value[0]?.warning?.includes('do not close') === true,
        'it says that the page must stay open',
      )
      await on.context.setOffline(false)
      await finished
      await tab.waitFor(({ engine }) => engine.recorder.sending.value.length === 0, 'nothing is left to send')
    })
  },
)

/** In the frame: a microphone is opened when it is let pass, as one that the browser asks for; all are remembered. */
function delayMicrophones(): void {
  const { navigator } = globalThis as unknown as {
    navigator: { mediaDevices: { getUserMedia(what: object): Promise<{ getTracks(): object[] }> } }
  }
  const held = globalThis as unknown as { isHeld: boolean }
  const waiting: (() => void)[] = []
  const tracks: object[] = []
  Object.assign(globalThis, { isHeld: false, waiting, tracks })
  const { mediaDevices } = navigator
  const open = mediaDevices.getUserMedia.bind(mediaDevices)
  mediaDevices.getUserMedia = async (what) => {
    if (held.isHeld) await new Promise<void>((resolve) => waiting.push(resolve))
    const stream = await open(what)
    tracks.push(...stream.getTracks())
    return stream
  }
}

/** What every microphone comes from in Chromium. It starts again by itself, as a driver does; its streams are dead. */
async function killAudioService(browser: Browser): Promise<void> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  for (const { type, id } of processInfo) if (type === 'audio.mojom.AudioService') process.kill(id, 'SIGKILL')
}

/** As in the address bar: it is the page's permission, which the frame has from it. */
async function setMicrophone({ page }: Tab, setting: 'granted' | 'denied'): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { targetInfo } = await session.send('Target.getTargetInfo')
  const { browserContextId = '' } = targetInfo
  const { origin } = new URL(page.url())
  const permission = { name: 'microphone' }
  await session.send('Browser.setPermission', { permission, setting, origin, browserContextId })
}
