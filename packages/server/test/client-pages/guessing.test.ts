import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLink } from '../../src/features/client-pages/open-link.js'
import { AddressLimits } from '../../src/http/address-limits.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { makePagesFixture, type PagesFixture } from './pages-fixture.js'

/** `PAGES_GUESSES=100000` is the number; the default keeps the suite quick. */
const guesses = Number(process.env['PAGES_GUESSES'] ?? 2_000)

let service: TestService
let partner: TestPartner
let pages: PagesFixture

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  pages = makePagesFixture(service, partner)
})
afterAll(() => service.close())

/** As an attacker makes them who has a link of their own: the right tenant, another secret. */
const guessToken = (): string =>
  `${partner.partnerId.replaceAll('-', '')}.${randomBytes(32).toString('base64url')}`

const someDate = (index: number): string =>
  new Date(Date.UTC(1940, 0, 1 + (index % 25_000))).toISOString().slice(0, 10)

const inTurns = async (count: number, atOnce: number, act: (index: number) => Promise<void>) => {
  let next = 0
  const walk = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await act(index)
  }
  await Promise.all(Array.from({ length: atOnce }, walk))
}

const guesser = { requestId: 'request', address: '192.0.2.7', suspect: () => {} }

const tell = (answered: { statusCode: number; body: string }): string =>
  `${answered.statusCode} ${answered.body.replace(/"timestamp":"[^"]+"/, '')}`

describe('guessing', () => {
  it(`${guesses} random tokens open nothing, leave nothing behind, and hold up nobody else`, async () => {
    const { tokens } = await pages.administer(['phq9'])
    const before = await countRows()
    let opened = 0
    const guessing = inTurns(guesses, 8, async (index) => {
      const guess = { kind: 'assessments', token: guessToken(), dateOfBirth: someDate(index) } as const
      if ((await openLink(service, guess, guesser)) !== null) opened += 1
    })
    // Right in the middle of it.
    const startedMs = performance.now()
    expect((await pages.open(tokens[0] ?? '')).statusCode).toBe(200)
    expect(performance.now() - startedMs).toBeLessThan(2_000)
    await guessing
    expect(opened).toBe(0)
    expect(await countRows()).toEqual({ ...before, openings: before.openings + 1 })
  }, 600_000)

  it('1000 wrong birth dates at one link are all told the same, and other clients get in meanwhile', async () => {
    const [attacked, other] = [await pages.administer(['phq9']), await pages.administer(['phq9'])]
    const told = new Set<string>()
    const opened: number[] = []
    await inTurns(1_000, 100, async (index) => {
      const address = `192.0.2.${index % 250}`
      told.add(tell(await pages.open(attacked.tokens[0] ?? '', someDate(index), { address })))
      if (index % 100 === 50) opened.push((await pages.open(other.tokens[0] ?? '')).statusCode)
    })
    expect([...told]).toEqual([tell(await pages.open(guessToken()))])
    expect(opened).toEqual(Array.from({ length: 10 }, () => 200))
    expect((await pages.open(attacked.tokens[0] ?? '')).statusCode).toBe(403)
  })

  it('takes the same time for a wrong date, a closed link, an unknown link and what is no link', async () => {
    const { tokens } = await pages.administer(['phq9'])
    const closed = await pages.administer(['phq9'])
    const tryWrong = () => pages.open(closed.tokens[0] ?? '', '1950-01-01')
    await Promise.all(Array.from({ length: 5 }, tryWrong))
    const guessed = {
      wrong: () => tokens[0] ?? '',
      closed: () => closed.tokens[0] ?? '',
      unknown: guessToken,
      none: () => 'x',
    }
    const times: Record<string, number[]> = {}
    for (let round = 0; round < 4; round += 1) {
      for (const [name, token] of Object.entries(guessed)) {
        const startedMs = performance.now()
        await pages.open(token(), '1950-01-01')
        ;(times[name] ??= []).push(performance.now() - startedMs)
      }
    }
    // The quickest of each: what a busy machine adds is not what an attacker could tell them apart by.
    const quickest = Object.values(times).map((of) => Math.min(...of))
    expect(Math.min(...quickest)).toBeGreaterThan(295)
    expect(Math.max(...quickest) - Math.min(...quickest)).toBeLessThan(30)
  })

  it('an address that keeps failing is told to wait, and a client who shares it still gets in', async () => {
    const nowMs = Date.now()
    const still = await makeTestService({ clock: { nowMs: () => nowMs } })
    const shared = makePagesFixture(still, await still.addPartner())
    const [token = ''] = (await shared.administer(['phq9'])).tokens
    const open = (link: string, date?: string) => shared.open(link, date, { address: '198.51.100.7' })
    const guessed = () => Promise.all(Array.from({ length: 60 }, () => open(guessToken(), '1950-01-01')))
    for (const { statusCode } of await guessed()) expect(statusCode).toBe(403)
    const late = await guessed()
    for (const { statusCode, headers } of late)
      expect([statusCode, headers['retry-after']]).toEqual([429, '1'])
    // A wrong date at a link that exists is told no different from a guess.
    const wrong = await open(token, '1950-01-01')
    expect(tell(wrong)).toBe(tell(late[0] ?? wrong))
    expect((await open(token)).statusCode).toBe(200)
    await still.close()
  })
})

describe('what an address may fail', () => {
  const fail = () => Promise.resolve(null)
  const failures = async (limits: AddressLimits, address: string, count: number) => {
    let free = 0
    for (let tries = 0; tries < count; tries += 1) {
      if ((await limits.guard(address, fail)).waitSeconds === null) free += 1
    }
    return free
  }

  it('is 60 at first and one a second then, and costs nothing that succeeds', async () => {
    let nowMs = 0
    const limits = new AddressLimits({ nowMs: () => nowMs })
    for (let times = 0; times < 200; times += 1) {
      expect(await limits.guard('192.0.2.1', async () => 'in')).toMatchObject({
        result: 'in',
        waitSeconds: null,
      })
    }
    expect(await failures(limits, '192.0.2.1', 100)).toBe(60)
    nowMs += 10_000
    expect(await failures(limits, '192.0.2.1', 100)).toBe(10)
    expect(await failures(limits, '192.0.2.2', 10)).toBe(10)
  })

  it('counts a line with its whole range of IPv6 addresses as one', async () => {
    const limits = new AddressLimits({ nowMs: () => 0 })
    expect(await failures(limits, '2001:db8:1:2::1', 60)).toBe(60)
    expect(await failures(limits, '2001:db8:1:2:ffff::9', 1)).toBe(0)
    expect(await failures(limits, '2001:db8:1:3::1', 1)).toBe(1)
    expect(await failures(limits, '::1', 1)).toBe(1)
    expect(await failures(limits, '::ffff:192.0.2.9', 60)).toBe(60)
    expect(await failures(limits, '192.0.2.9', 1)).toBe(0)
  })
})

async function countRows(): Promise<{ tries: number; openings: number }> {
  const [row] = await pages.rows<{ tries: number; openings: number }>(
    `select (select count(*) from casenote.client_link_tries) as tries,
       (select count(*) from casenote.client_openings) as openings`,
    [],
  )
  return row ?? { tries: -1, openings: -1 }
}
