import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { ClinicianTokens } from '@casenote/contract'
import { buildSync } from 'esbuild'
import type { BrowserContext, Frame, Page } from 'playwright-core'
import { selectUploadsOfSession } from '../../src/features/widget/recordings/uploads.sql.js'
import { listen } from '../../src/http/listen.js'
import { findBlob, readPart, type BlobParts } from '../../src/kernel/blobs/index.js'
import { freePort, waitUntil } from '../support/casenote-process.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

/** A service that browsers reach, its partner, and the partner's page on another site. */
export interface Stage {
  service: TestService
  partner: TestPartner
  /** `http://localhost:PORT`; the partner's pages are at 127.0.0.1, which is another site. */
  serviceUrl: string
  pages: PartnerPages
  /** Moves the service's clock ahead. */
  passMs(durationMs: number): void
  close(): Promise<void>
}

export async function openStage({
  isListening = true,
  env = {},
}: { isListening?: boolean; env?: Record<string, string> } = {}): Promise<Stage> {
  let aheadMs = 0
  const clock = { nowMs: () => Date.now() + aheadMs }
  const service = await makeTestService({ clock, env })
  const partner = await service.addPartner()
  const port = await freePort()
  const listening = isListening ? await listen(service.api.app, { host: 'localhost', port }) : null
  const serviceUrl = `http://localhost:${port}`
  const pages = await servePages()
  return {
    service,
    partner,
    serviceUrl,
    pages,
    passMs: (durationMs) => void (aheadMs += durationMs),
    close: async () => {
      await pages.close()
      service.api.stopStreams()
      service.api.app.server.closeAllConnections()
      await listening?.close()
      await service.close()
    },
  }
}

export interface PartnerPages {
  url: string
  /** Gives the address of a page with this content. */
  add(html: string, headers?: Record<string, string>): string
  close(): Promise<void>
}

