import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { findClientAnywhere } from '../../features/clients/index.js'
import {
  countLeasedErasures,
  findErasureAnywhere,
  findNoteAnywhere,
  isReceiptGenuine,
  liftLegalHold,
  listErasures,
  listHolds,
  placeLegalHold,
  readReceiptKey,
  requestErasure,
  selectErasure,
  type ErasureParts,
  type Receipt,
} from '../../features/erasure/index.js'
import { findSessionAnywhere } from '../../features/sessions/index.js'
import type { Statement } from '../../kernel/db/database.js'
import type { TenantScope } from '../../kernel/tenant.js'
import type { ClientId, ErasureId, TenantId } from '../../kernel/ids.js'
import { readClientKeys } from '../../kernel/key-store/index.js'
import { operator } from '../../kernel/operator.js'
import { readDatabaseClock } from '../../kernel/read-database-clock.js'
import type { ErasureKind } from '../../kernel/secrets/client-key-source.js'
import { readTenantKeys } from '../../kernel/secrets/tenant-keys.js'
import { applyErasures } from '../erasure/apply-erasures.js'
import { listRunningRoles } from '../erasure/erasure.sql.js'
import { finishErasure, finishErasures, makeErasureParts } from '../erasure/finish-erasures.js'
import { listAgain } from '../erasure/list-again.js'
import { asOperator, type OperatorSession } from './operator-session.js'
import { getTenantBy } from './organization.js'
import { getTenant } from './partner.js'
import { formatFields, formatTable, print } from './print.js'
import { withBlobStore } from './with-blob-store.js'

interface Json {
  json?: true
}

/** What a person looks through; all of it is in the audit log. */
const listedMost = 1_000

const kinds: Record<
  ErasureKind,
  { noun: string; goes: string; find: (id: string) => Statement<TenantScope> }
> = {
  client: {
    noun: 'client',
    goes: 'The client with all sessions, recordings, transcripts, notes, assessments, mails and links, and the key of the client',
    find: findClientAnywhere,
  },
  session: {
    noun: 'session',
    goes: 'The session with its recording, transcript, note, MDM elements, summary and what it says of danger',
    find: findSessionAnywhere,
  },
  transcript: {
    noun: 'session',
    goes: 'What was said or typed in the session, what was read from it and corrected in it; the note stays',
    find: findSessionAnywhere,
  },
  draft: {
    noun: 'progress note',
    goes: 'The note with all its versions, which nobody has signed',
    find: findNoteAnywhere,
  },
}

/** Erasure for good (decision 0042). Names of commands of the endpoints' `hold` are another matter. */
export function addErasureCommands(program: Command): void {
  const erase = program.command('erase').description("delete a person's data for good, with a signed receipt")
  for (const kind of ['client', 'session', 'transcript', 'draft'] as const) addEraseCommand(erase, kind)
  erase
    .command('resume')
    .description('finish erasures that were cut short; a worker does so by itself')
    .option('--json', 'print JSON')
    .action(async ({ json }: Json) => {
      const done = await asOperator(
        (session) =>
          withErasureParts(session, async (parts) => ({
            finished: await finishErasures(parts),
            listedAgain: await listAgain(parts.db, parts.clientKeys),
            leased: (await parts.db.throughDoor(countLeasedErasures()))[0]?.total ?? 0,
          })),
        { isUnhurried: true },
      )
      print(json === true, done, [
        `${done.finished} erasures finished`,
        ...(done.leased === 0 ? [] : [`${done.leased} are left to other processes, which are at them`]),
        ...(done.listedAgain === 0
          ? []
          : [`${done.listedAgain} were not on the list of the key store, and are on it again`]),
      ])
    })
  addApplyCommand(erase)
  erase
    .command('list')
    .description('what was erased of a partner, the newest first')
    .requiredOption('--partner <id>', 'the partner')
    .option('--json', 'print JSON')
    .action(async ({ partner, json }: Json & { partner: string }) => {
      const rows = await asOperator(async ({ owner }) => {
        const tenant = await getTenant(owner, partner)
        return await owner.read(tenant, listErasures(tenant, listedMost))
      })
      const shown = rows.map((row) => ({
        erasureId: row.erasureId,
        kind: row.kind,
        subjectId: row.subjectId,
        clientId: row.clientId,
        askedBy: row.askedBy,
        status: row.status,
        askedAt: row.askedAt,
        doneAt: row.doneAt,
        recordings: row.blobIds.length,
      }))
      const table = rows.map((row) => [
        row.erasureId,
        row.kind,
        row.subjectId,
        row.askedBy,
        row.status === 'refused' ? 'refused' : (row.doneAt?.toISOString() ?? 'under way'),
      ])
      print(json === true, shown, formatTable(['erasure', 'of a', 'id', 'asked by', 'done'], table))
    })
  addReceiptCommands(erase)
  addHoldCommands(program)
}

