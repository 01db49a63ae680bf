import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import type { Session } from '@casenote/contract'
import type { Command } from 'commander'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { builtInTemplate } from '../../src/engines/writer/templates/built-in-templates.js'
import { instrumentIdOf } from '../../src/features/assessments/instruments/add-instrument.js'
import { failSession } from '../../src/features/sessions/index.js'
import { readConfig } from '../../src/kernel/config.js'
import { establishClientKeys } from '../../src/kernel/key-store/index.js'
import { nameOperator } from '../../src/kernel/operator.js'
import { addMasterKeyToFile } from '../../src/kernel/secrets/master-keys.js'
import { makeProgram, runCommandLine } from '../../src/main/cli.js'
import { makeTextPack } from '../assessments/instruments-fixture.js'
import { makeDataFolder } from '../support/casenote-process.js'
import { asPipeline } from '../support/clinical-record.js'
import { makeDumpHeader } from '../support/dump-header.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

let service: TestService
let partner: TestPartner
let folder: { path: string; remove(): Promise<void> }
let failedSessionId: string

beforeAll(async () => {
  const masterKey = randomBytes(32)
  service = await makeTestService({ masterKey })
  partner = await service.addPartner()
  failedSessionId = await makeFailedSession()
  folder = await makeDataFolder()
  await mkdir(folder.path, { recursive: true })
  await writeFile(join(folder.path, 'master.key'), `${masterKey.toString('base64')}\n`)
  vi.stubEnv('CASENOTE_MIGRATE_URL', service.database.migrateUrl)
  vi.stubEnv('DATABASE_URL', service.database.databaseUrl)
  vi.stubEnv('CASENOTE_DATA_DIR', folder.path)
  vi.stubEnv('CASENOTE_KEY_STORE', join(folder.path, 'key-store'))
  await establishClientKeys(readConfig(process.env), service.owner, service.masterKeys)
})
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  vi.unstubAllEnvs()
  nameOperator(null, null)
  process.exitCode = undefined
  await service.close()
  await folder.remove()
})

/** What it printed. Fails as a shell would see it. */
async function run(...args: string[]): Promise<string> {
  let said = ''
  // Whoever gives a function waits until it is written.
  const listen = (text: string | Uint8Array, ...rest: unknown[]): boolean => {
    said += String(text)
    const done = rest.at(-1)
    if (typeof done === 'function') done()
    return true
  }
  vi.spyOn(process.stdout, 'write').mockImplementation(listen)
  vi.spyOn(process.stderr, 'write').mockImplementation(listen)
  process.exitCode = undefined
  await runCommandLine(['node', 'casenote', ...args])
  vi.restoreAllMocks()
  if (process.exitCode !== undefined) throw new Error(`${args.join(' ')}: ${said}`)
  return said
}

const listChanges = (as: string) =>
  service.owner.throughDoor<Record<string, unknown>>({
    text: `select operation, actor_kind as kind, actor_id as id, subject_ids as subjects
      from casenote.audit_pending where actor_as = $1`,
    values: [as],
  })

async function makeFailedSession(): Promise<string> {
  const answer = await service.call({
    method: 'POST',
    url: `/v2/clients/${partner.clientId}/sessions`,
    headers: partner.headers,
    payload: { fileUrl: 'http://127.0.0.1:9/a.mp3' },
  })
  const { id: sessionId } = answer.json<Session>()
  const tenant = { tenantId: partner.partnerId }
  const context = asPipeline(await service.keys.get(tenant))
  await service.db.write(tenant, (tx) =>
    failSession(tx, context, { sessionId, failure: 'processing_failed' }),
  )
  return sessionId
}

/** Nobody writes at the fixture's note any more. */
async function addDraft(): Promise<string> {
  await service.owner.write({ tenantId: partner.partnerId }, (tx) =>
    tx.run({
      text: `update casenote.sessions set status = 'completed', progress = 1 where tenant_id = $1 and session_id = $2`,
      values: [partner.partnerId, partner.sessionId],
    }),
  )
  return partner.progressNoteId
}

async function writeTemplate(): Promise<string> {
  const file = join(dirname(folder.path), 'north-note.json')
  await writeFile(file, JSON.stringify({ ...builtInTemplate('dap'), id: 'north-note' }))
  return file
}

async function writeConsentText(): Promise<string> {
  const path = join(dirname(folder.path), 'consent.txt')
  await writeFile(path, 'We record sessions.\n\n- Only to write the note\n')
  return path
}

async function writeTextPack(): Promise<string> {
  const path = join(dirname(folder.path), 'pack.json')
  await writeFile(path, makeTextPack('who5'))
  return path
}

