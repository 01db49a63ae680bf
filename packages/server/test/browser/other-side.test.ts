import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Frame, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { makePagesFixture } from '../client-pages/pages-fixture.js'
import { waitUntil } from '../support/casenote-process.js'
import { makeAudio } from '../support/make-audio.mjs'
import { callWidget, findFrame, listHeard, mintTokens, partnerHtml } from './embedding-fixture.js'
import { findBarriersOnBoth, missesChromium } from '../support/open-browser.js'
import { useRecordingStage } from './recording-fixture.js'

const callTitle = 'The call'
/** What the microphone hears, and what the call plays. */
const ownHertz = 400
const otherHertz = 1_700

const offer = 'Also record the other side (headphones)'
const share = 'Share the call’s sound'
const ended = 'The other side is not heard any more'

describe.skipIf(missesChromium('the other side of a call'))('the other side of a call', () => {
  const folder = mkdtempSync(join(tmpdir(), 'casenote-sound-'))
  const soundFile = join(folder, 'own.wav')
  const tone = ['-f', 'lavfi', '-i', `sine=f=${ownHertz}:d=20:r=48000`, '-f', 'wav', 'pipe:1']
  writeFileSync(soundFile, makeAudio(tone))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const on = useRecordingStage({
    browserArgs: [
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-audio-capture=${soundFile}`,
      `--auto-select-tab-capture-source-by-title=${callTitle}`,
      '--autoplay-policy=no-user-gesture-required',
    ],
    contextOptions: { permissions: ['microphone'] },
    prepare: (context) => context.addInitScript(keepOpened),
  })

  async function openCall(): Promise<Page> {
    const page = await on.context.newPage()
    const script = `const sound = new AudioContext(), tone = sound.createOscillator()
        tone.frequency.value = ${otherHertz}
        tone.connect(sound.destination)
        tone.start()`
    await page.goto(
      on.stage.pages.add(`<!doctype html><title>${callTitle}</title><script>${script}</script>`),
    )
    return page
  }

  async function openFrame(url = on.pageUrl, options = {}): Promise<Frame> {
    const page = await on.context.newPage()
    await page.goto(url)
    await callWidget(page, 'authenticate', await mintTokens(on.stage))
    await callWidget(page, 'selectClient', on.stage.partner.clientId, options)
    return findFrame(page)
  }

  async function record(url?: string, options?: object): Promise<Frame> {
    const frame = await openFrame(url, options)
    await frame.getByRole('button', { name: 'Start recording' }).click()
    await frame.getByRole('button', { name: 'Pause' }).waitFor()
    return frame
  }

  const slicesOf = (recorder: number): Buffer[] => on.listRecorded()[recorder] ?? []
  const waitForSlices = (recorder: number, count: number): Promise<void> =>
    waitUntil(async () => slicesOf(recorder).length >= count, `${count} s are recorded`, 30_000)
  const levelOf = (frame: Frame, name: string): Promise<number> =>
    frame.getByRole('meter', { name }).evaluate((meter) => (meter as unknown as { value: number }).value)

  it('is recorded with the microphone, without its picture, until it is no longer shared; that is said, and the rest goes on', async () => {
    const call = await openCall()
    const frame = await record()
    await waitForSlices(0, 2)
    await frame.getByText(offer).click()
    await frame.getByRole('button', { name: share }).waitFor()
    expect(await findBarriersOnBoth(frame.page(), frame)).toEqual([])
    await frame.getByRole('button', { name: share }).click()
    await frame.getByText('The other side is recorded, too').waitFor()
    expect(await frame.evaluate('shared.map((one) => [one.kind, one.readyState]).sort()')).toEqual([
      ['audio', 'live'],
      ['video', 'ended'],
    ])
    await waitUntil(async () => (await levelOf(frame, 'Level of the other side')) > 0.1, 'its level is seen')
    await waitForSlices(1, 4)
    const together = slicesOf(1).length

    await frame.getByRole('button', { name: 'Off the record' }).click()
    await frame.getByRole('button', { name: 'Back on the record' }).waitFor()
    expect(await levelOf(frame, 'Level of the other side')).toBe(0)
    await frame.getByRole('button', { name: 'Back on the record' }).click()
    await frame.getByRole('button', { name: 'Pause' }).waitFor()

    await call.close()
    await frame.getByRole('alert').getByText(ended).waitFor()
    // Slices come seconds behind the sound on a busy machine: how many it takes cannot be told beforehand.
    const measureMixed = () => measure(Buffer.concat(slicesOf(1)))
    await waitUntil(
      async () => (measureMixed().at(-2)?.other ?? 1) < 0.001,
      'a second is without the other side',
    )
    expect(measureMixed().at(-2)?.own).toBeGreaterThan(0.01)
    expect(await findBarriersOnBoth(frame.page(), frame)).toEqual([])

    const alone = measure(Buffer.concat(slicesOf(0)))
    expect(alone[0]?.own).toBeGreaterThan(0.01)
    expect(alone.every(({ other }) => other < 0.001)).toBe(true)
    const mixed = measureMixed()
    for (const second of mixed.slice(1, together - 1)) {
      expect(second.own).toBeGreaterThan(0.01)
      expect(second.other).toBeGreaterThan(0.01)
    }

    // A slice that is given while the tab goes away may be kept and not told to this test.
    const given = slicesOf(1).length
    await frame.getByRole('button', { name: 'Pause' }).click()
    await waitForSlices(1, given + 1)
    await frame.getByText('Saved and uploaded').waitFor()

    // After the tab was loaded anew nobody has shared it: it is said, and can be left out for good.
    await frame.page().reload()
    const second = await openFrame()
    await second.getByRole('button', { name: 'Go on recording' }).click()
    await second.getByRole('alert').getByText(ended).waitFor()
    await openCall()
    await second.getByRole('button', { name: share }).click()
    await second.getByText('The other side is recorded, too').waitFor()
    await second.getByRole('button', { name: 'Record without the other side' }).click()
    await second.getByRole('button', { name: share }).waitFor()
    // Who pressed the one button or the other has not lost their place.
    await waitUntil(
      () => second.evaluate('document.activeElement.role === "status"'),
      'the focus has a place',
    )
    expect(await second.getByText(ended).count()).toBe(0)
    expect(await second.evaluate('shared.every((one) => one.readyState === "ended")')).toBe(true)
    await second.getByRole('button', { name: share }).click()
    await second.getByText('The other side is recorded, too').waitFor()
    await waitForSlices(4, 2)
    await second.getByRole('button', { name: 'Finish' }).click()
    await second.getByText('Sam Sample').first().waitFor()
    await waitUntil(
      () => second.evaluate('shared.every((one) => one.readyState === "ended")'),
      'nothing is shared any more',
    )
    const started = (await listHeard(second.page())).find(({ sessionId }) => sessionId !== undefined)
    expect(await on.countLost(started?.sessionId ?? '')).toEqual([0, 0, 0, 0, 0])
  })

  it('where the browser halts the mix the microphone is recorded without it, and that is said on every screen', async () => {
    await openCall()
    const frame = await record()
    await frame.getByText(offer).click()
    await frame.getByRole('button', { name: share }).click()
    await frame.getByText('The other side is recorded, too').waitFor()
    await waitForSlices(1, 2)
    // Once, and it goes on as soon as it is asked to.
    await frame.evaluate('mixes.at(-1).suspend()')
    await waitUntil(() => frame.evaluate('mixes.at(-1).state === "running"'), 'the mix runs again')
    expect(await frame.getByText(ended).count()).toBe(0)
    await frame.evaluate(`mixes.at(-1).resume = () => new Promise(() => {})
      mixes.at(-1).suspend()`)
    await frame.getByRole('alert').getByText(ended).waitFor()
    await waitForSlices(2, 3)
    expect(measure(Buffer.concat(slicesOf(2))).at(-1)?.own).toBeGreaterThan(0.01)
    await waitUntil(() => frame.evaluate('mixes.at(-1).state === "closed"'), 'the mix is closed')
    expect(await frame.evaluate('shared.every((one) => one.readyState === "ended")')).toBe(true)
    const { service, partner } = on.stage
    const another = await makePagesFixture(service, partner).addClient()
    await callWidget(frame.page(), 'selectClient', another)
    await frame.getByRole('button', { name: /^Open / }).click()
    await frame.getByRole('button', { name: 'Go to the recording' }).waitFor()
    await frame.getByRole('alert').getByText(ended).waitFor()
    await frame.getByRole('button', { name: 'Go to the recording' }).click()
    await frame.getByRole('button', { name: 'Finish' }).click()
    await frame.getByText('Sam Sample').first().waitFor()
  })

  it('each side that says nothing for a minute is named, whatever is folded', async () => {
    const frame = await openFrame()
    await frame.evaluate(`{
      const sound = new AudioContext()
      const play = () => {
        const tone = sound.createOscillator(), volume = sound.createGain(), out = sound.createMediaStreamDestination()
        tone.connect(volume).connect(out)
        tone.start()
        return { volume: volume.gain, stream: out.stream }
      }
      globalThis.own = play()
      globalThis.other = play()
      other.volume.value = 0
      navigator.mediaDevices.getUserMedia = async () => own.stream.clone()
      navigator.mediaDevices.getDisplayMedia = async () => other.stream.clone()
      // A minute that nobody has to wait for.
      const now = performance.now.bind(performance)
      globalThis.skippedMs = 0
      performance.now = () => now() + skippedMs
      sound.resume()
    }`)
    await frame.getByRole('button', { name: 'Start recording' }).click()
    await frame.getByText(offer).click()
    await frame.getByRole('button', { name: share }).click()
    await frame.getByText('The other side is recorded, too').waitFor()
    await waitForSlices(1, 1)
    await frame.getByText(offer).click()
    const quiet = frame.getByRole('alert').getByText('Nothing was heard from the other side for a minute')
    const ownQuiet = frame.getByRole('alert').getByText('Nothing is heard from your microphone for a minute')
    await frame.evaluate('skippedMs += 61_000')
    await quiet.waitFor()
    await frame.evaluate('other.volume.value = 1')
    await quiet.waitFor({ state: 'detached' })
    await frame.evaluate('own.volume.value = 0')
    await waitForSlices(1, slicesOf(1).length + 2)
    await frame.evaluate('skippedMs += 61_000')
    await ownQuiet.waitFor()
    await frame.evaluate('own.volume.value = 1')
    await ownQuiet.waitFor({ state: 'detached' })
  })

  it('where the mix cannot be made, or sharing is taken back at once, the microphone goes on alone', async () => {
    await openCall()
    const frame = await record()
    await frame.getByText(offer).click()
    await frame.evaluate(`{
      globalThis.makeMix = AudioContext.prototype.createMediaStreamDestination
      AudioContext.prototype.createMediaStreamDestination = () => { throw new Error('no') }
    }`)
    await frame.getByRole('button', { name: share }).click()
    await frame.getByRole('alert').getByText('The browser does not let the sound through').waitFor()
    await waitForSlices(1, 2)
    expect(await frame.evaluate('shared.every((one) => one.readyState === "ended")')).toBe(true)
    expect(await frame.getByRole('meter', { name: 'Level of the other side' }).count()).toBe(0)
    await frame.evaluate(`{
      AudioContext.prototype.createMediaStreamDestination = makeMix
      const { resume } = AudioContext.prototype
      AudioContext.prototype.resume = function () {
        for (const one of shared) one.stop()
        return resume.call(this)
      }
    }`)
    await frame.getByRole('button', { name: share }).click()
    await frame.getByRole('alert').getByText('Nothing was shared').waitFor()
    await waitForSlices(1, slicesOf(1).length + 2)
    expect(on.listRecorded()).toHaveLength(2)
  })

  it.each([
    ['nothing', `Promise.reject(new DOMException('no', 'NotAllowedError'))`, 'Nothing was shared'],
    ['no sound', `Promise.resolve(document.createElement('canvas').captureStream())`, 'No sound was shared'],
  ])('where %s is shared that is said, and the microphone goes on', async (_what, answer, said) => {
    // The page knows that there are headphones: the offer is open.
    const frame = await record(on.pageUrl, { usingHeadphones: true })
    await frame.evaluate(`navigator.mediaDevices.getDisplayMedia = () => ${answer}`)
    await frame.getByRole('button', { name: share }).click()
    await frame.getByRole('alert').getByText(said).waitFor()
    await waitForSlices(0, 3)
    expect(on.listRecorded()).toHaveLength(1)
    expect(await frame.getByRole('meter', { name: 'Level of the other side' }).count()).toBe(0)
    await frame.getByRole('button', { name: 'Finish' }).click()
    await frame.getByText('Sam Sample').first().waitFor()
  })

  it('a page that forbids it is named as the reason', async () => {
    const { serviceUrl, pages, partner } = on.stage
    const script = `${serviceUrl}/widget/v1/widget.js?partner=${partner.partnerId}`
    const frame = await record(pages.add(partnerHtml(script), { 'permissions-policy': 'display-capture=()' }))
    await frame.getByText(offer).click()
    await frame.getByText('The page does not let the widget share sound').waitFor()
    await frame.getByRole('button', { name: 'Discard recording' }).click()
    await frame.getByRole('button', { name: 'Discard for good' }).click()
    await frame.getByRole('button', { name: 'Start recording' }).waitFor()
  })

  /** How loud the two tones are, second by second. */
  function measure(recording: Buffer): { own: number; other: number }[] {
    const file = join(folder, 'recording.webm')
    writeFileSync(file, recording)
    const rate = 8_000
    const bytes = makeAudio(['-i', file, '-ac', '1', '-ar', String(rate), '-f', 'f32le', 'pipe:1'])
    const samples = Array.from({ length: Math.floor(bytes.length / 4) }, (_, i) => bytes.readFloatLE(i * 4))
    const seconds = Math.floor(samples.length / rate)
    return Array.from({ length: seconds }, (_, second) => {
      const part = samples.slice(second * rate, (second + 1) * rate)
      return { own: loudnessAt(part, ownHertz / rate), other: loudnessAt(part, otherHertz / rate) }
    })
  }
})

function loudnessAt(samples: readonly number[], turnsPerSample: number): number {
  let real = 0
  let imaginary = 0
  for (const [i, sample] of samples.entries()) {
    real += sample * Math.cos(2 * Math.PI * turnsPerSample * i)
    imaginary += sample * Math.sin(2 * Math.PI * turnsPerSample * i)
  }
  return (2 * Math.hypot(real, imaginary)) / samples.length
}

/** In every frame: the tracks of all that was shared, and what mixes. */
function keepOpened(): void {
  const { navigator, AudioContext } = globalThis as unknown as {
    navigator: { mediaDevices?: { getDisplayMedia(what: object): Promise<{ getTracks(): object[] }> } }
    AudioContext: { prototype: { createMediaStreamDestination: (this: object) => object } }
  }
  const shared: object[] = []
  const mixes: object[] = []
  Object.assign(globalThis, { shared, mixes })
  const { createMediaStreamDestination: make } = AudioContext.prototype
  AudioContext.prototype.createMediaStreamDestination = function mix() {
    mixes.push(this)
    return make.call(this)
  }
  const { mediaDevices } = navigator
  if (mediaDevices === undefined) return
  const open = mediaDevices.getDisplayMedia.bind(mediaDevices)
  mediaDevices.getDisplayMedia = async (what) => {
    const stream = await open(what)
    shared.push(...stream.getTracks())
    return stream
  }
}
