import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '../../src/kernel/config.js'
import { VARIABLES } from '../../src/kernel/variables.js'

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

  it('docs/configuration.md lists the secrets that can come from files', () => {
    const text = readFileSync(`${root}docs/configuration.md`, 'utf8')
    const [, list = ''] = /Each of these can be given as a file instead: ([^.]+)\./.exec(text) ?? []
    const secrets = VARIABLES.filter((variable) => 'isSecret' in variable).map(({ name }) => `\`${name}\``)
    expect(list.split(', ')).toEqual(secrets)
    // Whatever is called like one is one.
    const others = VARIABLES.filter((variable) => !('isSecret' in variable)).map(({ name }) => name)
    expect(
      others.filter((name) => /(_KEY|_PASSWORD|_SECRET|_TOKEN|SMTP_URL|DATABASE_URL)$/.test(name)),
    ).toEqual([])
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

  for (const part of ['SPEECH', 'WRITER']) {
    it(`${part}: the engine openai needs a URL and a model, and says so once`, () => {
      for (const given of [{}, { [`CASENOTE_${part}_URL`]: 'http://gpu:8000' }]) {
        expect(() => readConfig({ [`CASENOTE_${part}_ENGINE`]: 'openai', ...given })).toThrow(
          `CASENOTE_${part}_ENGINE openai must be used together with CASENOTE_${part}_URL and CASENOTE_${part}_MODEL`,
        )
      }
      try {
        readConfig({ [`CASENOTE_${part}_ENGINE`]: 'openai', [`CASENOTE_${part}_URL`]: 'ftp://gpu' })
        expect.unreachable()
      } catch (error) {
        expect((error as ConfigError).problems).toEqual([
          expect.stringContaining(`CASENOTE_${part}_URL must be`),
        ])
      }
    })
  }

  it('speech is embedded and the writer is left to `casenote model use` unless named; the key is optional', () => {
    const server = { URL: 'http://gpu:8000/v1', MODEL: 'org/model-3.5:7b' }
    const env = Object.fromEntries(
      ['SPEECH', 'WRITER'].flatMap((part) =>
        Object.entries(server).map(([name, value]) => [`CASENOTE_${part}_${name}`, value]),
      ),
    )
    expect(readConfig(env)).toMatchObject({ speech: { engine: 'embedded' }, writer: { engine: 'chosen' } })
    const chosen = readConfig({
      ...env,
      CASENOTE_SPEECH_ENGINE: 'openai',
      CASENOTE_WRITER_ENGINE: 'openai',
      CASENOTE_WRITER_API_KEY: 'sk-1',
    })
    const common = { engine: 'openai', url: server.URL, model: server.MODEL }
    expect(chosen.speech).toEqual({ ...common, apiKey: null, languages: [] })
    expect(chosen.writer).toEqual({
      ...common,
      apiKey: 'sk-1',
      contextTokens: 32_768,
      extraBody: {},
      fallback: 'none',
    })
  })

  it('languages beside English are those of a speech server; the embedded engine knows no other', () => {
    const server = {
      CASENOTE_SPEECH_ENGINE: 'openai',
      CASENOTE_SPEECH_URL: 'http://gpu:8000',
      CASENOTE_SPEECH_MODEL: 'whisper',
    }
    const languagesOf = (given: string, env: Record<string, string> = server) =>
      readConfig({ ...env, CASENOTE_SPEECH_LANGUAGES: given }).speech.languages
    expect(languagesOf('es, fr,en,es')).toEqual(['es', 'fr'])
    for (const given of ['es-MX', 'ES', 'es,', 'Spanish', Array(101).fill('es').join(',')])
      expect(() => languagesOf(given)).toThrow('CASENOTE_SPEECH_LANGUAGES must be language tags')
    expect(() => languagesOf('es', {})).toThrow('must be used together with CASENOTE_SPEECH_ENGINE openai')
  })

  it('the writer can be quotes or a model on this machine; the old name of the rules means quotes', () => {
    const writerOf = (engine: string) => readConfig({ CASENOTE_WRITER_ENGINE: engine }).writer
    expect(writerOf('extract')).toEqual({ engine: 'extract', apiKey: null, fallback: 'none' })
    expect(writerOf('embedded')).toEqual({ engine: 'extract', apiKey: null, fallback: 'none' })
    expect(writerOf('local')).toEqual({ engine: 'local', apiKey: null, fallback: 'none' })
    expect(() => writerOf('rules')).toThrow('CASENOTE_WRITER_ENGINE must be one of extract, local, openai')
  })

  it('the key of a server that was chosen comes from the environment', () => {
    expect(readConfig({ CASENOTE_WRITER_API_KEY: 'sk-1' }).writer).toMatchObject({
      engine: 'chosen',
      apiKey: 'sk-1',
    })
  })

  it('a note falls back to quotes only if that was chosen', () => {
    expect(readConfig({ CASENOTE_WRITER_FALLBACK: 'extract' }).writer).toMatchObject({ fallback: 'extract' })
    expect(() => readConfig({ CASENOTE_WRITER_FALLBACK: 'yes' })).toThrow('CASENOTE_WRITER_FALLBACK must be')
  })

  it('extra fields for the writer server are a JSON object, also while it is not used', () => {
    const env = {
      CASENOTE_WRITER_ENGINE: 'openai',
      CASENOTE_WRITER_URL: 'http://gpu',
      CASENOTE_WRITER_MODEL: 'm',
    }
    const extraBody = { chat_template_kwargs: { enable_thinking: false } }
    expect(
      readConfig({ ...env, CASENOTE_WRITER_EXTRA_BODY: JSON.stringify(extraBody) }).writer,
    ).toMatchObject({
      extraBody,
    })
    for (const text of ['[]', '1', 'null', '{', 'thinking']) {
      expect(() => readConfig({ CASENOTE_WRITER_EXTRA_BODY: text })).toThrow(
        'CASENOTE_WRITER_EXTRA_BODY must be a JSON object',
      )
    }
  })

  it('an address of an engine holds no password, and nothing of a key is ever shown', () => {
    for (const url of ['http://me:hunter2@gpu/v1', 'http://gpu/v1?key=hunter2', 'http://gpu/#hunter2']) {
      expect(() => readConfig({ CASENOTE_WRITER_URL: url })).toThrow('CASENOTE_WRITER_URL must be')
      expect(() => readConfig({ CASENOTE_WRITER_URL: url })).not.toThrow('hunter2')
    }
    expect(() => readConfig({ CASENOTE_WRITER_API_KEY: 'hunter2\nx' })).not.toThrow('hunter2')
  })

  it('variables that are none of ours are named, unless a cluster has set them', () => {
    const env = {
      CASENOTE_WRITER: 'openai',
      casenote_port: '1',
      WRITER_ENGINE: 'openai',
      CASENOTE_SANDBOX: 'off',
      CASENOTE_SERVICE_HOST: '10.0.0.1',
      CASENOTE_SERVICE_PORT_HTTP: '80',
      CASENOTE_PORT: 'tcp://10.0.0.1:80',
      CASENOTE_PORT_80_TCP_ADDR: '10.0.0.1',
    }
    expect(readConfig(env).unknownVariables).toEqual(['CASENOTE_WRITER'])
  })
})

