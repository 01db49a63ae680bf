import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ProgressNote, Session, SessionContext, Transcript } from '@casenote/contract'
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setRequiresConsent } from '../../src/features/partners/index.js'
import { CasenoteProcess, makeDataFolder, startCasenote, waitUntil } from '../support/casenote-process.js'
import { makeAudio } from '../support/make-audio.mjs'
import {
  callWidget,
  fakeMicrophone,
  findFrame,
  mintTokens,
  openStage,
  partnerHtml,
  type Stage,
} from './embedding-fixture.js'
import { findBarriersOnBoth, missesChromium, openBrowser } from '../support/open-browser.js'

const sample = fileURLToPath(new URL('../../samples/medication-management.ogg', import.meta.url))

describe.skipIf(missesChromium('a dictation'))('a dictation', { timeout: 300_000 }, () => {
  const sounds = mkdtempSync(join(tmpdir(), 'casenote-sound-'))
  const soundFile = join(sounds, 'talk.wav')
  let stage: Stage
  let folder: { path: string; remove(): Promise<void> }
  let program: CasenoteProcess
  let browser: Browser
  let context: BrowserContext
  let pageUrl: string

  beforeAll(async () => {
    const excerpt = ['-ss', '22.2', '-t', '40', '-i', sample]
    writeFileSync(soundFile, makeAudio([...excerpt, '-ar', '48000', '-ac', '1', '-f', 'wav', 'pipe:1']))
    stage = await openStage({ isListening: false })
    folder = await makeDataFolder()
    const env = {
      ...stage.service.settingsFor(folder.path),
      CASENOTE_PUBLIC_URL: stage.serviceUrl,
      CASENOTE_DISPATCHER_URL: stage.service.database.dispatcherUrl,
      PORT: new URL(stage.serviceUrl).port,
    }
    program = (await startCasenote(env, 'start')).process
    await setRequiresConsent(stage.service.owner, { tenantId: stage.partner.partnerId }, true)
    browser = await openBrowser([...fakeMicrophone, `--use-file-for-fake-audio-capture=${soundFile}`])
    context = await browser.newContext()
    pageUrl = stage.pages.add(partnerHtml(`${stage.serviceUrl}/widget/v1/widget.js`))
  })
  afterAll(async () => {
    await browser?.close()
    await program?.end('SIGKILL')
    await stage?.close()
    await folder?.remove()
    rmSync(sounds, { recursive: true, force: true })
  })

  async function openTab(): Promise<{ page: Page; frame: Frame }> {
    const page = await context.newPage()
    await page.goto(pageUrl)
    await callWidget(page, 'authenticate', await mintTokens(stage))
    // A page that speaks of headphones offers no other side of a dictation.
    const known = { pronouns: 'they/them', namesToKeepOut: ['Rosalind'] }
    const options = { usingHeadphones: true, context: known }
    await callWidget(page, 'selectClient', stage.partner.clientId, options)
    return { page, frame: await findFrame(page) }
  }

  const read = async <Body>(sessionId: string, what: string): Promise<Body> =>
    (await stage.service.ask(stage.partner, 'GET', `/sessions/${sessionId}/${what}`)).json<Body>()

  it('of a client who said no goes on after its tab was closed, and has a note that points to the clinician’s words', async () => {
    const first = await openTab()
    await first.frame.getByRole('button', { name: 'The client did not agree' }).click()
    await first.frame.getByRole('button', { name: 'Dictate' }).click()
    const only = (frame: Frame) => frame.getByText('Only you, after the session: the client is not heard.')
    await only(first.frame).waitFor()
    expect(await findBarriersOnBoth(first.page, first.frame)).toEqual([])
    await first.frame.getByRole('button', { name: 'Start dictating' }).click()
    await first.frame.getByRole('heading', { name: 'Dictating' }).waitFor()
    await only(first.frame).waitFor()
    expect(await first.frame.getByText('other side').count()).toBe(0)
    expect(await findBarriersOnBoth(first.page, first.frame)).toEqual([])
    const timer = (frame: Frame) => frame.getByRole('timer').textContent()
    await waitUntil(async () => (await timer(first.frame)) === '0:08', 'eight seconds are dictated', 60_000)
    await first.page.close()

    const { page, frame } = await openTab()
    await frame.getByText('Dictation ·').waitFor()
    await frame.getByRole('button', { name: 'Go on recording' }).click()
    await frame.getByRole('heading', { name: 'Dictating' }).waitFor()
    await waitUntil(
      async () => Number((await timer(frame))?.split(':')[1]) >= 30,
      'it is long enough',
      90_000,
    )
    await frame.getByRole('button', { name: 'Finish' }).click()
    await frame.locator('.note-section').first().waitFor({ timeout: 200_000 })

    const sessions = (await stage.service.owner.read(
      { tenantId: stage.partner.partnerId },
      {
        text: `select session_id as "sessionId" from casenote.sessions where tenant_id = $1 and source = 'dictated'`,
        values: [stage.partner.partnerId],
      },
    )) as { sessionId: string }[]
    expect(sessions).toHaveLength(1)
    const sessionId = sessions[0]?.sessionId ?? ''
    const ended = async (): Promise<boolean> =>
      (await stage.service.ask(stage.partner, 'GET', `/sessions/${sessionId}`)).json<Session>().status ===
      'completed'
    await waitUntil(ended, 'the note is written', 120_000)
    // Kept with the recording when its tab was closed, and there before the note.
    expect(await read<SessionContext>(sessionId, 'context')).toMatchObject({
      pronouns: 'they/them',
      namesToKeepOut: ['Rosalind'],
    })
    const { transcriptItems } = await read<Transcript>(sessionId, 'transcript')
    for (const item of transcriptItems)
      expect(item).toMatchObject({ speaker: 'clinician', source: 'dictated' })
    const { note } = await read<ProgressNote>(sessionId, 'progress-note')
    const own = note
      .flatMap(({ evidence }) => evidence)
      .find(({ judgement }) => judgement === 'clinicians_words')
    expect(own?.transcriptItems.length).toBeGreaterThan(0)

    // From the sentence to the line, which says whose it is and how it came.
    await frame.locator('.sentence.clinicians_words').first().click()
    const line = frame.locator('.evidence-panel .line').first()
    expect(await line.locator('.speaker').textContent()).toBe('Dictated')
    const [place] = own?.transcriptItems ?? []
    expect(await line.textContent()).toContain(transcriptItems[place ?? -1]?.transcript)
    await frame.getByRole('tab', { name: 'Transcript' }).click()
    await frame.getByText('this was dictated by the clinician').waitFor()
    expect(await frame.locator('.line .speaker').allTextContents()).toEqual(
      transcriptItems.map(() => 'Dictated'),
    )
    expect(await frame.getByRole('button', { name: 'Correct speakers' }).count()).toBe(0)
    expect(await findBarriersOnBoth(page, frame)).toEqual([])
  })
})