/** Commands that change something, or show what concerns people: how each is called, and the entry that it leaves. */
const audited: Record<string, { args: () => string[] | Promise<string[]>; operation: string }> = {
  'partner create': {
    args: () => ['--name', 'Acme', '--environment', 'sandbox'],
    operation: 'partner.create',
  },
  'sandbox create': { args: () => ['--name', 'Second'], operation: 'partner.create' },
  'partner suspend': { args: () => [partner.partnerId], operation: 'partner.suspend' },
  'partner resume': { args: () => [partner.partnerId], operation: 'partner.resume' },
  'partner rotate-secret': { args: () => [partner.partnerId], operation: 'partner.rotateSecret' },
  'partner retire-secret': { args: () => [partner.partnerId], operation: 'partner.retireSecret' },
  'partner rotate-key': { args: () => [partner.partnerId], operation: 'partner.rotateKey' },
  'partner set-limits': { args: () => [partner.partnerId, '--rate', '500'], operation: 'partner.setLimits' },
  'partner set-quotas': {
    args: () => [partner.partnerId, '--open-uploads', '400', '--clinician-open-uploads', '40'],
    operation: 'partner.setQuotas',
  },
  'partner set-origins': { args: () => [partner.partnerId, '--any'], operation: 'partner.setOrigins' },
  'partner set-sign-in': { args: () => [partner.partnerId, '--off'], operation: 'partner.setSignIn' },
  'partner set-not-ready': {
    args: () => [partner.partnerId, '--status', '404'],
    operation: 'partner.setNotReadyStatus',
  },
  'partner set-nothing-twice': {
    args: () => [partner.partnerId, '--idempotency', 'on'],
    operation: 'partner.setNothingTwice',
  },
  'partner set-erasure': { args: () => [partner.partnerId, 'off'], operation: 'partner.setErasure' },
  'partner set-signing-checks': {
    args: () => [partner.partnerId, 'empty_section=block_in_widget'],
    operation: 'partner.setSigningChecks',
  },
  'partner set-consent': { args: () => [partner.partnerId, '--no-require'], operation: 'partner.setConsent' },
  'consent add-text': {
    args: async () => [
      await writeConsentText(),
      '--partner',
      partner.partnerId,
      '--language',
      'en',
      '--version',
      '2026-12',
    ],
    operation: 'consentText.add',
  },
  'organization create': {
    args: () => ['--partner', partner.partnerId, '--name', 'North'],
    operation: 'organization.create',
  },
  'client export': {
    args: () => [partner.clientId, '--to', join(dirname(folder.path), 'export')],
    operation: 'client.export',
  },
  'clinic create': {
    args: () => ['--organization', partner.organizationId, '--name', 'North'],
    operation: 'clinic.create',
  },
  'clinic set-defaults': { args: () => [partner.clinicId, 'phq9'], operation: 'clinic.setDefaults' },
  'program create': {
    args: () => ['--organization', partner.organizationId, '--name', 'North'],
    operation: 'program.create',
  },
  'clinician deactivate': { args: () => [partner.clinicianId], operation: 'clinician.deactivate' },
  'clinician end-widget-sessions': {
    args: () => [partner.clinicianId],
    operation: 'clinician.endWidgetSessions',
  },
  'clinician reactivate': { args: () => [partner.clinicianId], operation: 'clinician.reactivate' },
  'instrument add': { args: async () => [await writeTextPack()], operation: 'instrument.add' },
  'instrument remove': { args: () => ['who5'], operation: 'instrument.remove' },
  'template add': {
    args: async () => [await writeTemplate(), '--partner', partner.partnerId],
    operation: 'template.add',
  },
  'template remove': {
    args: () => ['north-note', '--partner', partner.partnerId],
    operation: 'template.remove',
  },
  'session retry': { args: () => [failedSessionId], operation: 'session.create' },
  'keys rotate': { args: () => ['--purpose', 'token'], operation: 'key.rotate' },
  'keys retire': { args: () => ['--purpose', 'token'], operation: 'key.retire' },
  'keys rewrap': {
    args: async () => {
      await addMasterKeyToFile(folder.path)
      return []
    },
    operation: 'key.rewrap',
  },
  'keys rotate-master': { args: () => [], operation: 'key.rewrap' },
  'key-store copy': {
    args: () => [join(dirname(folder.path), 'key-copies')],
    operation: 'keyStore.copy',
  },
  'key-store seal': { args: () => [], operation: 'key.reseal' },
  'retention set': { args: () => [partner.partnerId, '--drafts', '90'], operation: 'partner.setRetention' },
  'legal-hold place': { args: () => [partner.clientId], operation: 'legalHold.place' },
  'legal-hold lift': { args: () => [partner.clientId], operation: 'legalHold.lift' },
  'audit report': { args: () => ['--client', partner.clientId], operation: 'audit.report' },
  backup: {
    args: async () => {
      const dump = join(dirname(folder.path), 'casenote.dump')
      await writeFile(dump, makeDumpHeader(new Date()))
      return [join(dirname(folder.path), 'backup'), '--dump', dump]
    },
    operation: 'installation.backup',
  },
  'model use': { args: () => ['none'], operation: 'model.useNone' },
  'console invite': {
    args: () => ['ana', '--partner', partner.partnerId],
    operation: 'console.invite',
  },
  'console remove': {
    args: async () => {
      await run('console', 'invite', 'ben', '--host', 'http://localhost:9464')
      return ['ben']
    },
    operation: 'console.remove',
  },
  'erase transcript': { args: () => [failedSessionId, '--yes'], operation: 'transcript.erase' },
  'erase draft': { args: async () => [await addDraft(), '--yes'], operation: 'draft.erase' },
  'erase session': { args: () => [failedSessionId, '--yes'], operation: 'session.erase' },
  'erase client': { args: () => [partner.clientId, '--yes'], operation: 'client.erase' },
  // Last: what the others work on is gone afterwards.
  'sandbox reset': { args: () => ['--partner', partner.partnerId], operation: 'sandbox.reset' },
}

