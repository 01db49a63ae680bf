import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FrameLocator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  makeDataFolder,
  startCasenote,
  waitUntil,
  type CasenoteProcess,
} from '../support/casenote-process.js'
import { makeAudio } from '../support/make-audio.mjs'
import { findFrame } from './embedding-fixture.js'
import {
  findBarriers,
  findBarriersOnBoth,
  microphoneArgs,
  missesChromium,
  openBrowser,
} from '../support/open-browser.js'

const sample = fileURLToPath(new URL('../../samples/medication-management.ogg', import.meta.url))
const speechSeconds = 24

/** What the microphone hears: the beginning of the sample session. */
function makeSpeechFile(folder: string): string {
  const file = join(folder, 'speech.wav')
  makeAudio(['-i', sample, '-t', String(speechSeconds), '-ac', '1', '-ar', '48000', file])
  return file
}

/** Adds a sentence to the first section by hand. */
async function edit(widget: FrameLocator, sentence: string): Promise<void> {
  await widget
    .getByRole('button', { name: /^Edit / })
    .first()
    .click()
  const field = widget.locator('section textarea').first()
  await field.fill(`${await field.inputValue()} ${sentence}`.trim())
  await widget.getByRole('button', { name: /^Done editing / }).click()
  await widget.getByText('Saved', { exact: true }).waitFor()
}

async function magicEdit(widget: FrameLocator, instructions: string): Promise<void> {
  await widget.locator('form.magic textarea').fill(instructions)
  await widget.getByRole('button', { name: 'Apply', exact: true }).click()
  await widget.getByRole('button', { name: 'Keep all changes' }).click({ timeout: 60_000 })
  await widget.getByText('Patient asked for a letter for work.').waitFor()
}

describe.skipIf(missesChromium('the whole way in the demo'))('the demo', { timeout: 300_000 }, () => {
  let folder: { path: string; remove(): Promise<void> }
  let service: { process: CasenoteProcess; url: string }

  beforeAll(async () => {
    folder = await makeDataFolder()
    service = await startCasenote({ CASENOTE_DATA_DIR: folder.path })
  })
  afterAll(async () => {
    await service?.process.end('SIGTERM')
    await folder?.remove()
  })

  it('takes a clinician from consent and recording over edits to a signed note in the chart', async () => {
    const browser = await openBrowser(microphoneArgs(makeSpeechFile(folder.path)))
    try {
      const page = await browser.newPage({ viewport: { width: 1_280, height: 900 } })
      await page.goto(`${service.url.replace('127.0.0.1', 'localhost')}/demo`)
      expect(new URL(page.url()).hostname).toBe('127.0.0.1')
      const events = page.locator('.events')
      const hears = (event: string, withinMs = 30_000): Promise<void> =>
        waitUntil(
          async () => ((await events.textContent()) ?? '').includes(event),
          `the page hears ${event}`,
          withinMs,
        )
      await page.getByText('Choose a client in today’s list.').waitFor()
      expect(await findBarriers(page)).toEqual([])
      await page.locator('.clients button').nth(1).click()
      const widget = page.frameLocator('casenote-widget iframe')
      await widget.getByRole('button', { name: 'The client agreed' }).click()
      expect(await findBarriers(page)).toEqual([])
      await widget.getByRole('button', { name: 'Start recording' }).click()
      await hears('recordingStarted')
      await widget.getByText(`0:${speechSeconds}`).first().waitFor({ timeout: 60_000 })
      await widget.getByRole('button', { name: 'Finish', exact: true }).click()
      await hears('recordingStopped')
      await hears('progressNoteReady', 200_000)
      await edit(widget, 'Client asked for a letter for work.')
      await magicEdit(widget, 'Replace "Client asked for a letter" with "Patient asked for a letter"')
      await widget.getByRole('button', { name: 'Copy to chart' }).click()
      const chart = page.getByLabel('Chart note')
      await waitUntil(
        async () => (await chart.inputValue()).includes('Patient asked for a letter for work.'),
        'the note is in the chart, as it was edited and magic-edited',
      )
      await widget.getByRole('button', { name: 'Sign', exact: true }).click()
      await widget.getByRole('button', { name: 'Sign and lock' }).click()
      await hears('noteFinalized')
      expect(await page.locator('.clients button').nth(1).textContent()).toContain('Signed')
      const [other, own] = [0, 1].map((index) => page.locator('.clients button').nth(index))
      await other?.click()
      expect(await chart.inputValue()).toBe('')
      // A copy into another client's chart is asked about, stands there under its name, and writes over nothing.
      await page.getByRole('tab', { name: 'Notes' }).click()
      await chart.fill('Words of this chart')
      await widget.getByRole('button', { name: 'Back' }).click()
      await widget.getByRole('button', { name: /^All/ }).click()
      await widget.locator('.list-row', { hasText: 'Signed' }).first().click()
      await widget.getByRole('button', { name: 'Copy to chart' }).click()
      await widget.getByRole('dialog').getByRole('button').last().click()
      const name = await widget.getByRole('heading', { level: 1 }).textContent()
      const copied = page.getByLabel(`Note of ${name}, copied into this chart`)
      expect(await copied.inputValue()).toContain('Patient asked for a letter for work.')
      expect(await chart.inputValue()).toBe('Words of this chart')
      expect(await findBarriers(page)).toEqual([])
      expect(await findBarriersOnBoth(page, await findFrame(page))).toEqual([])
      await own?.click()
      expect(await chart.inputValue()).toContain('Patient asked for a letter for work.')
      expect(await events.textContent()).not.toContain('error')
    } finally {
      await browser.close()
    }
  })

  it('shows one part at a time on a phone, by keyboard as well, and asks no other host for anything', async () => {
    const browser = await openBrowser()
    try {
      const page = await browser.newPage({ viewport: { width: 360, height: 740 } })
      const hosts = new Set<string>()
      page.on('request', (request) => hosts.add(new URL(request.url()).hostname))
      await page.goto(`${service.url}/demo`)
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      await page.locator('.clients button').first().press('Enter')
      await page.frameLocator('casenote-widget iframe').getByRole('heading', { level: 1 }).waitFor()
      expect(await page.locator('.clients').isVisible()).toBe(false)
      await page.getByRole('button', { name: 'Chart', exact: true }).press('Enter')
      await page.getByRole('tab', { name: 'Overview' }).press('ArrowRight')
      await page.getByLabel('Chart note').waitFor()
      expect(await findBarriers(page)).toEqual([])
      expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
      await page.getByRole('button', { name: 'Day', exact: true }).click()
      await page.locator('.clients').waitFor()
      await page.getByRole('button', { name: 'Sign out' }).press('Enter')
      expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0)
      await page.waitForSelector(':focus:text-is("Sign in")')
      await page.keyboard.press('Enter')
      await page.waitForSelector(':focus:text-is("Sign out")')
      expect([...hosts].every((host) => ['127.0.0.1', 'localhost'].includes(host))).toBe(true)
    } finally {
      await browser.close()
    }
  })
})