describe('where the sandbox is at home', () => {
  const isHome = (env: Record<string, string>): [boolean, boolean] => {
    const { isSandboxHome, isSandboxNamed } = readConfig(env)
    return [isSandboxHome, isSandboxNamed]
  }

  it('is wherever only this machine reaches the service, and nowhere else unless it is named', () => {
    for (const HOST of ['localhost', '127.0.0.1', '127.9.9.9', '::1', '[::1]', '::ffff:127.0.0.1']) {
      expect([HOST, ...isHome({ HOST })]).toEqual([HOST, true, false])
      expect([HOST, ...isHome({ HOST, CASENOTE_SANDBOX: 'off' })]).toEqual([HOST, false, true])
    }
    expect(isHome({})).toEqual([true, false])
    for (const HOST of ['0.0.0.0', '::', '10.0.0.5', 'notes.example.org', 'localhost.example.org', '1']) {
      expect([HOST, ...isHome({ HOST })]).toEqual([HOST, false, false])
      expect([HOST, ...isHome({ HOST, CASENOTE_SANDBOX: 'on' })]).toEqual([HOST, true, true])
    }
  })
})

describe('secrets from files', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'casenote-test-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const problemsOf = (env: Record<string, string>): readonly string[] => {
    try {
      readConfig(env)
      return []
    } catch (error) {
      return (error as ConfigError).problems
    }
  }

  it('are as good as in the environment, without the line that ends them', () => {
    const url = 'postgres://casenote_api:hunter2@db.internal/casenote'
    const config = readConfig({ DATABASE_URL_FILE: write('url', `${url}\n`) })
    expect(config).toMatchObject({ databaseUrl: url, dispatcherUrl: url, unknownVariables: [] })
    expect(readConfig({ CASENOTE_WRITER_API_KEY_FILE: write('key', 'sk-1\r\n') }).writer.apiKey).toBe('sk-1')
  })

  it('are refused together with the variable, by name', () => {
    const path = write('both', 'sk-1')
    expect(problemsOf({ CASENOTE_WRITER_API_KEY: 'sk-2', CASENOTE_WRITER_API_KEY_FILE: path })).toEqual([
      'CASENOTE_WRITER_API_KEY and CASENOTE_WRITER_API_KEY_FILE must not both be set',
    ])
  })

  it('that cannot be read, are empty or hold something else are told by name, never by what is in them', () => {
    const problems = problemsOf({
      DATABASE_URL_FILE: join(folder, 'hunter2'),
      CASENOTE_SMTP_URL_FILE: write('empty', ' \n'),
      CASENOTE_MASTER_KEY_FILE: write('wrong', 'hunter2'),
      CASENOTE_S3_SECRET_ACCESS_KEY_FILE: '/dev/zero',
    })
    expect(problems.join('\n')).not.toContain('hunter2')
    expect(problems).toEqual([
      'DATABASE_URL_FILE names a file that cannot be read (ENOENT)',
      'CASENOTE_MASTER_KEY_FILE must name a file that holds 32 random bytes in base64',
      'CASENOTE_S3_SECRET_ACCESS_KEY_FILE must name a file that holds a secret access key',
      'CASENOTE_SMTP_URL_FILE names an empty file',
    ])
  })

  it('exist for secrets alone: any other is a setting that there is not', () => {
    expect(
      readConfig({ CASENOTE_LOG_LEVEL_FILE: '/x', CASENOTE_SMTP_URL_FILE: '' }).unknownVariables,
    ).toEqual(['CASENOTE_LOG_LEVEL_FILE'])
  })
})

