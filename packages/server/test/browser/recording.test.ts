import { describe, expect, it } from 'vitest'
import { planWebmSeek } from '../../src/engines/speech/audio/seek/webm-seek.js'
import { setQuotas } from '../../src/features/partners/index.js'
import { waitUntil } from '../support/casenote-process.js'
import { addColleague } from '../widget/widget-fixture.js'
import {
  callWidget,
  countLostSlices,
  fakeMicrophone,
  mintTokens,
  readCompleteRecording,
  Tab,
  useEngineHarness,
} from './embedding-fixture.js'
import { missesChromium } from '../support/open-browser.js'
import { useRecordingStage } from './recording-fixture.js'

const accessTokenLifeMs = 600_000

describe.skipIf(missesChromium('recording in the widget'))('a recording', () => {
  const on = useRecordingStage({ browserArgs: fakeMicrophone, prepare: useEngineHarness })

  it('arrives byte by byte as the recorder gave it, through a network that goes and an expired token', async () => {
    const tab = await on.openTab()
    await tab.start(on.stage.partner.clientId)
    await waitUntil(async () => (await tab.uploadedBytes()) > 0, 'it is sent while it is recorded')
    await on.context.setOffline(true)
    const sentBefore = await tab.uploadedBytes()
    await tab.recordBytes(sentBefore + 10_000)
    await tab.waitFor(({ engine }) => engine.recorder.state.value.isOffline === true, 'the tab says so')
    on.stage.passMs(accessTokenLifeMs + 1_000)
    await on.context.setOffline(false)
    await waitUntil(async () => (await tab.uploadedBytes()) > sentBefore, 'it is sent again')
    await tab.run(({ engine }) => engine.recorder.pause())
    await tab.run(({ engine }) => engine.recorder.resume())
    const { sessionId } = await tab.run(({ engine }) => engine.recorder.finish())
    expect(await on.countLost(sessionId)).toEqual([0])
    const names = (await tab.heard()).map(({ name }) => name)
    expect(names).toEqual(['ready', 'recordingStarted', 'recordingStopped'])
    await tab.waitFor(({ engine }) => engine.recorder.sending.value.length === 0, 'nothing is left to send')
  })

  it('goes on when the page authenticates again after all tokens were gone', async () => {
    const tokens = await mintTokens(on.stage)
    const tab = await Tab.open(on.context, on.pageUrl, tokens)
    await tab.start(on.stage.partner.clientId)
    await waitUntil(async () => (await tab.uploadedBytes()) > 0, 'it is sent')
    await on.stage.service.call({
      method: 'POST',
      url: '/widget/v1/logout',
      headers: { authorization: `Bearer ${tokens.AccessToken}` },
      payload: { RefreshToken: tokens.RefreshToken },
    })
    await waitUntil(
      async () => (await tab.heard()).some(({ name }) => name === 'authenticationRequired'),
      'the page is asked for tokens',
      20_000,
    )
    const sentBefore = await tab.uploadedBytes()
    await tab.recordBytes(sentBefore + 8_000)
    await callWidget(tab.page, 'authenticate', await mintTokens(on.stage))
    await waitUntil(async () => (await tab.uploadedBytes()) > sentBefore, 'it is sent again')
    const { sessionId } = await tab.run(({ engine }) => engine.recorder.finish())
    expect(await on.countLost(sessionId)).toEqual([0])
  })

  it('is kept here while the service has no room for it, says so, and arrives once there is', async () => {
    const { service, partner } = on.stage
    const tenant = { tenantId: partner.partnerId }
    const tab = await on.openTab()
    await tab.start(partner.clientId)
    await waitUntil(async () => (await tab.uploadedBytes()) > 0, 'it is sent')
    await setQuotas(service.owner, tenant, { clinicianStoredBytes: 1 })
    await tab.waitFor(
      ({ engine }) => engine.recorder.state.value.warning?.includes('has no room') === true,
      'it says so',
    )
    const sentBefore = await tab.uploadedBytes()
    await tab.recordBytes(sentBefore + 10_000)
    expect(await tab.uploadedBytes()).toBe(sentBefore)
    await setQuotas(service.owner, tenant, { clinicianStoredBytes: 1_000_000_000 })
    await waitUntil(async () => (await tab.uploadedBytes()) > sentBefore, 'it is sent again', 40_000)
    await tab.waitFor(
      ({ engine }) => engine.recorder.state.value.warning === null,
      'it says nothing any more',
    )
    const { sessionId } = await tab.run(({ engine }) => engine.recorder.finish())
    expect(await on.countLost(sessionId)).toEqual([0])
  })

  it('goes on, as reads do, when the service has told its clinician to slow down', async () => {
    const tokens = await mintTokens(on.stage)
    const tab = await Tab.open(on.context, on.pageUrl, tokens)
    await tab.start(on.stage.partner.clientId)
    await waitUntil(async () => (await tab.uploadedBytes()) > 0, 'it is sent')
    const refused = new Set<string>()
    on.context.on('response', (response) => {
      if (response.status() === 429) refused.add(response.request().method())
    })
    const headers = { authorization: `Bearer ${tokens.AccessToken}` }
    const ask = () => on.stage.service.call({ method: 'GET', url: '/widget/v1/clinician', headers })
    /** From nothing, and until the moment that is given: a slow machine asks for less than comes back meanwhile. */
    const refillFrom = (moment: string) =>
      on.stage.service.owner.write({ tenantId: on.stage.partner.partnerId }, (tx) =>
        tx.run({
          text: `update casenote.clinician_buckets set tokens = 0, refilled_at = ${moment} where tenant_id = $1`,
          values: [on.stage.partner.partnerId],
        }),
      )
    const isUsedUp = async (): Promise<boolean> => {
      await refillFrom("now() + interval '50 seconds'")
      const answers = await Promise.all(Array.from({ length: 200 }, ask))
      return answers.at(-1)?.statusCode === 429
    }
    await waitUntil(
      async () => (await isUsedUp()) && refused.has('PATCH'),
      'the recording is refused',
      30_000,
    )
    const reads: Promise<string>[] = []
    await waitUntil(async () => {
      reads.push(tab.run(({ engine }) => engine.api.get('/clinician').then(() => 'answered')))
      return (await isUsedUp()) && refused.has('GET')
    }, 'a read is refused')
    await refillFrom('now()')
    expect(new Set(await Promise.all(reads))).toEqual(new Set(['answered']))
    const { sessionId } = await tab.run(({ engine }) => engine.recorder.finish())
    expect(await on.countLost(sessionId)).toEqual([0])
    // Playback finds its way in what this very on.browser wrote.
    const [held = Buffer.alloc(0)] = await readCompleteRecording(
      on.stage.service.blobs,
      on.stage.partner.partnerId,
      sessionId,
    )
    expect(planWebmSeek(held)?.first.seconds).toBeLessThan(0.1)
  })

  it('outlives its tab: the next one resumes it as a second segment, but not while another tab holds it', async () => {
    const tokens = await mintTokens(on.stage)
    const first = await Tab.open(on.context, on.pageUrl, tokens)
    const second = await Tab.open(on.context, on.pageUrl, tokens)
    await first.start(on.stage.partner.clientId)
    await first.recordBytes(8_000)
    const isOpen = (isOpenElsewhere: boolean) => async (): Promise<boolean> => {
      const [one] = await second.run(({ engine }) => engine.recorder.unfinished.value)
      return one?.isOpenElsewhere === isOpenElsewhere
    }
    await waitUntil(isOpen(true), 'the second tab sees that it is open here')
    const [offered] = await second.run(({ engine }) => engine.recorder.unfinished.value)
    const recordingId = offered?.recordingId ?? ''
    const refused = second.frame.evaluate(
      (id) =>
        (
          globalThis as unknown as {
            engine: { recorder: { resumeUnfinished(id: string): Promise<void> } }
          }
        ).engine.recorder
          .resumeUnfinished(id)
          .catch((error: Error) => error.message),
      recordingId,
    )
    expect(await refused).toContain('another tab')
    const crashed = on.listRecorded().length
    await first.page.close({ runBeforeUnload: false })
    await waitUntil(async () => {
      await second.frame.evaluate(
        (id) =>
          (
            globalThis as unknown as {
              engine: { recorder: { resumeUnfinished(id: string): Promise<void> } }
            }
          ).engine.recorder.resumeUnfinished(id),
        recordingId,
      )
      return true
    }, 'the second tab goes on with it')
    await second.recordBytes(16_000)
    const { sessionId } = await second.run(({ engine }) => engine.recorder.finish())
    const { service, partner } = on.stage
    const held = await readCompleteRecording(service.blobs, partner.partnerId, sessionId)
    expect(held).toHaveLength(2)
    // By its bytes: refused attempts opened a microphone, too, of which nothing was kept, and a busy browser tells of slices late.
    const countLost = (): (number | undefined)[] =>
      held.map((bytes) =>
        on
          .listRecorded()
          .map((slices) => countLostSlices(bytes, slices))
          .find((lost) => !Number.isNaN(lost)),
      )
    await waitUntil(async () => !countLost().includes(undefined), 'each segment is what a recorder gave')
    const [lostByClosing, lostAfter] = countLost()
    expect(crashed).toBeGreaterThan(0)
    expect(lostByClosing).toBeLessThanOrEqual(1)
    expect(lostAfter).toBe(0)
  })

  it('may be a file: copied first, then sent byte by byte', async () => {
    const tab = await on.openTab()
    const { sessionId, text } = await tab.frame.evaluate(uploadMadeUpFile, on.stage.partner.clientId)
    const { service, partner } = on.stage
    const [held] = await readCompleteRecording(service.blobs, partner.partnerId, sessionId)
    expect(held?.equals(Buffer.from(text, 'base64'))).toBe(true)
    await tab.waitFor(({ engine }) => engine.recorder.sending.value.length === 0, 'nothing is left to send')
  })

  it('stays sealed on the device after logout, for its own clinician alone', async () => {
    const tab = await on.openTab()
    await tab.start(on.stage.partner.clientId)
    await tab.recordBytes(8_000)
    await callWidget(tab.page, 'logout')
    await tab.waitFor(({ engine }) => engine.auth.value.state === 'signedOut', 'it is signed out')
    await tab.waitFor(({ engine }) => engine.recorder.state.value.state === 'idle', 'it records no more')
    const kept = await tab.frame.evaluate(readEverythingStored)
    expect(kept.lineages).toBe(0)
    expect(kept.recordings).toBe(1)
    expect(kept.text).not.toContain('Sample')
    // Every webm begins with EBML and names its document type.
    expect(kept.text).not.toContain('webm\u0042')
    const { clinicianId } = await addColleague(on.stage.service, on.stage.partner)
    await callWidget(tab.page, 'authenticate', await mintTokens(on.stage, clinicianId))
    await tab.waitFor(({ engine }) => engine.auth.value.state === 'signedIn', 'the colleague is signed in')
    expect(await tab.run(({ engine }) => engine.recorder.unfinished.value.length)).toBe(0)
    await callWidget(tab.page, 'logout')
    await callWidget(tab.page, 'authenticate', await mintTokens(on.stage))
    await tab.waitFor(({ engine }) => engine.recorder.unfinished.value.length === 1, 'it is offered again')
    const { sessionId } = await tab.run(({ engine }) => {
      const [one] = engine.recorder.unfinished.value
      return engine.recorder.finishUnfinished(one?.recordingId ?? '')
    })
    expect(await on.countLost(sessionId)).toEqual([0])
  })

  it('is not resumed for a clinician who signs out while its pad is read: the microphone goes off', async () => {
    const tab = await on.openTab()
    await tab.start(on.stage.partner.clientId)
    await tab.run(({ engine }) => engine.recorder.jot('Tearful'))
    await tab.recordBytes(8_000)
    const signIn = async (): Promise<void> => callWidget(tab.page, 'authenticate', await mintTokens(on.stage))
    await callWidget(tab.page, 'logout')
    await tab.waitFor(({ engine }) => engine.recorder.state.value.state === 'idle', 'it records no more')
    await signIn()
    await tab.waitFor(({ engine }) => engine.recorder.unfinished.value.length === 1, 'it is offered')
    await tab.frame.evaluate(delayPads)
    const resumed = tab.run(({ engine }) => {
      const [one] = engine.recorder.unfinished.value
      return engine.recorder.resumeUnfinished(one?.recordingId ?? '').catch((error: Error) => error.message)
    })
    await waitUntil(() => tab.frame.evaluate('heldPads.length > 0'), 'its pad is read')
    await callWidget(tab.page, 'logout')
    await tab.waitFor(({ engine }) => engine.auth.value.state === 'signedOut', 'it is signed out')
    await tab.frame.evaluate('heldPads.splice(0).forEach((pass) => pass())')
    expect(await resumed).toEqual(expect.any(String))
    await waitUntil(
      () => tab.frame.evaluate('heardTracks.every((one) => one.readyState === "ended")'),
      'it is off',
    )
    expect(await tab.run(({ engine }) => engine.recorder.state.value.state)).toBe('idle')
  })
})

