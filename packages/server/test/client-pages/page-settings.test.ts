import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TEXT_LANGUAGES } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCrisisHelp } from '../../src/features/client-pages/index.js'
import { makeHttpServer } from '../../src/http/server.js'
import { systemClock } from '../../src/kernel/clock.js'
import { makeLog } from '../../src/kernel/log.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casenote-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const write = async (help: unknown): Promise<string> => {
  const path = join(folder, 'help.json')
  await writeFile(path, JSON.stringify(help))
  return path
}

describe('crisis help', () => {
  const contact = { label: 'Call 116 123', href: 'tel:116123' }
  const pack = (contacts: unknown) => ({ languages: { en: { title: 'Help', text: 'Now.', contacts } } })

  it('is 988 by default, and whatever a file says', async () => {
    expect(readCrisisHelp('us').languages['en']?.contacts[0]?.href).toBe('tel:988')
    expect(readCrisisHelp(await write(pack([contact]))).languages['en']?.contacts).toEqual([contact])
  })

  it('has the same services in every language that the pages have words in', () => {
    const { languages } = readCrisisHelp('us')
    expect(Object.keys(languages)).toEqual(TEXT_LANGUAGES)
    const addresses = Object.values(languages).map(({ contacts }) => contacts.map(({ href }) => href))
    for (const one of addresses) expect(one).toEqual(addresses[0])
    expect(languages['es']?.contacts.map(({ note }) => note)).toEqual([
      expect.stringContaining('oprima 2'),
      expect.stringContaining('AYUDA'),
      expect.any(String),
    ])
  })

  it.each([
    ['no contact', pack([])],
    ['a script as an address', pack([{ ...contact, href: 'javascript:alert(1)' }])],
    ['an unknown field', pack([{ ...contact, phone: '1' }])],
    ['no language', { languages: {} }],
    ['something else', []],
  ])('a file with %s is refused, so that no page goes without help unnoticed', async (_what, help) => {
    const path = await write(help)
    expect(() => readCrisisHelp(path)).toThrow('CASENOTE_CRISIS_HELP')
  })
})

describe('the address of a visitor', () => {
  const ask = async (trustedProxies: string[], remoteAddress: string): Promise<string> => {
    const app = makeHttpServer({ clock: systemClock, log: makeLog('silent', 'test'), trustedProxies })
    app.get('/', (request) => ({ ip: request.ip }))
    const headers = { 'x-forwarded-for': '203.0.113.5' }
    const answered = await app.inject({ method: 'GET', url: '/', remoteAddress, headers })
    await app.close()
    return answered.json<{ ip: string }>().ip
  }

  it('is what a trusted proxy says, and nobody else', async () => {
    expect(await ask([], '10.0.0.1')).toBe('10.0.0.1')
    expect(await ask(['10.0.0.0/8'], '10.0.0.1')).toBe('203.0.113.5')
    expect(await ask(['10.0.0.0/8'], '192.0.2.1')).toBe('192.0.2.1')
  })
})