/** A process proves every two seconds that it is at work. */
const runningSeconds = 10

function addApplyCommand(erase: Command): void {
  erase
    .command('apply')
    .description(
      'carry out what is on the key store\'s list in a database that was restored by other means than "restore"; before anything starts on it',
    )
    .option('--while-running', 'although processes of the service run on the database')
    .option('--json', 'print JSON')
    .action(async ({ whileRunning, json }: Json & { whileRunning?: true }) => {
      const done = await asOperator(
        async (session) => {
          await requireQuiet(session, whileRunning === true)
          const { config, owner, masterKeys } = session
          // A database of before there was a key store names none.
          masterKeys.clientKeys ??= await readClientKeys(config, masterKeys, await readDatabaseClock(owner))
          return withErasureParts(session, async ({ clientKeys, store }) => {
            const listed = new Set(clientKeys.erasures.map(({ erasureId }) => erasureId)).size
            const erasing = { db: owner, masterKeys, store }
            const { refused, ...applied } = await applyErasures(erasing, clientKeys, { isAlone: false })
            return { listed, ...applied, refused: refused.map(({ erasureId }) => erasureId) }
          })
        },
        { isUnhurried: true },
      )
      if (done.refused.length > 0) process.exitCode = 1
      print(json === true, done, [
        `${done.applied} erasures carried out, of ${done.listed} on the list of the key store`,
        ...(done.left === 0 ? [] : [`${done.left} are left to other processes, which are at them`]),
        ...(done.refused.length === 0
          ? []
          : [
              `${done.refused.length} refused, since something is signed or held, and NOT carried out: ${done.refused.join(', ')}`,
            ]),
      ])
    })
}

/** Whoever reads the database shows and sends what is about to go. */
async function requireQuiet({ owner }: OperatorSession, mayRun: boolean): Promise<void> {
  const running = mayRun ? [] : await owner.throughDoor(listRunningRoles(runningSeconds))
  if (running.length === 0) return
  const roles = [...new Set(running.map(({ role }) => role))].join(', ')
  throw new Error(
    `processes of the service run on this database, or did within ${runningSeconds} s (${roles}): stop them first, or say --while-running`,
  )
}

interface EraseOptions extends Json {
  yes?: true
  signedNotes?: true
}

function addEraseCommand(erase: Command, kind: ErasureKind): void {
  const { noun, goes, find } = kinds[kind]
  const command = erase
    .command(kind)
    .description(`${goes}.`)
    .argument(kind === 'draft' ? '<progressNoteId>' : `<${noun}Id>`)
    .option('--yes', 'do it: there is no way back, and no backup brings it back')
    .option('--json', 'print the receipt as JSON')
  if (kind === 'client' || kind === 'session') command.option('--signed-notes', 'signed notes may go with it')
  command.action(async (id: string, { yes, signedNotes, json }: EraseOptions) => {
    if (yes !== true) throw new Error(`${goes}. There is no way back: say so with --yes`)
    const receipt = await asOperator(
      async (session) => {
        const { owner } = session
        const tenant = await getTenantBy(owner, noun, find, id)
        return withErasureParts(session, async (parts) => {
          const asked = { kind, id, askedBy: 'operator', withSignedNotes: signedNotes === true } as const
          const erasureId = await owner.write(tenant, (tx) => requestErasure(tx, operator, asked))
          return finishErasure(parts, tenant, erasureId)
        })
      },
      { isUnhurried: true },
    )
    print(json === true, receipt, describeReceipt(receipt as Receipt))
  })
}

const describeReceipt = ({ statement }: Receipt): string[] => [
  ...formatFields({
    erasure: statement.erasureId,
    'of a': `${statement.kind} (${statement.subjectId})`,
    done: statement.doneAt,
    recordings: String(statement.recordings),
    'key of the client': statement.isKeyDestroyed ? 'destroyed' : 'stays',
  }),
  '',
  `The signed receipt: casenote erase receipt ${statement.erasureId}`,
]

