import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Download, Frame, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { encodeWav } from '../../src/engines/speech/encode-wav.js'
import { waitUntil } from '../support/casenote-process.js'
import {
  callWidget,
  countLostSlices,
  findFrame,
  listHeard,
  mintTokens,
  fakeMicrophone,
} from './embedding-fixture.js'
import { makeAudio } from '../support/make-audio.mjs'
import { findBarriersOnBoth, missesChromium } from '../support/open-browser.js'
import { useRecordingStage } from './recording-fixture.js'

/** What the microphone hears, again and again. */
const silentSeconds = 3
const soundSeconds = 3

/** Of two seconds, with this sound or without any. */
const makeFilm = (...sound: string[]): Buffer => {
  const picture = ['-f', 'lavfi', '-i', 'testsrc=d=2:s=64x48:r=10']
  const format = ['-c:v', 'libvpx', '-c:a', 'libopus', '-f', 'webm', 'pipe:1']
  return makeAudio([...picture, ...sound, ...format])
}

describe.skipIf(missesChromium('the recording screen with a microphone'))('the recording screen', () => {
  const folder = mkdtempSync(join(tmpdir(), 'casenote-sound-'))
  const soundFile = join(folder, 'sound.wav')
  writeFileSync(soundFile, makeSound())
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const on = useRecordingStage({
    browserArgs: [...fakeMicrophone, `--use-file-for-fake-audio-capture=${soundFile}`],
    prepare: (context) => context.addInitScript(keepWakeLocks),
  })

  async function record(prepare: (page: Page) => Promise<void> = async () => {}) {
    const page = await on.context.newPage()
    await prepare(page)
    await page.goto(on.pageUrl)
    await callWidget(page, 'authenticate', await mintTokens(on.stage))
    await callWidget(page, 'selectClient', on.stage.partner.clientId)
    const frame = await findFrame(page)
    await frame.getByRole('button', { name: 'Start recording' }).click()
    await frame.getByRole('button', { name: 'Pause' }).waitFor()
    return { page, frame }
  }

  it('refuses a file that is no recording before anything begins, and leads to the next step', async () => {
    const page = await on.context.newPage()
    const begun: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && /\/(sessions|uploads)$/.test(request.url()))
        begun.push(request.url())
    })
    await page.goto(on.pageUrl)
    await callWidget(page, 'authenticate', await mintTokens(on.stage))
    await callWidget(page, 'selectClient', on.stage.partner.clientId)
    const frame = await findFrame(page)
    const choose = (label: string, name: string, buffer: Buffer): Promise<void> => {
      const mimeType = name.endsWith('.txt') ? 'text/plain' : 'audio/mpeg'
      return frame.getByLabel(label).setInputFiles({ name, mimeType, buffer })
    }
    await choose('Upload a recording', 'notes.txt', Buffer.from('Client slept well. '.repeat(400)))
    await frame.getByText('“notes.txt” is not a recording').waitFor()
    expect(await frame.getByRole('button', { name: 'Upload it anyway' }).count()).toBe(0)
    const tagAlone = Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\0\x0a'), Buffer.alloc(9_000, 'broken')])
    await choose('Choose another file', 'broken.mp3', tagAlone)
    await frame.getByText('“broken.mp3” seems to be damaged').waitFor()
    await frame.getByRole('button', { name: 'Upload it anyway' }).waitFor()
    expect(await frame.getByRole('button', { name: 'Start recording' }).isEnabled()).toBe(true)
    expect(await findBarriersOnBoth(page, frame)).toEqual([])
    // Begins as a FLAC does, and the browser cannot play it: the service may be asked all the same.
    await choose(
      'Choose another file',
      'odd.flac',
      Buffer.from(`fLaC${'nothing of it is sound '.repeat(90)}`),
    )
    await frame.getByText('cannot play “odd.flac”').waitFor()
    await frame.getByRole('button', { name: 'Upload it anyway' }).waitFor()
    await choose('Choose another file', 'screen.webm', makeFilm())
    await frame.getByText('No sound was found at the beginning of “screen.webm”').waitFor()
    expect(begun).toEqual([])
    await choose('Choose another file', 'call.webm', makeFilm('-f', 'lavfi', '-i', 'sine=d=2:r=48000'))
    await frame.getByText('Your note is on its way').waitFor()
    await callWidget(page, 'selectClient', on.stage.partner.clientId)
    await choose('Upload a recording', 'session.wav', makeSound())
    await frame.getByText('Your note is on its way').waitFor()
    expect(begun.length).toBeGreaterThan(0)
  })

  it('warns after twenty seconds of silence, until something is heard again', async () => {
    const { page, frame } = await record((opened) => opened.clock.install())
    const warning = frame.getByText('Nothing heard for 20 seconds')
    const isSilent = async (): Promise<boolean> => (await frame.locator('meter').evaluate(readMeter)) === 0
    await waitUntil(async () => !(await isSilent()), 'the sound is heard')
    expect(await warning.count()).toBe(0)
    await waitUntil(async () => {
      if (await isSilent()) await page.clock.fastForward(20_000)
      return (await warning.count()) > 0
    }, 'it warns')
    await warning.waitFor({ state: 'detached' })
  })

  it('keeps what is jotted down and marked through a reload, and brings it to the service', async () => {
    const { page, frame } = await record()
    const columns = frame.locator('.voice-columns i').nth(2)
    const isFlat = async (): Promise<boolean> =>
      (await columns.getAttribute('style'))?.includes('scaleY(0.1)') === true
    await waitUntil(isFlat, 'it lies flat at silence')
    await waitUntil(async () => !(await isFlat()), 'it moves with the sound')
    await frame.getByLabel('Jot down').fill('Tearful when speaking of work')
    await frame.getByLabel('Jot down').press('F2')
    await frame.getByRole('button', { name: /^Remove the mark at/ }).waitFor()
    expect(await findBarriersOnBoth(page, frame)).toEqual([])
    await waitUntil(async () => (await readSeconds(frame)) >= 2, 'something is recorded')
    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await callWidget(page, 'authenticate', await mintTokens(on.stage))
    await callWidget(page, 'selectClient', on.stage.partner.clientId)
    const again = await findFrame(page)
    await again.getByRole('button', { name: 'Go on recording' }).click()
    await again.getByRole('button', { name: 'Pause' }).waitFor()
    expect(await again.getByLabel('Jot down').inputValue()).toBe('Tearful when speaking of work')
    const marked = again.getByRole('button', { name: /^Remove the mark at/ })
    expect(await marked.count()).toBe(1)
    await again.getByLabel('Jot down').press('End')
    await again.getByLabel('Jot down').pressSequentially(' and of home')
    const kept = page.waitForResponse((answer) => answer.url().endsWith('/recording') && answer.ok())
    await again.getByRole('button', { name: 'Finish' }).click()
    const sessionId = /sessions\/([^/]+)\//.exec((await kept).url())?.[1] ?? ''
    const { AccessToken } = await mintTokens(on.stage)
    const pad = await on.stage.service.call({
      method: 'GET',
      url: `/widget/v1/sessions/${sessionId}/pad`,
      headers: { authorization: `Bearer ${AccessToken}` },
    })
    expect(pad.json()).toMatchObject({ text: 'Tearful when speaking of work and of home' })
    expect(pad.json<{ markers: unknown[] }>().markers).toHaveLength(1)
  })

  it('keeps the screen awake until the recording ends, again after it was out of sight', async () => {
    const { frame } = await record()
    const awake = (): Promise<number> => frame.evaluate(countWakeLocks)
    await waitUntil(async () => (await awake()) === 1, 'the screen stays on')
    // What the on.browser does to a tab out of sight; a headless one has none.
    await frame.evaluate(loseWakeLocks)
    expect(await awake()).toBe(0)
    await frame.evaluate('document.dispatchEvent(new Event("visibilitychange"))')
    await waitUntil(async () => (await awake()) === 1, 'the screen stays on again')
    await frame.getByRole('button', { name: 'Finish' }).click()
    await waitUntil(async () => (await awake()) === 0, 'the screen may sleep')
  })

  it('says that the service refuses the recording, offers it as a file, and asks before it is discarded', async () => {
    const { page, frame } = await record()
    const started = (await listHeard(page)).find(({ name }) => name === 'recordingStarted')
    const { AccessToken } = await mintTokens(on.stage)
    const discarded = await on.stage.service.call({
      method: 'POST',
      url: `/widget/v1/sessions/${started?.sessionId}/discard`,
      headers: { authorization: `Bearer ${AccessToken}` },
    })
    expect(discarded.statusCode).toBeLessThan(300)
    await frame.getByLabel('Jot down').fill('Tearful')
    await frame.locator('.notice.danger').waitFor()
    const before = await readSeconds(frame)
    await waitUntil(async () => (await readSeconds(frame)) >= before + 3, 'it records on')
    expect(await frame.locator('.notice.danger').count()).toBe(1)

    await frame.getByRole('button', { name: 'Finish' }).click()
    await frame.getByText('This recording could not be sent').waitFor()
    const downloads: Download[] = []
    page.on('download', (download) => void downloads.push(download))
    await frame.getByRole('button', { name: 'Save as a file' }).click()
    await waitUntil(async () => downloads.length === 2, 'the sound and the words are saved')
    const pathOf = async (ending: RegExp): Promise<string> =>
      (await downloads.find((one) => ending.test(one.suggestedFilename()))?.path()) ?? ''
    expect(await readFile(await pathOf(/^recording-\d{4}-\d\d-\d\d\.txt$/), 'utf8')).toBe('Tearful')
    const saved = await readFile(await pathOf(/^recording-\d{4}-\d\d-\d\d-1\.webm$/))
    expect(countLostSlices(saved, on.listRecorded()[0] ?? [])).toBe(0)

    const refused = page.waitForResponse((answer) => answer.status() >= 400)
    await frame.getByRole('button', { name: 'Try again' }).click()
    await refused
    await frame.getByRole('button', { name: 'Discard', exact: true }).click()
    await frame.getByRole('button', { name: 'Cancel' }).click()
    expect(await frame.getByText('This recording could not be sent').count()).toBe(1)
    await frame.getByRole('button', { name: 'Discard', exact: true }).click()
    await frame.getByRole('button', { name: 'Discard for good' }).click()
    await frame.getByText('This recording could not be sent').waitFor({ state: 'detached' })
    await page.reload()
    await callWidget(page, 'authenticate', await mintTokens(on.stage))
    const reloaded = await findFrame(page)
    await reloaded.getByText('Your work').first().waitFor()
    expect(await reloaded.locator('.notice.danger').count()).toBe(0)
  })
})

