import type { TranscriptItem } from '@casenote/contract'
import type { Frame } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { keepDraft } from '../../src/features/live-transcripts/index.js'
import { completeGeneration } from '../../src/features/progress-notes/index.js'
import { completeSession } from '../../src/features/sessions/index.js'
import { saveReading } from '../../src/features/transcripts/index.js'
import type { SessionId } from '../../src/kernel/ids.js'
import { dangerOf, readAs } from '../engines/session-fixtures.js'
import { waitUntil } from '../support/casenote-process.js'
import { asPipeline, someSections, startRecord } from '../support/clinical-record.js'
import { callWidget, fakeMicrophone, findFrame, mintTokens } from './embedding-fixture.js'
import { findBarriersOnBoth, missesChromium } from '../support/open-browser.js'
import { useRecordingStage } from './recording-fixture.js'

describe.skipIf(missesChromium('off the record'))('off the record', () => {
  const on = useRecordingStage({ browserArgs: fakeMicrophone, prepare: async () => {} })

  async function openTab(): Promise<Frame> {
    const page = await on.context.newPage()
    await page.goto(on.pageUrl)
    await callWidget(page, 'authenticate', await mintTokens(on.stage))
    await callWidget(page, 'selectClient', on.stage.partner.clientId)
    return findFrame(page)
  }

  const listGaps = async () => {
    const { service, partner } = on.stage
    const tenant = { tenantId: partner.partnerId }
    return (await service.db.read(tenant, {
      text: `select kind, start_ms::int as "startMs", end_ms::int as "endMs", lasted_ms::int as "lastedMs", is_cut as "isCut"
        from casenote.session_gaps where tenant_id = $1 order by created_at`,
      values: [partner.partnerId],
    })) as { kind: string; startMs: number; endMs: number; lastedMs: number; isCut: boolean }[]
  }

  /** As a worker keeps it, of the recording that runs. */
  const hear = async (text: string): Promise<void> => {
    const { service, partner } = on.stage
    const tenant = { tenantId: partner.partnerId }
    const [session] = (await service.db.read(tenant, {
      text: `select session_id as "sessionId" from casenote.sessions where tenant_id = $1 and status = 'awaiting_audio'`,
      values: [partner.partnerId],
    })) as { sessionId: SessionId }[]
    if (session === undefined) throw new Error('nothing is recorded')
    const draft = [{ startSeconds: 0.5, endSeconds: 2, text }]
    const heard = { ...session, fedBytes: 1, heardSeconds: 5, draft, struckCount: 0 }
    await keepDraft(service.db, await service.keys.get(tenant), heard)
  }

  const clock = (frame: Frame) => frame.getByRole('timer')
  const secondsOf = async (frame: Frame): Promise<number> => {
    const [minutes = 0, seconds = 0] = ((await clock(frame).textContent()) ?? '').split(':').map(Number)
    return minutes * 60 + seconds
  }
  const countSlices = (): number => on.listRecorded().reduce((sum, slices) => sum + slices.length, 0)

  it('nothing is recorded; a closed tab leaves it so; the gap arrives once the recording goes on', async () => {
    const first = await openTab()
    await first.getByRole('button', { name: 'Start recording' }).click()
    await waitUntil(async () => (await secondsOf(first)) >= 3, 'it records', 20_000)
    await first.getByRole('button', { name: 'Off the record' }).click()
    await first.getByRole('button', { name: 'Back on the record' }).waitFor()
    expect(await findBarriersOnBoth(first.page(), first)).toEqual([])
    const stoppedAt = await secondsOf(first)
    // The slice of the moment itself still comes.
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    const slices = countSlices()
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    expect(countSlices()).toBe(slices)
    expect(await secondsOf(first)).toBe(stoppedAt)
    // Nobody said that it is over: it goes on being one.
    expect(await listGaps()).toEqual([])

    await on.context.setOffline(true)
    await first.page().close()
    await on.context.setOffline(false)
    const second = await openTab()
    await second.getByRole('button', { name: 'Go on recording' }).click()
    await second.getByRole('button', { name: 'Off the record' }).waitFor()
    await waitUntil(async () => (await listGaps()).length === 1, 'the gap is at the service', 20_000)
    const [gap] = await listGaps()
    expect(gap).toMatchObject({ kind: 'off_record', endMs: gap?.startMs, isCut: true })
    expect(Math.abs((gap?.startMs ?? 0) / 1_000 - stoppedAt)).toBeLessThan(1.5)
    expect(gap?.lastedMs).toBeGreaterThan(3_000)

    // By key, while somebody types.
    await second.getByLabel('Jot down').focus()
    await second.page().keyboard.press('F8')
    await second.getByRole('button', { name: 'Back on the record' }).waitFor()
    await second.page().keyboard.press('F8')
    await second.getByRole('button', { name: 'Pause' }).waitFor()
    await waitUntil(async () => (await listGaps()).length === 2, 'the second one, too', 20_000)

    // A machine that sleeps: of all its clocks the one on the wall goes on.
    await second.evaluate(() => {
      const { now } = Date
      Date.now = () => now.call(Date) + 90_000
    })
    await second.getByRole('alert').getByText('Nothing was recorded for 1:').waitFor()
    await waitUntil(async () => (await listGaps()).length === 3, 'what it slept through', 20_000)
    const slept = (await listGaps()).at(-1)
    expect(slept).toMatchObject({ kind: 'off_record', endMs: slept?.startMs, isCut: true })
    expect(Math.abs((slept?.lastedMs ?? 0) - 90_000)).toBeLessThan(5_000)
    await second.getByRole('button', { name: 'Pause' }).waitFor()

    await hear('Most nights I think about killing myself.')
    const dialog = second.locator('dialog[open]')
    const strike = dialog.getByRole('button', { name: 'Strike for good' })
    await second.getByRole('button', { name: 'Strike what was just said' }).click()
    await dialog.getByRole('alert').getByText('Most nights I think about killing myself.').waitFor()
    await dialog.getByText('what was said later is not heard yet').waitFor()
    expect(await findBarriersOnBoth(second.page(), second)).toEqual([])
    expect(await strike.getAttribute('aria-disabled')).toBe('true')
    expect(await listGaps()).toHaveLength(3)
    await dialog.getByLabel('I have read it, and it is to go').check()
    await strike.click()
    await waitUntil(async () => (await listGaps()).length === 4, 'what was said is struck', 20_000)
    expect((await listGaps()).at(-1)).toMatchObject({ kind: 'struck', startMs: 0, isCut: false })

    // What was heard went with it: nobody can look, and it goes all the same.
    await second.getByRole('button', { name: 'Strike what was just said' }).click()
    await dialog.getByText('Nobody could look at it for danger').waitFor()
    await strike.click()
    await waitUntil(async () => (await listGaps()).length === 5, 'that, too', 20_000)
    await second.getByRole('button', { name: 'Finish' }).click()
    await second.getByText('Sam Sample').first().waitFor()
  })

  const items: TranscriptItem[] = [
    { startTime: 0, endTime: 3, speaker: 'speaker_1', transcript: 'How did you sleep this week?' },
    {
      startTime: 3,
      endTime: 7,
      speaker: 'speaker_2',
      transcript: 'Most nights I think about killing myself.',
    },
    { startTime: 7, endTime: 9, speaker: 'speaker_2', transcript: 'On Sunday I cooked.' },
  ]

  /** A session with a note, as the pipeline leaves it. */
  async function writeSession(): Promise<string> {
    const { service, partner } = on.stage
    const tenant = { tenantId: partner.partnerId }
    const work = asPipeline(await service.keys.get(tenant))
    const started = await startRecord(service.db, work, { clientId: partner.clientId, items })
    const { sessionId, generationId } = started
    await service.db.write(tenant, async (tx) => {
      const written = { sections: someSections(), review: [], madeBy: 'test' }
      await completeGeneration(tx, work, { generationId, ...written })
      const reading = readAs(dangerOf(items, 1))
      await saveReading(tx, work.ring, { sessionId, transcript: items, reading })
      await completeSession(tx, sessionId)
    })
    return sessionId
  }

  it('a stretch of a transcript is struck once what was said about danger in it was read', async () => {
    const sessionId = await writeSession()
    const page = await on.context.newPage()
    await page.goto(on.pageUrl)
    await callWidget(page, 'authenticate', await mintTokens(on.stage))
    const frame = await findFrame(page)
    await frame.getByRole('button', { name: /^All/ }).click()
    await frame.locator('.list-row').first().click()
    await frame.getByRole('tab', { name: 'Transcript' }).click()
    await frame.getByRole('button', { name: 'Strike a stretch' }).click()
    const dialog = frame.locator('dialog[open]')
    await dialog.getByLabel('First line').selectOption('1')
    await dialog.getByRole('button', { name: 'See what goes' }).click()
    await dialog.getByText('1 line goes for good').waitFor()
    await dialog.getByText('This was said about danger').waitFor()
    await dialog.getByRole('alert').getByText('Most nights I think about killing myself.').waitFor()
    expect(await findBarriersOnBoth(page, frame)).toEqual([])
    const strike = dialog.getByRole('button', { name: 'Strike for good' })
    expect(await strike.getAttribute('aria-disabled')).toBe('true')
    // Another stretch is looked at anew.
    await dialog.getByLabel('First line').selectOption('2')
    await dialog.getByRole('button', { name: 'See what goes' }).waitFor()
    await dialog.getByLabel('First line').selectOption('1')
    await dialog.getByLabel('Last line').selectOption('1')
    await dialog.getByRole('button', { name: 'See what goes' }).click()
    await dialog.getByLabel('I have read it, and it is to go').check()
    await strike.click()
    await dialog.waitFor({ state: 'detached' })
    // The line and what is said of danger beside it may stand there for a moment longer, both of them.
    await frame.getByText('killing myself').first().waitFor({ state: 'detached' })
    await frame.getByText('On Sunday I cooked.').waitFor()
    const answer = await on.stage.service.call({
      method: 'GET',
      url: `/v2/sessions/${sessionId}/transcript`,
      headers: on.stage.partner.headers,
    })
    expect(answer.json()).toMatchObject({ gaps: [{ kind: 'struck', by: { kind: 'clinician' } }] })
    expect(answer.body).not.toContain('killing')
  })
})
