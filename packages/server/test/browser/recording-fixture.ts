import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import {
  consent,
  countLostSlices,
  hearRecorders,
  mintTokens,
  openStage,
  partnerHtml,
  readCompleteRecording,
  Tab,
  type Stage,
} from './embedding-fixture.js'
import { openBrowser } from '../support/open-browser.js'

interface RecordingSetUp {
  browserArgs: readonly string[]
  contextOptions?: Parameters<Browser['newContext']>[0]
  /** Before a test's first page is opened. */
  prepare: (context: BrowserContext) => Promise<unknown>
}

/** A client who agreed to be recorded, one browser for the file, and what every recorder of a test gave. */
class RecordingStage {
  stage!: Stage
  browser!: Browser
  context!: BrowserContext
  pageUrl!: string
  listRecorded!: () => Buffer[][]

  async openTab(url = this.pageUrl): Promise<Tab> {
    return Tab.open(this.context, url, await mintTokens(this.stage))
  }

  /** The service's bytes of each segment against those of its recorder: how many slices are missing. */
  async countLost(sessionId: string): Promise<number[]> {
    const { service, partner } = this.stage
    const held = await readCompleteRecording(service.blobs, partner.partnerId, sessionId)
    const recorded = this.listRecorded()
    if (held.length !== recorded.length) {
      throw new Error(`${held.length} segments are held of ${recorded.length} recorders`)
    }
    return held.map((bytes, index) => countLostSlices(bytes, recorded[index] ?? []))
  }
}

/** For the body of a `describe`. */
export function useRecordingStage({ browserArgs, contextOptions, prepare }: RecordingSetUp): RecordingStage {
  const on = new RecordingStage()
  beforeAll(async () => {
    on.stage = await openStage()
    on.browser = await openBrowser(browserArgs)
    const { serviceUrl, partner, pages } = on.stage
    on.pageUrl = pages.add(partnerHtml(`${serviceUrl}/widget/v1/widget.js?partner=${partner.partnerId}`))
    await consent(on.stage)
  })
  afterAll(async () => {
    await on.browser?.close()
    await on.stage?.close()
  })
  beforeEach(async () => {
    on.context = await on.browser.newContext(contextOptions)
    await prepare(on.context)
    on.listRecorded = await hearRecorders(on.context)
  })
  afterEach(() => on.context.close())
  return on
}