async function readSeconds(frame: Frame): Promise<number> {
  const duration = (await frame.locator('[role=timer]').getAttribute('datetime')) ?? ''
  return Number(/\d+/.exec(duration)?.[0])
}

const readMeter = (element: unknown): number => (element as { value: number }).value

interface Wakeful {
  wakeLocks: { released: boolean; release(): Promise<void> }[]
}

/** In the frame: the browser's own, remembered. */
function keepWakeLocks(): void {
  const { navigator } = globalThis as unknown as {
    navigator: { wakeLock?: { request(type: string): Promise<Wakeful['wakeLocks'][number]> } }
  }
  const given: Wakeful['wakeLocks'] = []
  Object.assign(globalThis, { wakeLocks: given })
  const { wakeLock } = navigator
  if (wakeLock === undefined) return
  const request = wakeLock.request.bind(wakeLock)
  wakeLock.request = async (type) => {
    const lock = await request(type)
    given.push(lock)
    return lock
  }
}

const countWakeLocks = (): number =>
  (globalThis as unknown as Wakeful).wakeLocks.filter(({ released }) => !released).length

async function loseWakeLocks(): Promise<void> {
  await Promise.all((globalThis as unknown as Wakeful).wakeLocks.map((lock) => lock.release()))
}

/** A WAV of 48 kHz: nothing, then 220 Hz. */
function makeSound(): Buffer {
  const rate = 48_000
  const samples = new Float32Array(rate * (silentSeconds + soundSeconds))
  for (let index = rate * silentSeconds; index < samples.length; index += 1)
    samples[index] = 0.25 * Math.sin((index * 2 * Math.PI * 220) / rate)
  return encodeWav(samples, rate)
}