async function servePages(): Promise<PartnerPages> {
  const pages = new Map<string, { html: string; headers: Record<string, string> }>()
  const server = createServer((request, response) => {
    const page = pages.get(request.url ?? '')
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html', ...page?.headers })
    response.end(page?.html)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    add: (html, headers = {}) => {
      const path = `/page-${pages.size}`
      pages.set(path, { html, headers })
      return url + path
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export interface PageOptions {
  settings?: object
  /** Runs before the widget's script, as a hostile or careless page's own. */
  before?: string
  global?: string
}

export const pageNonce = 'page0nonce'

/** As a partner writes it: settings, the script tag, listeners. `heard` is what the listeners heard. */
export const partnerHtml = (
  scriptUrl: string,
  { settings = { isAlwaysOpen: true }, before = '', global = 'Casenote' }: PageOptions = {},
): string =>
  `<!doctype html><title>EHR</title><div id="place"></div>` +
  `<script nonce="${pageNonce}">globalThis.casenoteSettings = ${JSON.stringify(settings)}; globalThis.heard = []; ${before}</script>` +
  `<script src="${scriptUrl}"></script>` +
  `<script nonce="${pageNonce}">for (const name of ['ready','recordingStarted','recordingStopped','progressNoteReady','noteFinalized','noteWithdrawn','authenticationRequired','error'])
    ${global}.on(name, (detail) => heard.push({ name, ...detail }))</script>`

export async function mintTokens(
  { service, partner }: Stage,
  clinicianId = partner.clinicianId,
): Promise<ClinicianTokens> {
  // The partner's own token lives for an hour of the service's clock, which tests move.
  const { apiKey, credentialId, clientSecret } = partner
  const entrance = await service.call({
    method: 'POST',
    url: '/v2/partners/authenticate',
    headers: { 'x-api-key': apiKey },
    payload: { clientId: credentialId, clientSecret },
  })
  const { accessToken } = entrance.json<{ accessToken: string }>()
  const answer = await service.call({
    method: 'POST',
    url: `/v2/clinicians/${clinicianId}/authenticate`,
    headers: { 'x-api-key': apiKey, 'access-token': accessToken },
  })
  return answer.json<ClinicianTokens>()
}

export async function consent(stage: Stage): Promise<void> {
  const { AccessToken } = await mintTokens(stage)
  await stage.service.call({
    method: 'POST',
    url: `/widget/v1/clients/${stage.partner.clientId}/consent`,
    headers: { authorization: `Bearer ${AccessToken}` },
    payload: { textVersion: '2026-11', given: true },
  })
}

export const fakeMicrophone = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream']

let harness: string | null = null

function bundleHarness(): string {
  const entry = fileURLToPath(new URL('../../../widget/dev/engine-harness.ts', import.meta.url))
  const options = { bundle: true, write: false, format: 'esm', target: 'chrome110' } as const
  return buildSync({ entryPoints: [entry], ...options }).outputFiles[0]?.text ?? ''
}

/** The frame's script without screens, so that a test drives the engine; its document and policy are the service's. */
export async function useEngineHarness(context: BrowserContext): Promise<void> {
  const body = (harness ??= bundleHarness())
  await context.route('**/widget/v1/assets/frame.*.js', (route) =>
    route.fulfill({ body, contentType: 'text/javascript' }),
  )
}

/** Everything that every recorder of every tab gave, as it gave it: outside of the browser, which may crash. */
export async function hearRecorders(context: BrowserContext): Promise<() => Buffer[][]> {
  const recorders = new Map<string, Buffer[]>()
  await context.exposeBinding('tellSlice', (_source, recorderId: string, base64: string) => {
    const slices = recorders.get(recorderId) ?? []
    recorders.set(recorderId, [...slices, Buffer.from(base64, 'base64')])
  })
  await context.addInitScript(() => {
    const { MediaRecorder, tellSlice } = globalThis as unknown as {
      MediaRecorder: new (...args: unknown[]) => EventTarget
      tellSlice: (recorderId: string, base64: string) => Promise<void>
    }
    const heard = class extends MediaRecorder {
      constructor(...args: unknown[]) {
        super(...args)
        const recorderId = crypto.randomUUID()
        let before = Promise.resolve()
        this.addEventListener('dataavailable', (event) => {
          const { data } = event as unknown as { data: Blob }
          const bytes = data.arrayBuffer()
          const earlier = before
          before = (async () => {
            await earlier
            const text = Array.from(new Uint8Array(await bytes), (byte) => String.fromCodePoint(byte)).join(
              '',
            )
            await tellSlice(recorderId, btoa(text))
          })()
        })
      }
    }
    Object.assign(globalThis, { MediaRecorder: heard })
  })
  return () => [...recorders.values()]
}

/** Waits for the service's word that it has everything; segments in order. */
export async function readCompleteRecording(
  blobs: BlobParts,
  tenantId: string,
  sessionId: string,
): Promise<Buffer[]> {
  const isComplete = async (): Promise<boolean> => {
    const segments = await readSegments(blobs, tenantId, sessionId)
    return segments.length > 0 && segments.every(({ status }) => status === 'used')
  }
  await waitUntil(isComplete, 'the recording is complete', 30_000)
  return (await readSegments(blobs, tenantId, sessionId)).map(({ bytes }) => bytes)
}

/**
 * Which slices the bytes are made of: the last one counts as lost if they end before it. Anything but whole slices from
 * the first on is no number at all.
 */
export function countLostSlices(bytes: Buffer, slices: readonly Buffer[]): number {
  for (let lost = 0; lost <= slices.length; lost += 1) {
    if (bytes.equals(Buffer.concat(slices.slice(0, slices.length - lost)))) return lost
  }
  return Number.NaN
}

/** What the service holds of a session's recording, segment by segment. */
async function readSegments(
  blobs: BlobParts,
  tenantId: string,
  sessionId: string,
): Promise<{ bytes: Buffer; status: string }[]> {
  const tenant = { tenantId }
  const uploads = await blobs.db.read(tenant, selectUploadsOfSession(tenant, sessionId))
  return Promise.all(
    uploads
      .toSorted((a, b) => a.segment - b.segment)
      .map(async ({ blobId, status }) => {
        const parts = (await findBlob(blobs, tenant, blobId))?.parts ?? []
        const bytes = await Promise.all(
          parts.map(({ partNumber }) => readPart(blobs, tenant, blobId, partNumber)),
        )
        return { bytes: Buffer.concat(bytes), status }
      }),
  )
}

/** The widget's frame in a partner's page, once it is there. */
export async function findFrame(page: Page): Promise<Frame> {
  let frame: Frame | undefined
  await waitUntil(async () => {
    frame = page.frames().find((one) => one.url().includes('/widget/v1/frame'))
    return frame !== undefined
  }, 'the frame is in the page')
  return frame as Frame
}

/** As a page does that builds itself anew: the frame is loaded again. */
export async function moveFrame(page: Page, frame: Frame): Promise<Frame> {
  await page.evaluate(() => {
    const { document } = globalThis as unknown as {
      document: { body: { append(child: unknown): void }; querySelector(selector: string): unknown }
    }
    document.body.append(document.querySelector('casenote-widget'))
  })
  await waitUntil(async () => frame.isDetached(), 'the frame is loaded anew')
  return findFrame(page)
}

/** As the page's own script calls it. */
export const callWidget = (page: Page, name: string, ...args: unknown[]): Promise<void> =>
  page.evaluate(
    ([method, given]) => {
      const { Casenote } = globalThis as unknown as {
        Casenote: Record<string, (...args: unknown[]) => void>
      }
      Casenote[method]?.(...given)
    },
    [name, args] as const,
  )

export interface HeardEvent {
  name: string
  message?: string
  code?: string
  sessionId?: string
}

export const listHeard = (page: Page): Promise<HeardEvent[]> =>
  page.evaluate(() => (globalThis as unknown as { heard: HeardEvent[] }).heard)

/** What a test sees in the frame. */
export interface Evaluated {
  engine: {
    auth: { value: { state: string } }
    unlock(): void
    recorder: {
      state: {
        value: {
          state: string
          seconds?: number
          recordedBytes?: number
          uploadedBytes?: number
          isOffline?: boolean
          pauseReason?: string | null
          silentSeconds?: number
          isDry?: boolean
          warning?: string | null
          deviceId?: string | null
        }
      }
      microphones: { value: { deviceId: string; label: string }[] }
      unfinished: { value: { recordingId: string; recordedBytes: number; isOpenElsewhere: boolean }[] }
      sending: { value: { problem: string | null; warning: string | null }[] }
      start(recording: object): Promise<void>
      finish(): Promise<{ sessionId: string }>
      discard(): Promise<void>
      jot(text: string): void
      pause(): void
      resume(): Promise<void>
      changeMicrophone(deviceId: string): Promise<void>
      resumeUnfinished(recordingId: string): Promise<void>
      finishUnfinished(recordingId: string): Promise<{ sessionId: string }>
    }
    api: { get(path: string): Promise<unknown> }
  }
}

/** A tab whose clinician is signed in, and its engine. */
export class Tab {
  constructor(
    readonly page: Page,
    readonly frame: Frame,
  ) {}

  static async open(context: BrowserContext, pageUrl: string, tokens: ClinicianTokens): Promise<Tab> {
    const page = await context.newPage()
    await page.goto(pageUrl)
    await callWidget(page, 'authenticate', tokens)
    const tab = new Tab(page, await findFrame(page))
    await tab.waitFor(({ engine }) => engine.auth.value.state === 'signedIn', 'the tab is signed in')
    return tab
  }

  run<Result>(work: (frame: Evaluated) => Result | Promise<Result>): Promise<Result> {
    // Evaluated in the frame, where `globalThis` has the engine.
    return this.frame.evaluate(`(${work.toString()})(globalThis)`)
  }

  async waitFor(isTrue: (frame: Evaluated) => boolean, what: string): Promise<void> {
    await waitUntil(() => this.run(isTrue), what, 20_000)
  }

  start(clientId: string): Promise<void> {
    const recording = { clientId, clientLabel: 'Sam Sample', noteType: 'soap', options: {} }
    return this.frame.evaluate(
      (given) => (globalThis as unknown as Evaluated).engine.recorder.start(given),
      recording,
    )
  }

  /** Until so many bytes are stored in the browser. */
  async recordBytes(bytes: number): Promise<void> {
    await waitUntil(
      async () => (await this.run(({ engine }) => engine.recorder.state.value.recordedBytes ?? 0)) >= bytes,
      `${bytes} bytes are recorded`,
      20_000,
    )
  }

  async uploadedBytes(): Promise<number> {
    return this.run(({ engine }) => engine.recorder.state.value.uploadedBytes ?? 0)
  }

  heard(): Promise<HeardEvent[]> {
    return listHeard(this.page)
  }
}
