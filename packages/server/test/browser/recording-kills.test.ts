import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium, type BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFolderStore } from '../../src/kernel/blobs/index.js'
import {
  makeDataFolder,
  startCasenote,
  waitUntil,
  type CasenoteProcess,
} from '../support/casenote-process.js'
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
  type Stage,
} from './embedding-fixture.js'
import { browserArgs, findOrInstallChromium, missesChromium } from '../support/open-browser.js'

/** A browser as a person has it: a process with a profile, which can be killed and started again. */
async function startBrowser(profile: string): Promise<{ process: ChildProcess; context: BrowserContext }> {
  const args = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`]
  const child = spawn(
    findOrInstallChromium() ?? '',
    [...browserArgs, ...fakeMicrophone, ...args, 'about:blank'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  for await (const line of createInterface({ input: child.stderr })) {
    const address = /DevTools listening on (ws:\S+)/.exec(line)?.[1]
    if (address === undefined) continue
    child.stderr.resume()
    const browser = await chromium.connectOverCDP(address)
    const [context] = browser.contexts()
    if (context !== undefined) return { process: child, context }
  }
  throw new Error('the browser did not start')
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

describe.skipIf(missesChromium('killing the service and the browser'))(
  'a recording, when everything is killed',
  () => {
    let stage: Stage
    let folder: { path: string; remove(): Promise<void> }
    let profile: string
    let env: Record<string, string>

    beforeAll(async () => {
      stage = await openStage({ isListening: false })
      folder = await makeDataFolder()
      profile = await mkdtemp(join(tmpdir(), 'casenote-profile-'))
      env = {
        ...stage.service.settingsFor(folder.path),
        CASENOTE_PUBLIC_URL: stage.serviceUrl,
        PORT: new URL(stage.serviceUrl).port,
      }
      await consent(stage)
    })
    afterAll(async () => {
      await stage?.close()
      await folder?.remove()
      await rm(profile, { recursive: true, force: true })
    })

    it('loses nothing with the service in mid-upload, and at most a second with the whole browser', async () => {
      let api: CasenoteProcess = (await startCasenote(env, 'api')).process
      // The example EHR, which signs in whoever asks, is no part of the roles of production.
      expect((await fetch(`${stage.serviceUrl}/demo`)).status).toBe(403)
      const first = await startBrowser(profile)
      let second: Awaited<ReturnType<typeof startBrowser>> | null = null
      try {
        const pageUrl = stage.pages.add(partnerHtml(`${stage.serviceUrl}/widget/v1/widget.js`))
        await useEngineHarness(first.context)
        const listRecorded = await hearRecorders(first.context)
        const tab = await Tab.open(first.context, pageUrl, await mintTokens(stage))
        await tab.start(stage.partner.clientId)
        await waitUntil(async () => (await tab.uploadedBytes()) > 0, 'it is being sent')
        await api.end('SIGKILL')
        const sentBefore = await tab.uploadedBytes()
        await tab.recordBytes(sentBefore + 12_000)
        api = (await startCasenote(env, 'api')).process
        await waitUntil(async () => (await tab.uploadedBytes()) > sentBefore, 'it is sent again')
        await kill(first.process)

        second = await startBrowser(profile)
        await useEngineHarness(second.context)
        const after = await Tab.open(second.context, pageUrl, await mintTokens(stage))
        await after.waitFor(
          ({ engine }) => engine.recorder.unfinished.value.length === 1,
          'it is offered again',
        )
        const { sessionId } = await after.run(({ engine }) => {
          const [one] = engine.recorder.unfinished.value
          return engine.recorder.finishUnfinished(one?.recordingId ?? '')
        })
        const blobs = {
          ...stage.service.blobs,
          store: makeFolderStore(join(folder.path, 'blobs'), 'installation'),
        }
        const [held] = await readCompleteRecording(blobs, stage.partner.partnerId, sessionId)
        const lost = countLostSlices(held ?? Buffer.alloc(0), listRecorded()[0] ?? [])
        expect(lost).toBeLessThanOrEqual(1)
      } finally {
        await kill(first.process)
        if (second !== null) await kill(second.process)
        await api.end('SIGKILL')
      }
    })
  },
)
