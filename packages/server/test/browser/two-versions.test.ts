import type { Frame } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { waitUntil } from '../support/casenote-process.js'
import { missesChromium } from '../support/open-browser.js'
import { callWidget, fakeMicrophone, findFrame, mintTokens, useEngineHarness } from './embedding-fixture.js'
import { useRecordingStage } from './recording-fixture.js'

/** As another version of the frame does in another tab; `opened` says whether it has what is kept. */
const openAs = (frame: Frame, version: number): Promise<void> =>
  frame.evaluate((asked) => {
    interface Opening {
      result: { close(): void }
      onsuccess: () => void
    }
    const { indexedDB } = globalThis as unknown as {
      indexedDB: { open(name: string, version: number): Opening }
    }
    const opening = indexedDB.open('casenote-widget', asked)
    Object.assign(globalThis, { opened: false, close: () => opening.result.close() })
    opening.onsuccess = () => void Object.assign(globalThis, { opened: true })
  }, version)

const isOpened = (frame: Frame): Promise<boolean> => frame.evaluate('opened')

const newer = 'A newer version is open in another tab'

describe.skipIf(missesChromium('two versions of the widget'))('a tab with an earlier version', () => {
  const on = useRecordingStage({ browserArgs: fakeMicrophone, prepare: async () => {} })

  it('gives way to a newer one once nothing is recorded in it, and loses nothing', async () => {
    await useEngineHarness(on.context)
    const tab = await on.openTab()
    await tab.start(on.stage.partner.clientId)
    await waitUntil(async () => (await tab.uploadedBytes()) > 0, 'it is sent')
    await openAs(tab.frame, 3)
    const before = await tab.run(({ engine }) => engine.recorder.state.value.recordedBytes ?? 0)
    await tab.recordBytes(before + 12_000)
    expect(await isOpened(tab.frame)).toBe(false)
    await on.context.setOffline(true)
    await tab.run(({ engine }) => engine.recorder.finish())
    await waitUntil(() => isOpened(tab.frame), 'the newer one has what is kept')
    expect(await tab.run(({ engine }) => engine.auth.value.state)).toBe('refused')
    await on.context.setOffline(false)
    await callWidget(tab.page, 'logout')
    await callWidget(tab.page, 'authenticate', await mintTokens(on.stage))
    await tab.waitFor(({ engine }) => engine.auth.value.state === 'refused', 'it says so again')
    const rows = await tab.frame.evaluate(
      `new Promise((resolve) => {
        const opening = indexedDB.open('casenote-widget', 3)
        opening.onsuccess = () => {
          const all = opening.result.transaction('recordings').objectStore('recordings').getAll()
          all.onsuccess = () => resolve(all.result.map(({ isEnded, segments }) => [isEnded, segments.length]))
        }
      })`,
    )
    expect(rows).toEqual([[true, 1]])
  })

  it('is named where it is in the way of the newer one, which goes on by itself when it is closed', async () => {
    const old = await on.context.newPage()
    await old.route('**/widget/v1/assets/frame.*.js', (route) =>
      route.fulfill({ body: '', contentType: 'text/javascript' }),
    )
    await old.goto(on.pageUrl)
    const oldFrame = await findFrame(old)
    await openAs(oldFrame, 1)
    await waitUntil(() => isOpened(oldFrame), 'the older one has what is kept')
    const page = await on.context.newPage()
    await page.goto(on.pageUrl)
    await callWidget(page, 'authenticate', await mintTokens(on.stage))
    const frame = await findFrame(page)
    await frame.getByText('An earlier version is still open in another tab').waitFor()
    await old.close()
    await frame.getByText('Hello, ').waitFor()
  })

  it('that is loaded anew after the newer one was here says so, and not that nothing can be kept', async () => {
    const page = await on.context.newPage()
    await page.goto(on.pageUrl)
    await callWidget(page, 'authenticate', await mintTokens(on.stage))
    const frame = await findFrame(page)
    await frame.getByText('Hello, ').waitFor()
    await openAs(frame, 3)
    await frame.getByText(newer).waitFor()
    await waitUntil(() => isOpened(frame), 'the newer one has what is kept')
    await frame.getByRole('button', { name: 'Try again' }).click()
    await frame.getByText(newer).waitFor()
    expect(await frame.getByRole('button').count()).toBe(0)
  })
})
