import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buffer } from 'node:stream/consumers'
import type { Session, Transcript } from '@casenote/contract'
import type { Browser, Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFolderStore, openBlob } from '../../src/kernel/blobs/index.js'
import { startFileServer, type FileServer } from '../pipeline/pipeline-fixture.js'
import { CasenoteProcess, makeDataFolder, startCasenote, waitUntil } from '../support/casenote-process.js'
import { makeAudio } from '../support/make-audio.mjs'
import {
  callWidget,
  consent,
  fakeMicrophone,
  findFrame,
  mintTokens,
  openStage,
  partnerHtml,
  type Stage,
} from './embedding-fixture.js'
import { findBarriersOnBoth, missesChromium, openBrowser } from '../support/open-browser.js'

const sample = fileURLToPath(new URL('../../samples/medication-management.ogg', import.meta.url))

describe.skipIf(missesChromium('what is heard while somebody records'))(
  'what is heard while somebody records',
  // A worker that was killed is replaced after its lease of 20 s; models have a low priority beside other tests.
  { timeout: 900_000 },
  () => {
    const sounds = mkdtempSync(join(tmpdir(), 'casenote-sound-'))
    const soundFile = join(sounds, 'talk.wav')
    let stage: Stage
    let folder: { path: string; remove(): Promise<void> }
    let env: Record<string, string>
    let api: CasenoteProcess
    let worker: CasenoteProcess
    let files: FileServer
    let browser: Browser

    beforeAll(async () => {
      const talk = [
        '-ss',
        '22.2',
        '-t',
        '90',
        '-i',
        sample,
        '-ar',
        '48000',
        '-ac',
        '1',
        '-f',
        'wav',
        'pipe:1',
      ]
      writeFileSync(soundFile, makeAudio(talk))
      stage = await openStage({ isListening: false })
      files = await startFileServer()
      folder = await makeDataFolder()
      env = {
        ...stage.service.settingsFor(folder.path),
        CASENOTE_PUBLIC_URL: stage.serviceUrl,
        PORT: new URL(stage.serviceUrl).port,
      }
      await consent(stage)
      api = (await startCasenote(env, 'api')).process
      worker = new CasenoteProcess(['worker'], env)
      browser = await openBrowser([...fakeMicrophone, `--use-file-for-fake-audio-capture=${soundFile}`])
    })
    afterAll(async () => {
      await browser?.close()
      await worker?.end('SIGKILL')
      await api?.end('SIGKILL')
      await files?.close()
      await stage?.close()
      await folder?.remove()
      rmSync(sounds, { recursive: true, force: true })
    })

    async function openTab(context: Awaited<ReturnType<Browser['newContext']>>, pageUrl: string) {
      const page = await context.newPage()
      await page.goto(pageUrl)
      await callWidget(page, 'authenticate', await mintTokens(stage))
      await callWidget(page, 'selectClient', stage.partner.clientId)
      return { page, frame: await findFrame(page) }
    }

    const lines = (frame: Frame) => frame.locator('.line')
    const timesOf = (frame: Frame) => frame.locator('.line .line-time').allTextContents()

    it('appears as it is spoken, through breaks of all kinds, and can be hidden', async () => {
      const context = await browser.newContext()
      const pageUrl = stage.pages.add(partnerHtml(`${stage.serviceUrl}/widget/v1/widget.js`))
      const first = await openTab(context, pageUrl)
      await first.frame.getByRole('button', { name: 'Start recording' }).click()
      await first.frame.getByRole('button', { name: 'Pause' }).waitFor()
      await lines(first.frame).first().waitFor({ timeout: 120_000 })
      expect(await lines(first.frame).first().textContent()).toContain('may still change')
      expect(await findBarriersOnBoth(first.page, first.frame)).toEqual([])

      // Hidden it is gone, here and after the next start; shown again it is all there.
      const show = (frame: Frame) => frame.getByRole('button', { name: 'Show what is heard' })
      await first.frame.getByRole('button', { name: 'Hide what is heard' }).click()
      await show(first.frame).waitFor()
      expect(await lines(first.frame).count()).toBe(0)

      await context.setOffline(true)
      await worker.end('SIGKILL')
      worker = new CasenoteProcess(['worker'], env)
      await context.setOffline(false)
      await first.page.close()

      const second = await openTab(context, pageUrl)
      await second.frame.getByRole('button', { name: 'Go on recording' }).click()
      await second.frame.getByRole('button', { name: 'Pause' }).waitFor()
      await show(second.frame).waitFor()
      expect(await lines(second.frame).count()).toBe(0)
      await show(second.frame).click()
      await lines(second.frame).first().waitFor({ timeout: 90_000 })
      const heardTo = (await timesOf(second.frame)).at(-1)
      await waitUntil(
        async () => (await timesOf(second.frame)).at(-1) !== heardTo,
        'later lines appear',
        150_000,
      )
      const sessionId = await finish(second.page, second.frame)

      expect(await countSegments(sessionId)).toBe(2)
      await context.close()

      // What was heard meanwhile was a draft: the transcript is the one of the whole recording, as if it had come as a file.
      const recorded = await wordsOf(sessionId)
      expect(recorded.join(' ').split(' ').length).toBeGreaterThan(20)
      const path = `/clients/${stage.partner.clientId}/sessions`
      const fileUrl = files.urlOf('/joined.webm')
      files.serve('/joined.webm', await readRecording(sessionId))
      const sent = await stage.service.ask(stage.partner, 'POST', path, { fileUrl })
      expect(sent.statusCode).toBe(201)
      expect(await wordsOf(sent.json<Session>().id)).toEqual(recorded)
    })

    /** Of a session that is over. */
    async function wordsOf(sessionId: string): Promise<string[]> {
      const { service, partner } = stage
      const ask = async <Body>(path: string): Promise<Body> =>
        (await service.ask(partner, 'GET', `/sessions/${sessionId}${path}`)).json<Body>()
      await waitUntil(
        async () => (await ask<Session>('')).status === 'completed',
        'the session is completed',
        480_000,
      )
      const { transcriptItems } = await ask<Transcript>('/transcript')
      return transcriptItems.map(({ transcript }) => transcript)
    }

    async function readRecording(sessionId: string): Promise<Buffer> {
      const tenant = { tenantId: stage.partner.partnerId }
      const [row] = (await stage.service.owner.read(tenant, {
        text: 'select audio_blob_id as "blobId" from casenote.sessions where tenant_id = $1 and session_id = $2',
        values: [tenant.tenantId, sessionId],
      })) as { blobId: string }[]
      const store = makeFolderStore(join(folder.path, 'blobs'), 'installation')
      return buffer(await openBlob({ ...stage.service.blobs, store }, tenant, row?.blobId ?? ''))
    }

    async function countSegments(sessionId: string): Promise<number> {
      const { partnerId } = stage.partner
      const rows = await stage.service.owner.read(
        { tenantId: partnerId },
        {
          text: `select 1 from casenote.uploads where tenant_id = $1 and session_id = $2 and status = 'used'`,
          values: [partnerId, sessionId],
        },
      )
      return rows.length
    }

    async function finish(page: Page, frame: Frame): Promise<string> {
      await frame.getByRole('button', { name: 'Finish' }).click()
      let sessionId = ''
      await waitUntil(async () => {
        const rows = await stage.service.owner.read(
          { tenantId: stage.partner.partnerId },
          {
            text: `select s.session_id as "sessionId" from casenote.sessions s where s.tenant_id = $1 and s.status <> 'awaiting_audio'
              and exists (select from casenote.uploads u where u.tenant_id = $1 and u.session_id = s.session_id)`,
            values: [stage.partner.partnerId],
          },
        )
        sessionId = (rows[0] as { sessionId: string } | undefined)?.sessionId ?? ''
        return sessionId !== ''
      }, 'the recording is complete')
      await page.close()
      return sessionId
    }
  },
)