/** Commands that leave no entry, and why. */
const unrecorded: Record<string, string> = {
  start: 'runs the service, which records what is asked of it',
  api: 'runs the service, which records what is asked of it',
  worker: 'runs the service, which records what is asked of it',
  dispatcher: 'runs the service, which records what is asked of it',
  migrate: 'there may be no partner yet; the schema keeps its own list of what was applied when',
  restore: 'works on an empty installation; what it restored has an entry, which its own test reads',
  'console list': 'shows names of the console’s users, and no secret',
  'partner list': 'shows partners, which are no people, and no secret',
  'partner show': 'shows a partner, which is no person, and no secret',
  'consent list-texts': 'shows what clients are asked, and nothing of them',
  'organization list': 'shows names of organizations',
  'clinic list': 'shows names of clinics',
  'program list': 'shows names of programs',
  'instrument list': 'shows assessments, which are nobody’s data',
  'instrument check': 'reads a file and changes nothing',
  'template list': 'shows templates, which are nobody’s data',
  'template check': 'reads a file and changes nothing',
  'session watch': 'shows the status of an id that the operator has already; nothing of a person',
  'audit verify': 'shows counts, and which entries do not fit',
  'webhook listen': 'speaks the Partner API, where each call is recorded as the partner’s',
  tour: 'speaks the Partner API, where each call is recorded as the partner’s',
  prove: 'works on sessions that come with the program',
  'model list': 'shows models',
  'erase list': 'shows ids of what is gone',
  'erase receipt': 'shows ids of what is gone, for whoever asked for it',
  'erase public-key': 'shows what verifies receipts, which is for everybody',
  'erase verify': 'reads a file, without a database',
  'erase resume':
    'goes on with what was recorded when it was asked for; the end of each is recorded as the system’s',
  'erase apply':
    'what it carries out was recorded when it was asked for, and each is once more (erasure.apply)',
  'legal-hold list': 'shows ids of clients, and since when',
  'retention show': 'shows days',
  'key-store show': 'shows which one it is, and a count',
  'model find': 'looks for model servers on this machine',
  'model install': 'no note is written by it before "model use", which is recorded',
  'model verify': 'hashes files, and changes nothing',
  'model remove': 'deletes what is not in use; "model use" is recorded',
}

function listCommands(command: Command, path: readonly string[] = []): string[] {
  return command.commands.flatMap((one) => {
    const name = [...path, one.name()]
    return one.commands.length === 0 ? [name.join(' ')] : listCommands(one, name)
  })
}

