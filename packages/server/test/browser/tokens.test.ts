import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser } from 'playwright-core'
import { mintTokens, openStage, partnerHtml, Tab, useEngineHarness, type Stage } from './embedding-fixture.js'
import { missesChromium, openBrowser } from '../support/open-browser.js'

describe.skipIf(missesChromium('the widget’s tokens in several tabs'))('tokens in several tabs', () => {
  let stage: Stage
  let browser: Browser
  beforeAll(async () => {
    stage = await openStage()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await stage?.close()
  })

  it('are renewed once for all of them, time after time, and a reloaded frame goes on with the newest', async () => {
    const context = await browser.newContext()
    await useEngineHarness(context)
    let renewals = 0
    context.on('request', (request) => {
      if (request.url().endsWith('/widget/v1/token')) renewals += 1
    })
    const pageUrl = stage.pages.add(partnerHtml(`${stage.serviceUrl}/widget/v1/widget.js`))
    const tokens = await mintTokens(stage)
    const tabs: Tab[] = []
    for (let index = 0; index < 5; index += 1) tabs.push(await Tab.open(context, pageUrl, tokens))
    const rounds = 4
    for (let round = 0; round < rounds; round += 1) {
      stage.passMs(601_000)
      const answers = await Promise.all(
        tabs.map((tab) => tab.run(({ engine }) => engine.api.get('/clinician').then(() => 'answered'))),
      )
      expect(answers).toEqual(tabs.map(() => 'answered'))
    }
    expect(renewals).toBe(rounds)
    // The page hands over the pair that it got first, which was used up long ago.
    const late = await Tab.open(context, pageUrl, tokens)
    expect(await late.run(({ engine }) => engine.api.get('/clinician').then(() => 'answered'))).toBe(
      'answered',
    )
    const asked = await Promise.all([...tabs, late].map((tab) => tab.heard()))
    expect(asked.flat().filter(({ name }) => name === 'authenticationRequired')).toEqual([])
    await context.close()
  })
})
