import type { Frame } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { waitUntil } from '../support/casenote-process.js'
import { callWidget, fakeMicrophone, findFrame, mintTokens } from './embedding-fixture.js'
import { findBarriersOnBoth, missesChromium } from './open-browser.js'
import { useRecordingStage } from './recording-fixture.js'

describe.skipIf(missesChromium('off the record'))('off the record', { timeout: 90_000 }, () => {
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

    await second.getByRole('button', { name: 'Strike what was just said' }).click()
    await second.getByRole('button', { name: 'Strike for good' }).click()
    await waitUntil(async () => (await listGaps()).length === 3, 'what was said is struck', 20_000)
    expect((await listGaps()).at(-1)).toMatchObject({ kind: 'struck', startMs: 0, isCut: false })
    await second.getByRole('button', { name: 'Finish' }).click()
    await second.getByText('Sam Sample').first().waitFor()
  })
})
