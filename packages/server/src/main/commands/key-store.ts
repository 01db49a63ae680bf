import { mkdir, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { InvalidArgumentError, type Command } from 'commander'
import { recordedInEveryLog } from '../../kernel/audit/index.js'
import { operator } from '../../kernel/operator.js'
import { replacePrivateFile } from '../../kernel/private-file.js'
import { readDatabaseClock } from '../../kernel/read-database-clock.js'
import { sealAllForOwners } from '../erasure/seal-all-for-owners.js'
import { describeUnopened } from '../erasure/seal-for-owners.js'
import { touchInstallation } from '../backup/backup.sql.js'
import { asOperator, type OperatorSession } from './operator-session.js'
import { formatFields, print } from './print.js'
import { withBlobStore } from './with-blob-store.js'

/** With what a kill while one was written has left. */
const copyPattern = /^key-store-(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2})Z\.json(?:\.[0-9a-f]{16}\.new)?$/

/** Two weeks in which a lost store can be brought back, and after which an erased key is in no copy. */
const keepDaysDefault = 14

const dayMs = 86_400_000

/** The store's own backup, which is short-lived: a copy of before an erasure still holds the key. */
export function addKeyStoreCommands(program: Command): void {
  const keyStore = program
    .command('key-store')
    .description("the clients' keys and the list of erasures, which no backup holds")
  addSealCommand(keyStore)
  keyStore
    .command('show')
    .description('which one it is, and how much is on its list')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const shown = await asOperator(async ({ masterKeys: { clientKeys } }) =>
        clientKeys === null ? null : { storeId: clientKeys.storeId, erasures: clientKeys.erasures.length },
      )
      if (shown === null) throw new Error(noStore)
      print(json === true, shown, formatFields({ store: shown.storeId, erasures: String(shown.erasures) }))
    })
  keyStore
    .command('copy')
    .description('copy it into a folder of its own, and remove the copies there that are too old')
    .argument('<folder>')
    .option('--keep-days <days>', 'how long copies are kept', parseDays, keepDaysDefault)
    .option('--json', 'print JSON')
    .action(async (given: string, { keepDays, json }: { keepDays: number; json?: true }) => {
      const { text, now } = await asOperator(async (session) => ({
        text: await takeCopy(session),
        // A machine whose clock is ahead must not take every older copy for too old.
        now: new Date((await readDatabaseClock(session.owner)).nowMs()),
      }))
      const folder = resolve(given)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const name = `key-store-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.json`
      await replacePrivateFile(join(folder, name), text)
      const old = (await readdir(folder)).filter((one) => isOld(one, now.getTime() - keepDays * dayMs))
      for (const one of old) await rm(join(folder, one), { force: true })
      print(json === true, { copy: join(folder, name), removed: old.length }, [
        `Copied to ${join(folder, name)}; ${old.length} older copies removed.`,
        `What is erased today is in no copy after ${keepDays} days, if this runs every day. Keep these apart from the backups.`,
      ])
    })
}

/** Whoever has it, the master key and a backup of before reads what is erased after it: every log says that there is one. */
async function takeCopy({ owner, masterKeys: { clientKeys } }: OperatorSession): Promise<Buffer> {
  if (clientKeys === null) throw new Error(noStore)
  await owner.throughDoor(
    recordedInEveryLog(touchInstallation(), {
      ...operator,
      operation: 'keyStore.copy',
      subjects: [clientKeys.storeId],
    }),
  )
  return clientKeys.copy()
}

function addSealCommand(keyStore: Command): void {
  keyStore
    .command('seal')
    .description('seal for each client alone what is theirs and is not yet; a backup begins with it')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const done = await asOperator(
        async (session) => {
          if (session.masterKeys.clientKeys === null) throw new Error(noStore)
          return withBlobStore(session, (store) =>
            sealAllForOwners({ db: session.owner, masterKeys: session.masterKeys, store }),
          )
        },
        { isUnhurried: true },
      )
      for (const line of describeUnopened(done.unopened)) process.stderr.write(`${line}\n`)
      print(json === true, done, [
        `${done.values} values and ${done.parts} parts of recordings sealed for their clients`,
      ])
    })
}

const noStore = 'there is no key store: set CASENOTE_KEY_STORE on every instance and run "casenote migrate"'

function isOld(name: string, beforeMs: number): boolean {
  const at = copyPattern.exec(name)?.[1]
  if (at === undefined) return false
  const [day = '', time = ''] = at.split('T')
  return Date.parse(`${day}T${time.replaceAll('-', ':')}Z`) < beforeMs
}

function parseDays(text: string): number {
  const days = Number(text)
  if (!/^\d+$/.test(text) || days < 1 || days > 90)
    throw new InvalidArgumentError('It must be a whole number from 1 to 90.')
  return days
}