describe('where the master key comes from', () => {
  const key = Buffer.alloc(32, 1).toString('base64')

  it('is one place: a command and a key at once are refused', () => {
    const env = { CASENOTE_MASTER_KEY_COMMAND: '["/bin/cat","/x"]' }
    expect(readConfig(env).masterKey).toMatchObject({ from: 'command', words: ['/bin/cat', '/x'] })
    expect(() => readConfig({ ...env, CASENOTE_MASTER_KEY: key })).toThrow(
      'CASENOTE_MASTER_KEY_COMMAND must not be used together with CASENOTE_MASTER_KEY',
    )
    expect(() => readConfig({ CASENOTE_MASTER_KEY_PREVIOUS: key })).toThrow(
      'CASENOTE_MASTER_KEY_PREVIOUS must be used together with CASENOTE_MASTER_KEY',
    )
  })

  it('is told to a command with none of our own settings', () => {
    const { masterKey } = readConfig({
      CASENOTE_MASTER_KEY_COMMAND: '["/bin/cat"]',
      CASENOTE_WRITER_API_KEY: 'sk-1',
      DATABASE_URL: 'postgres://a:b@c/d',
      VAULT_ADDR: 'https://vault',
    })
    expect(masterKey).toMatchObject({ env: { VAULT_ADDR: 'https://vault' } })
    expect(Object.keys((masterKey as { env: object }).env)).toEqual(['VAULT_ADDR'])
  })

  it('is no line for a shell', () => {
    for (const text of [
      '/bin/cat /x',
      '"/bin/cat"',
      '[]',
      '["cat"]',
      '["/bin/cat",1]',
      '["/bin/cat","a\\u0000b"]',
    ]) {
      expect(() => readConfig({ CASENOTE_MASTER_KEY_COMMAND: text })).toThrow(
        'CASENOTE_MASTER_KEY_COMMAND must be',
      )
    }
  })
})
