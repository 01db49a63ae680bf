import { describe, expect, it } from 'vitest'
import { waitUntil } from '../support/casenote-process.js'
import { missesChromium } from '../support/open-browser.js'
import { addColleague } from '../widget/widget-fixture.js'
import {
  callWidget,
  fakeMicrophone,
  mintTokens,
  moveFrame,
  Tab,
  useEngineHarness,
} from './embedding-fixture.js'
import { useRecordingStage } from './recording-fixture.js'

describe.skipIf(missesChromium('tokens of another clinician'))('tokens of another clinician', () => {
  const on = useRecordingStage({ browserArgs: fakeMicrophone, prepare: useEngineHarness })

  /** Also treats the client: the service alone would take from them what the first clinician recorded. */
  async function addTreating(): Promise<string> {
    const { service, partner } = on.stage
    const { clinicianId } = await addColleague(service, partner)
    await service.owner.write({ tenantId: partner.partnerId }, (tx) =>
      tx.run({
        text: 'insert into casenote.secondary_clinicians (tenant_id, client_id, clinician_id) values ($1, $2, $3)',
        values: [partner.partnerId, partner.clientId, clinicianId],
      }),
    )
    return clinicianId
  }

  const listClinicians = async (): Promise<string[]> => {
    const { service, partner } = on.stage
    const rows = await service.owner.read(
      { tenantId: partner.partnerId },
      {
        text: 'select clinician_id as "clinicianId" from casenote.sessions where tenant_id = $1',
        values: [partner.partnerId],
      },
    )
    return (rows as { clinicianId: string }[]).map(({ clinicianId }) => clinicianId)
  }

  it('than the page says are never put to use: what is recorded goes on with its own', async () => {
    const { partner } = on.stage
    const tab = await on.openTab()
    await tab.start(partner.clientId)
    await waitUntil(async () => (await tab.uploadedBytes()) > 0, 'it is sent')
    const others = await mintTokens(on.stage, await addTreating())
    await callWidget(tab.page, 'authenticate', others, partner.clinicianId)
    await waitUntil(
      async () => (await tab.heard()).some(({ code }) => code === 'refused'),
      'the page hears of the refusal',
    )
    expect(await tab.run(({ engine }) => engine.auth.value.state)).toBe('signedIn')
    const sentBefore = await tab.uploadedBytes()
    await waitUntil(async () => (await tab.uploadedBytes()) > sentBefore, 'it is still sent')
    const { sessionId } = await tab.run(({ engine }) => engine.recorder.finish())
    expect(await on.countLost(sessionId)).toEqual([0])
    const moved = new Tab(tab.page, await moveFrame(tab.page, tab.frame))
    await moved.waitFor(({ engine }) => engine.auth.value.state === 'signedIn', 'the same clinician goes on')
  })

  it('send nothing of what the first recorded, from the call on', async () => {
    const { partner } = on.stage
    const tab = await on.openTab()
    await on.context.route('**/widget/v1/clients/**', (route) => route.abort())
    await tab.start(partner.clientId)
    await tab.recordBytes(8_000)
    const before = (await listClinicians()).length
    let answer = (): void => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await on.context.route('**/widget/v1/clinician?*', (route) => held.then(() => route.continue()))
    await callWidget(tab.page, 'authenticate', await mintTokens(on.stage, await addTreating()))
    await tab.waitFor(({ engine }) => engine.recorder.state.value.state === 'idle', 'it records no more')
    await on.context.unroute('**/widget/v1/clients/**')
    answer()
    await tab.waitFor(({ engine }) => engine.auth.value.state === 'signedIn', 'the colleague is signed in')
    expect(await tab.run(({ engine }) => engine.recorder.unfinished.value.length)).toBe(0)
    expect((await listClinicians()).length).toBe(before)
    await callWidget(tab.page, 'authenticate', await mintTokens(on.stage))
    await tab.waitFor(({ engine }) => engine.recorder.unfinished.value.length === 1, 'it is offered again')
    const { sessionId } = await tab.run(({ engine }) => {
      const [one] = engine.recorder.unfinished.value
      return engine.recorder.finishUnfinished(one?.recordingId ?? '')
    })
    expect(await on.countLost(sessionId)).toEqual([0])
    expect(new Set(await listClinicians())).toEqual(new Set([partner.clinicianId]))
  })
})