/** In the frame: no pad is unsealed until it is let pass, and microphones are remembered. */
function delayPads(): void {
  interface Unsealing {
    additionalData: Uint8Array
  }
  const { crypto, navigator } = globalThis as unknown as {
    crypto: { subtle: { decrypt(how: Unsealing, ...rest: unknown[]): Promise<unknown> } }
    navigator: { mediaDevices: { getUserMedia(what: object): Promise<{ getTracks(): object[] }> } }
  }
  const heldPads: (() => void)[] = []
  const heardTracks: object[] = []
  Object.assign(globalThis, { heldPads, heardTracks })
  const { subtle } = crypto
  const decrypt = subtle.decrypt.bind(subtle)
  subtle.decrypt = async (how, ...rest) => {
    if (new TextDecoder().decode(how.additionalData).endsWith('/pad'))
      await new Promise<void>((resolve) => heldPads.push(resolve))
    return decrypt(how, ...rest)
  }
  const { mediaDevices } = navigator
  const open = mediaDevices.getUserMedia.bind(mediaDevices)
  mediaDevices.getUserMedia = async (what) => {
    const stream = await open(what)
    heardTracks.push(...stream.getTracks())
    return stream
  }
}

/** In the frame: more than one request carries, and no whole number of slices. */
async function uploadMadeUpFile(clientId: string): Promise<{ sessionId: string; text: string }> {
  const bytes = new Uint8Array(2_500_000).map((_, index) => (index * 31 + (index >> 8)) % 251)
  // The header of sixteen bits at 8 kHz: what is no recording would be refused.
  const head =
    'RIFF\xff\xff\xff\x7fWAVEfmt \x10\0\0\0\x01\0\x01\0@\x1f\0\0\x80>\0\0\x02\0\x10\0data\xff\xff\xff\x7f'
  bytes.set(Array.from(head, (character) => character.codePointAt(0) ?? 0))
  const { engine } = globalThis as unknown as {
    engine: {
      recorder: { uploadFile(recording: object, file: unknown): Promise<{ sessionId: string }> }
    }
  }
  const recording = { clientId, clientLabel: 'Sam Sample', noteType: 'soap', options: {} }
  const { sessionId } = await engine.recorder.uploadFile(recording, new File([bytes], 'session.wav'))
  const text = btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''))
  return { sessionId, text }
}