function addReceiptCommands(erase: Command): void {
  erase
    .command('receipt')
    .description('print the signed receipt of an erasure')
    .argument('<erasureId>')
    .action(async (erasureId: ErasureId) => {
      const row = await asOperator(async ({ owner }) => {
        const tenant = await getTenantBy(owner, 'erasure', findErasureAnywhere, erasureId)
        const [found] = await owner.read(tenant, selectErasure(tenant, erasureId))
        return found
      })
      if (row?.status === 'refused') throw new Error('the erasure was refused: there is no receipt')
      if (row?.receipt == null) throw new Error('the erasure is not finished: casenote erase resume')
      print(true, JSON.parse(row.receipt), [])
    })
  erase
    .command('public-key')
    .description("print the key that a partner's receipts are verified with")
    .requiredOption('--partner <id>', 'the partner')
    .action(async ({ partner }: { partner: string }) => {
      const pem = await asOperator(async ({ owner, masterKeys }) =>
        readReceiptKey(await readTenantKeys(owner, masterKeys, await getTenant(owner, partner))),
      )
      process.stdout.write(pem)
    })
  erase
    .command('verify')
    .description('verify a receipt, anywhere and without a database; exits 1 if it is not genuine')
    .argument('<file>')
    .option(
      '--public-key <file>',
      'as "public-key" printed it; without it the receipt is compared with its own',
    )
    .action(async (file: string, { publicKey }: { publicKey?: string }) => {
      const receipt = JSON.parse(await readFile(file, 'utf8')) as Receipt
      const pem = publicKey === undefined ? undefined : await readFile(publicKey, 'utf8')
      if (!isReceiptGenuine(receipt, pem)) throw new Error(`${file} is no genuine receipt`)
      const by = pem === undefined ? 'its own key, which proves only that it is whole' : 'the given key'
      process.stdout.write(`${file} is genuine, by ${by}.\n`)
    })
}

function addHoldCommands(program: Command): void {
  const hold = program
    .command('legal-hold')
    .description('clients of whom no erasure, no retention and no discarding deletes anything')
  for (const name of ['place', 'lift'] as const) {
    hold
      .command(name)
      .description(name === 'place' ? 'keep all that is a client’s from now on' : 'undo place')
      .argument('<clientId>')
      .option('--json', 'print JSON')
      .action(async (clientId: ClientId, { json }: Json) => {
        const act = name === 'place' ? placeLegalHold : liftLegalHold
        const holdId = await asOperator(async ({ owner }) => {
          const tenant = await getTenantBy(owner, 'client', findClientAnywhere, clientId)
          return owner.write(tenant, (tx) => act(tx, operator, clientId))
        })
        if (holdId === null) throw new Error(`client ${clientId} is under no legal hold`)
        const done = name === 'place' ? 'under a legal hold' : 'under no legal hold any more'
        print(json === true, { clientId, holdId }, [`${clientId} is ${done}.`])
      })
  }
  hold
    .command('list')
    .description('legal holds of a partner, the newest first')
    .requiredOption('--partner <id>', 'the partner')
    .option('--json', 'print JSON')
    .action(async ({ partner, json }: Json & { partner: string }) => {
      const rows = await asOperator(async ({ owner }) => {
        const tenant = await getTenant(owner, partner)
        return await owner.read(tenant, listHolds(tenant, listedMost))
      })
      const table = rows.map((row) => [
        row.clientId,
        row.placedAt.toISOString(),
        row.liftedAt?.toISOString() ?? 'holds',
      ])
      print(json === true, rows, formatTable(['client', 'placed', 'lifted'], table))
    })
}

function withErasureParts<T>(
  session: OperatorSession,
  work: (parts: ErasureParts) => Promise<T>,
): Promise<T> {
  const { owner, masterKeys } = session
  const { clientKeys } = masterKeys
  if (clientKeys === null)
    throw new Error(
      'there is no key store, without which a backup would bring back what is erased: set CASENOTE_KEY_STORE on every instance, ' +
        'run "casenote migrate" and start them again',
    )
  const keys = { get: (tenant: { tenantId: TenantId }) => readTenantKeys(owner, masterKeys, tenant) }
  return withBlobStore(session, (store) => work(makeErasureParts({ db: owner, keys, clientKeys, store })))
}