/** Lines of the guides' blocks that name this test: `casenote …`, without their comments. */
function listShown(): string[] {
  const docs = new URL('../../../../docs/', import.meta.url)
  return readdirSync(docs)
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => [...readFileSync(new URL(file, docs), 'utf8').matchAll(checkedBlock)])
    .flatMap(([, block = '']) => block.split('\n'))
    .map((line) => line.replace(/ *# .*$/, '').replace(/^npm run casenote -- /, 'casenote '))
    .filter((line) => line !== '')
}
const checkedBlock = /<!-- checked by test\/main\/operator-commands\.test\.ts -->\n```sh\n([^`]*)```/g

/** The options of a line that its command does not have; null where there is no such command. */
function findUnknownOptions(all: Command, line: string): string[] | null {
  const [program = '', ...words] = line.split(/\s+/)
  let command = all
  while (command.commands.length > 0) {
    const next = command.commands.find((one) => one.name() === words[0])
    if (next === undefined) return null
    words.shift()
    command = next
  }
  const known = new Set([...command.options.map(({ long }) => long), '--as'])
  const isOurs = program === 'casenote'
  return isOurs ? words.filter((word) => word.startsWith('--') && !known.has(word)) : null
}

describe('commands of operators', () => {
  it('stand in the guides with options that they have', async () => {
    const all = await makeProgram()
    const shown = listShown()
    expect(shown.length).toBeGreaterThan(15)
    expect(shown.map((line) => [line, findUnknownOptions(all, line)])).toEqual(
      shown.map((line) => [line, []]),
    )
  })

  it('each leaves an entry, or stands on a list with the reason why not', async () => {
    expect(listCommands(await makeProgram()).toSorted()).toEqual(
      [...Object.keys(audited), ...Object.keys(unrecorded)].toSorted(),
    )
  })

  it('refuse a clinician’s share of a quota that is more than the whole', async () => {
    await expect(run('partner', 'set-quotas', partner.partnerId, '--stored-bytes', '1GiB')).rejects.toThrow(
      'name --clinician-stored-bytes, too',
    )
    await expect(run('partner', 'set-quotas', partner.partnerId, '--open-uploads', '3')).rejects.toThrow(
      'name --clinician-open-uploads, too',
    )
  })

  it('each says in the help what it does', async () => {
    const listSilent = ({ commands }: Command): string[] =>
      commands.flatMap((command) => [
        ...(command.description() === '' ? [`${command.parent?.name()} ${command.name()}`] : []),
        ...listSilent(command),
      ])
    expect(listSilent(await makeProgram())).toEqual([])
  })

  it('are each there when their words alone are loaded, whoever gives them', async () => {
    const listWords = async (...given: string[]): Promise<string[]> =>
      (await makeProgram(given)).commands.map((command) => command.name())
    const all = await listWords()
    for (const word of all) {
      const loaded = await listWords('--as', 'Grace', word, '--help')
      expect([word, loaded.includes(word), loaded.length < all.length]).toEqual([word, true, true])
    }
    // Help, and what was mistyped, which is told what it may mean.
    for (const given of [
      ['--as', 'client', '--help'],
      ['partnr', 'list', 'client'],
    ])
      expect(await listWords(...given)).toEqual(all)
    expect(await listWords('partner', 'show')).toEqual(['partner'])
    expect(await listWords('--as', 'audit', 'partner', 'show')).toEqual(['partner', 'audit'])
  })

  it.each(Object.keys(audited))('%s is recorded with the system’s user and the name given', async (name) => {
    const { args, operation } = audited[name] as (typeof audited)[string]
    const as = `Grace ${name}`
    await run(...name.split(' '), ...(await args()), '--as', as)
    const entry = { operation, kind: 'operator', id: userInfo().username }
    expect(await listChanges(as)).toContainEqual({ ...entry, subjects: expect.any(Array) })
  })

  it('without --as the system’s user is recorded, and the name may stand before the command', async () => {
    await run('partner', 'resume', partner.partnerId)
    const [last] = await service.owner.throughDoor({
      text: `select actor_id, actor_as from casenote.audit_pending where operation = 'partner.resume'
        order by pending_id desc limit 1`,
      values: [],
    })
    expect(last).toEqual({ actor_id: userInfo().username, actor_as: null })
    await run('--as', 'Before', 'partner', 'resume', partner.partnerId)
    expect(await listChanges('Before')).toHaveLength(1)
  })

  it('an instrument stands in the log of every partner, since it is offered by all', async () => {
    const tenants = await service.owner.throughDoor({ text: 'select from casenote.tenants', values: [] })
    const changes = await listChanges('Grace instrument add')
    expect(changes).toHaveLength(tenants.length)
    expect(changes[0]).toMatchObject({ subjects: [instrumentIdOf('who5')] })
  })

  it('audit verify says where it found no anchors, and what cannot be seen without them', async () => {
    expect(await run('audit', 'verify')).toMatch(
      /NO ANCHORS of any partner in .+: that the end of a log was cut off, or that a backup was restored, cannot be seen/,
    )
  })

  it('a template is not added for all and for somebody at once', async () => {
    const add = async (...whose: string[]) =>
      run('template', 'add', await writeTemplate(), '--partner', partner.partnerId, ...whose, '--as', 'Whose')
    for (const whose of [
      ['--clinic', partner.clinicId],
      ['--clinician', partner.clinicianId],
    ])
      await expect(add('--all', ...whose)).rejects.toThrow(
        '--all must not be given together with --clinic or --clinician',
      )
    expect(await listChanges('Whose')).toEqual([])
  })

  it('what changes nothing is not recorded', async () => {
    await expect(run('instrument', 'remove', 'who5', '--as', 'Twice')).rejects.toThrow('nothing was added')
    expect(await listChanges('Twice')).toEqual([])
  })
})