/** In the frame: all rows of its storage, as one text of Latin-1 characters. */
async function readEverythingStored(): Promise<{ lineages: number; recordings: number; text: string }> {
  interface Rows {
    result: unknown[]
    onsuccess: () => void
  }
  const { indexedDB } = globalThis as unknown as {
    indexedDB: { open(name: string): { result: never; onsuccess: () => void } }
  }
  const opening = indexedDB.open('casenote-widget')
  await new Promise<void>((resolve) => (opening.onsuccess = resolve))
  const db = opening.result as unknown as {
    transaction(name: string): { objectStore(name: string): { getAll(): Rows } }
  }
  const list = (name: string): Promise<unknown[]> =>
    new Promise((resolve) => {
      const request = db.transaction(name).objectStore(name).getAll()
      request.onsuccess = () => resolve(request.result)
    })
  const [lineages, recordings, slices] = await Promise.all(['lineages', 'recordings', 'slices'].map(list))
  const show = (value: unknown): string => {
    if (value instanceof ArrayBuffer) return show(new Uint8Array(value))
    if (value instanceof Uint8Array) return Array.from(value, (byte) => String.fromCodePoint(byte)).join('')
    if (typeof value === 'object' && value !== null) return Object.values(value).map(show).join(' ')
    return String(value)
  }
  return {
    lineages: lineages?.length ?? -1,
    recordings: recordings?.length ?? -1,
    text: show([lineages, recordings, slices]),
  }
}
