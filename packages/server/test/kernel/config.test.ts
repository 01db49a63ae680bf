import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig, VARIABLES } from '../../src/kernel/config.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

describe('configuration', () => {
  it('docs/configuration.md has one row for each variable, in words of the code', () => {
    const table = readFileSync(`${root}docs/configuration.md`, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
    const rows = VARIABLES.map(({ name, accepts, default: fallback, meaning }) => {
      const shown = fallback === null ? '–' : fallback
      return `| \`${name}\` | ${accepts} | ${shown} | ${meaning} |`
    })
    expect(table).toEqual(rows)
  })

  it('no other part of the program reads an environment variable', () => {
    const source = `${root}packages/server/src/`
    const readers = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .filter((file) => /process\.env\b(?!\))/.test(readFileSync(source + file, 'utf8')))
    expect(readers).toEqual([])
  })

  for (const { name, accepts } of VARIABLES) {
    // Any text is a folder's name.
    if (name === 'CASENOTE_DATA_DIR') continue
    it(`${name}: what it may not be is refused with its name, its values and never the value given`, () => {
      const read = () =>
        readConfig({ CASENOTE_MASTER_KEY: Buffer.alloc(32).toString('base64'), [name]: 'no/t g00d' })
      expect(read).toThrow(ConfigError)
      expect(read).toThrow(`${name} must be ${accepts}`)
      expect(read).not.toThrow('no/t g00d')
    })
  }

  it('names all problems at once', () => {
    try {
      readConfig({ PORT: '0', CASENOTE_ADMIN_PORT: '70000', CASENOTE_PUBLIC_URL: 'https://a.b/path' })
      expect.unreachable()
    } catch (error) {
      expect((error as ConfigError).problems).toHaveLength(3)
    }
  })

  it('has the defaults of the table, and an empty value is as good as none', () => {
    const config = readConfig({ PORT: '', HOST: ' ' })
    expect(config).toMatchObject({
      port: 8080,
      host: 'localhost',
      publicUrl: 'http://localhost:8080',
      databaseUrl: null,
    })
    expect(readConfig({ PORT: '9000' }).publicUrl).toBe('http://localhost:9000')
  })
})
