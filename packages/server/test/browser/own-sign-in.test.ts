import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setSignIn } from '../../src/features/partners/index.js'
import { deriveCode } from '../../src/features/widget/sign-in/sign-in-code.js'
import { callWidget, findFrame, listHeard, openStage, partnerHtml, type Stage } from './embedding-fixture.js'
import { missesChromium, openBrowser } from './open-browser.js'

describe.skipIf(missesChromium('signing in without a backend'))(
  'a page without a backend',
  { timeout: 60_000 },
  () => {
    let stage: Stage
    let browser: Browser

    beforeAll(async () => {
      // No worker runs: the code is taken from where the worker takes it.
      const env = { CASENOTE_SMTP_URL: 'smtp://localhost:9', CASENOTE_MAIL_FROM: 'care@casenote.example' }
      stage = await openStage({ env })
      browser = await openBrowser()
    })
    afterAll(async () => {
      await browser?.close()
      await stage?.close()
    })

    const scope = () => ({ tenantId: stage.partner.partnerId })

    async function openPage(query: string): Promise<Page> {
      const context = await browser.newContext()
      const page = await context.newPage()
      await page.goto(stage.pages.add(partnerHtml(`${stage.serviceUrl}/widget/v1/widget.js${query}`)))
      return page
    }

    async function readNewestCode(): Promise<string> {
      const rows = await stage.service.db.read(scope(), {
        text: `select sign_in_id as "signInId", key_version as "keyVersion" from casenote.sign_in_codes
          where tenant_id = $1 order by asked_at desc limit 1`,
        values: [stage.partner.partnerId],
      })
      const { signInId, keyVersion } = rows[0] as { signInId: string; keyVersion: number }
      return deriveCode(await stage.service.keys.get(scope()), keyVersion, signInId) ?? ''
    }

    async function findEmail(): Promise<string> {
      const { partner, service } = stage
      const url = `/v2/clinicians/${partner.clinicianId}`
      const answer = await service.call({ method: 'GET', url, headers: partner.headers })
      return answer.json<{ email: string }>().email
    }

    it('is signed in by a mailed code that is typed into the frame, and never sees it', async () => {
      await setSignIn(stage.service.owner, scope(), [new URL(stage.pages.url).origin])
      const page = await openPage(`?partner=${stage.partner.partnerId}`)
      await callWidget(page, 'authenticate', { email: await findEmail() })
      const frame = await findFrame(page)
      await frame.getByRole('button', { name: 'Send the code' }).click()
      await frame.waitForSelector('input:focus')
      const code = await readNewestCode()
      await page.keyboard.type(code === '00000000' ? '11111111' : '00000000')
      await page.keyboard.press('Enter')
      await frame.getByText('This code is not right').waitFor()
      await frame.getByLabel('Code from the mail').fill(`${code.slice(0, 4)} ${code.slice(4)}`)
      await page.keyboard.press('Enter')
      await frame.getByRole('heading', { name: /^Hello/ }).waitFor()
      expect(await page.content()).not.toContain(code)
      await page.context().close()
    })

    it('is told when it is not switched on for it, and that the partner is missing', async () => {
      await setSignIn(stage.service.owner, scope(), ['https://other.example'])
      const page = await openPage(`?partner=${stage.partner.partnerId}`)
      await callWidget(page, 'authenticate', { email: await findEmail() })
      const frame = await findFrame(page)
      await frame.getByRole('button', { name: 'Send the code' }).click()
      await frame.getByText('Signing in by e-mail is not switched on for this page.').waitFor()
      await page.context().close()
      const nameless = await openPage('')
      await callWidget(nameless, 'authenticate', { email: await findEmail() })
      await (await findFrame(nameless)).getByText('This cannot open here').waitFor()
      expect(await listHeard(nameless)).toContainEqual(expect.objectContaining({ code: 'signIn' }))
      await nameless.context().close()
    })
  },
)
