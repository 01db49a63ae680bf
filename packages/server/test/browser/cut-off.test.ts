import { describe, expect, it } from 'vitest'
import { makeKeepAcknowledged } from '../../src/features/widget/index.js'
import { waitUntil } from '../support/casenote-process.js'
import { callWidget, fakeMicrophone, mintTokens, useEngineHarness } from './embedding-fixture.js'
import { missesChromium } from '../support/open-browser.js'
import { useRecordingStage } from './recording-fixture.js'

describe.skipIf(missesChromium('recording in the widget'))('a clinician', () => {
  const on = useRecordingStage({ browserArgs: fakeMicrophone, prepare: useEngineHarness })

  const callPartner = (action: 'deactivate' | 'reactivate') => {
    const { service, partner } = on.stage
    const url = `/v2/clinicians/${partner.clinicianId}/${action}`
    return service.call({ method: 'POST', url, headers: partner.headers })
  }

  const rows = <Row extends object>(text: string): Promise<Row[]> => {
    const tenantId = on.stage.partner.partnerId
    return on.stage.service.owner.write({ tenantId }, (tx) => tx.run<Row>({ text, values: [tenantId] }))
  }

  it('who is deactivated while they record loses nothing: after reactivation all of it is another session', async () => {
    const tab = await on.openTab()
    await tab.start(on.stage.partner.clientId)
    await waitUntil(async () => (await tab.uploadedBytes()) > 0, 'it is sent while it is recorded')
    await callPartner('deactivate')
    const isAsked = async () => (await tab.heard()).some(({ name }) => name === 'authenticationRequired')
    await waitUntil(isAsked, 'the page is asked for tokens', 20_000)
    await rows(
      `update casenote.clinicians set deactivated_at = now() - interval '6 seconds'
        where tenant_id = $1 and deactivated_at is not null`,
    )
    expect(await makeKeepAcknowledged(on.stage.service.db, { keepDays: 365, pageRows: 10 })()).toBe(1)
    // Half a character is no word, and takes none with it.
    await tab.run(({ engine }) => engine.recorder.jot('Tearful\uD83D at the door'))
    const heldBefore = await tab.uploadedBytes()
    await tab.recordBytes(heldBefore + 8_000)
    expect((await callPartner('reactivate')).statusCode).toBe(200)
    await callWidget(tab.page, 'authenticate', await mintTokens(on.stage))
    await waitUntil(async () => (await tab.uploadedBytes()) > heldBefore, 'it is sent again', 30_000)
    await tab.run(({ engine }) => engine.recorder.finish())
    await tab.waitFor(({ engine }) => engine.recorder.sending.value.length === 0, 'nothing is left to send')
    const sessions = await rows<{ sessionId: string; isCutOff: boolean }>(
      `select session_id as "sessionId", cut_off_at is not null as "isCutOff" from casenote.sessions
        where tenant_id = $1 and recording_id is not null order by seq`,
    )
    expect(sessions.map(({ isCutOff }) => isCutOff)).toEqual([true, false])
    expect(await on.countLost(sessions[1]?.sessionId ?? '')).toEqual([0])
    const { AccessToken } = await mintTokens(on.stage)
    const pad = await on.stage.service.call({
      method: 'GET',
      url: `/widget/v1/sessions/${sessions[1]?.sessionId}/pad`,
      headers: { authorization: `Bearer ${AccessToken}` },
    })
    expect(pad.json()).toMatchObject({ text: 'Tearful at the door' })
  })
})
