import type { ProgressNote } from '@casenote/contract'
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { completeGeneration } from '../../src/features/progress-notes/index.js'
import { saveReading } from '../../src/features/transcripts/index.js'
import { dangerOf, readAs } from '../engines/session-fixtures.js'
import { waitUntil } from '../support/casenote-process.js'
import { asPipeline, someItems, someSections, startRecord } from '../support/clinical-record.js'
import { callWidget, findFrame, mintTokens, openStage, partnerHtml, type Stage } from './embedding-fixture.js'
import { findBarriersOnBoth, missesChromium, openBrowser } from '../support/open-browser.js'

describe.skipIf(missesChromium('typing in a note'))('what is typed in a note', () => {
  let stage: Stage
  let browser: Browser
  let context: BrowserContext
  let pageUrl: string
  let sessionId: string

  beforeAll(async () => {
    stage = await openStage()
    browser = await openBrowser()
    pageUrl = stage.pages.add(partnerHtml(`${stage.serviceUrl}/widget/v1/widget.js`))
  })
  afterAll(async () => {
    await browser?.close()
    await stage?.close()
  })
  beforeEach(async () => {
    context = await browser.newContext()
    sessionId = await writeNote()
  })
  afterEach(() => context.close())

  const tenantOf = () => ({ tenantId: stage.partner.partnerId })

  async function writeNote(): Promise<string> {
    const { service, partner } = stage
    const work = asPipeline(await service.keys.get(tenantOf()))
    const started = await startRecord(service.db, work, { clientId: partner.clientId })
    const { generationId } = started
    await service.db.write(tenantOf(), (tx) =>
      completeGeneration(tx, work, { generationId, sections: someSections(), review: [], madeBy: 'test' }),
    )
    return started.sessionId
  }

  async function request(method: 'GET' | 'PATCH' | 'POST', path = '', payload?: object) {
    const { AccessToken } = await mintTokens(stage)
    return stage.service.call({
      method,
      url: `/widget/v1/sessions/${sessionId}/progress-note${path}`,
      headers: { authorization: `Bearer ${AccessToken}` },
      ...(payload === undefined ? {} : { payload }),
    })
  }

  async function call(method: 'GET' | 'PATCH', payload?: object): Promise<string> {
    return (await request(method, '', payload)).json<ProgressNote>().note[0]?.content ?? ''
  }

  async function openNote(): Promise<{ page: Page; frame: Frame }> {
    const page = await context.newPage()
    await page.goto(pageUrl)
    await callWidget(page, 'authenticate', await mintTokens(stage))
    const frame = await findFrame(page)
    // The newest is the first, among the signed ones too.
    const isAll = (url: string): boolean => /\/sessions(?:\?|$)/.test(url) && !url.includes('state=')
    const listed = page.waitForResponse((answer) => isAll(answer.url()))
    await frame.getByRole('button', { name: /^All/ }).click()
    await (await listed).finished()
    await frame.locator('.list-row').first().click()
    await frame.locator('.note-section').first().waitFor()
    return { page, frame }
  }

  async function type(frame: Frame, text: string): Promise<void> {
    await frame.getByRole('button', { name: 'Edit Subjective' }).click()
    await frame.locator('textarea.section-field').fill(text)
    // Pending, failed while offline, or, on a busy machine, saved before anybody looked.
    const state = frame.locator('.save-state')
    await waitUntil(
      async () => (await state.getAttribute('data-state')) !== 'saved' || (await call('GET')) === text,
      'it is noticed',
    )
  }

  it('is kept, sealed, where nobody is recorded, until it is sent as a session', async () => {
    const open = async (): Promise<{ page: Page; frame: Frame }> => {
      const page = await context.newPage()
      await page.goto(pageUrl)
      await callWidget(page, 'authenticate', await mintTokens(stage))
      await callWidget(page, 'selectClient', stage.partner.clientId, { sessionExternalId: 'visit-4' })
      const frame = await findFrame(page)
      await frame.getByRole('button', { name: 'Type a note' }).click()
      return { page, frame }
    }
    const { page, frame } = await open()
    const field = frame.getByRole('textbox', { name: 'What happened' })
    await field.fill('Client slept well. Denies SI.')
    const keptOf = (): Promise<string> =>
      frame.evaluate(
        `new Promise((resolve) => {
          const opening = indexedDB.open('casenote-widget')
          opening.onsuccess = () => {
            const all = opening.result.transaction('drafts').objectStore('drafts').getAll()
            all.onsuccess = () => {
              opening.result.close()
              resolve(JSON.stringify(all.result.map((row) => row.draftId + new TextDecoder('latin1').decode(row.sealed.data))))
            }
          }
        })`,
      )
    await waitUntil(async () => (await keptOf()).includes('/typed/'), 'it is kept')
    expect(await keptOf()).not.toContain('slept')
    expect(await findBarriersOnBoth(page, frame)).toEqual([])
    await page.close()
    const { frame: next } = await open()
    const again = next.getByRole('textbox', { name: 'What happened' })
    await waitUntil(async () => (await again.inputValue()) === 'Client slept well. Denies SI.', 'it is back')
    await next.getByRole('button', { name: 'Write the note' }).click()
    await next.locator('.steps').waitFor()
    const [typed] = (await stage.service.db.read(tenantOf(), {
      text: `select session_external_id as "externalId", status from casenote.sessions
        where tenant_id = $1 and source = 'typed'`,
      values: [tenantOf().tenantId],
    })) as { externalId: string; status: string }[]
    expect(typed).toEqual({ externalId: 'visit-4', status: 'fetching' })
  })

  it('is saved when its tab is closed at once', async () => {
    const { page, frame } = await openNote()
    await type(frame, 'Client slept well.')
    await page.close({ runBeforeUnload: true })
    await waitUntil(async () => (await call('GET')) === 'Client slept well.', 'the service has it', 20_000)
    const { frame: next } = await openNote()
    await next.getByText('Client slept well.').waitFor()
    await next.locator('.save-state[data-state=saved]').waitFor()
  })

  it('is what open danger is held against: once it is written, the note is signed without a word why', async () => {
    const { service } = stage
    const { ring } = asPipeline(await service.keys.get(tenantOf()))
    const finding = dangerOf(someItems, 1, 'Most nights I think about killing myself.')
    const reading = { sessionId, transcript: someItems, reading: readAs(finding) }
    await service.db.write(tenantOf(), (tx) => saveReading(tx, ring, reading))
    // Any edit has the text compared with what was found.
    await call('PATCH', { note: [{ key: 'subjective', content: 'Client cooked on Sunday.' }] })
    const { page, frame } = await openNote()
    const strip = frame.getByRole('region', { name: 'Danger: 1 open' })
    await strip.getByText('Not in the note').waitFor()
    await frame.getByRole('button', { name: 'Sign', exact: true }).click()
    await frame.getByLabel('Why do you sign without it?').waitFor()
    expect(await findBarriersOnBoth(page, frame)).toEqual([])
    await frame.getByRole('button', { name: 'Cancel' }).click()
    await type(frame, 'Client reports thoughts of killing themself most nights.')
    await strip.getByText('In the note').waitFor()
    await strip.getByRole('button', { name: /^Seen by me/ }).click()
    await strip.getByText('1 seen by you, still open').waitFor()
    expect(await findBarriersOnBoth(page, frame)).toEqual([])
    await frame.getByRole('button', { name: 'Sign', exact: true }).click()
    expect(await frame.getByLabel('Why do you sign without it?').count()).toBe(0)
    await frame.getByRole('button', { name: 'Sign and lock' }).click()
    await frame.getByText('Signed by').waitFor()
    await strip.waitFor({ state: 'detached' })
  })

  it('is there again after a crash, and saved then', async () => {
    const { page, frame } = await openNote()
    await context.setOffline(true)
    await type(frame, 'Client slept well.')
    await waitUntil(async () => (await frame.evaluate(countDrafts)) === 1, 'it is kept')
    expect(await frame.evaluate(readStoredTexts)).not.toContain('slept well')
    const crashed = page.waitForEvent('crash')
    ;(await context.newCDPSession(frame)).send('Page.crash').catch(() => {})
    await crashed
    await context.setOffline(false)
    expect(await call('GET')).not.toBe('Client slept well.')
    const { frame: next } = await openNote()
    await next.getByText('Client slept well.').waitFor()
    await waitUntil(async () => (await call('GET')) === 'Client slept well.', 'it is saved')
    await waitUntil(async () => (await next.evaluate(countDrafts)) === 0, 'it is kept no longer')
  })

  it('is in conflict after a crash where the section was changed meanwhile: nothing is overwritten', async () => {
    const { page, frame } = await openNote()
    await context.setOffline(true)
    await type(frame, 'Client slept well.')
    await waitUntil(async () => (await frame.evaluate(countDrafts)) === 1, 'it is kept')
    await page.close()
    await context.setOffline(false)
    await call('PATCH', { note: [{ key: 'subjective', content: 'Client slept badly.' }] })
    const { page: second, frame: next } = await openNote()
    await next.getByRole('button', { name: 'Keep my text' }).waitFor()
    expect(await call('GET')).toBe('Client slept badly.')
    // Nobody answered; nor is it forgotten.
    await second.close()
    const { frame: third } = await openNote()
    await third.getByRole('button', { name: 'Keep my text' }).click()
    await waitUntil(async () => (await call('GET')) === 'Client slept well.', 'the choice is saved')
  })

  it('to be added to a signed note is there again after a crash, and is added once', async () => {
    await request('POST', '/finalize')
    const { page, frame } = await openNote()
    await context.setOffline(true)
    await frame.getByLabel('Add to this note').fill('Called on the 16th.')
    await waitUntil(async () => (await frame.evaluate(countDrafts)) === 1, 'it is kept')
    await frame.getByRole('button', { name: 'Add addendum' }).click()
    await frame.getByRole('alert').waitFor()
    const crashed = page.waitForEvent('crash')
    ;(await context.newCDPSession(frame)).send('Page.crash').catch(() => {})
    await crashed
    await context.setOffline(false)
    const { frame: next } = await openNote()
    const box = next.getByLabel('Add to this note')
    await waitUntil(async () => (await box.inputValue()) === 'Called on the 16th.', 'it is there again')
    await next.getByRole('button', { name: 'Add addendum' }).click()
    await waitUntil(async () => (await box.inputValue()) === '', 'the box is empty')
    const { addenda } = (await request('GET')).json<ProgressNote>()
    expect(addenda.map(({ text, author }) => [text, author.name])).toEqual([
      ['Called on the 16th.', 'Ada Example'],
    ])
    await waitUntil(async () => (await next.evaluate(countDrafts)) === 0, 'it is kept no longer')
  })
})

interface Idb {
  indexedDB: { open(name: string): { result: unknown; onsuccess: (() => void) | null } }
}

/** In the frame. */
async function countDrafts(): Promise<number> {
  const opening = (globalThis as unknown as Idb).indexedDB.open('casenote-widget')
  await new Promise<void>((resolve) => (opening.onsuccess = resolve))
  const db = opening.result as {
    transaction(name: string): {
      objectStore(name: string): { count(): { result: number; onsuccess: (() => void) | null } }
    }
    close(): void
  }
  const counting = db.transaction('drafts').objectStore('drafts').count()
  await new Promise<void>((resolve) => (counting.onsuccess = resolve))
  db.close()
  return counting.result
}

/** In the frame: what its drafts are as Latin-1 characters. */
async function readStoredTexts(): Promise<string> {
  const opening = (globalThis as unknown as Idb).indexedDB.open('casenote-widget')
  await new Promise<void>((resolve) => (opening.onsuccess = resolve))
  const db = opening.result as {
    transaction(name: string): {
      objectStore(name: string): {
        getAll(): { result: { sealed: { data: ArrayBuffer } }[]; onsuccess: (() => void) | null }
      }
    }
    close(): void
  }
  const reading = db.transaction('drafts').objectStore('drafts').getAll()
  await new Promise<void>((resolve) => (reading.onsuccess = resolve))
  db.close()
  return reading.result
    .map(({ sealed }) =>
      Array.from(new Uint8Array(sealed.data), (byte) => String.fromCodePoint(byte)).join(''),
    )
    .join(' ')
}
