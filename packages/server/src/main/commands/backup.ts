import { Option, type Command } from 'commander'
import { readConfig } from '../../kernel/config.js'
import { makeBackup } from '../backup/make-backup.js'
import type { Manifest } from '../backup/manifest.js'
import { restoreBackup, type RestoreReport } from '../backup/restore-backup.js'
import { openDatabaseForCommand } from '../database-source.js'
import { openLog } from '../open-log.js'
import { ProgressBar } from '../terminal/progress-bar.js'
import { print } from './print.js'

interface BackupCommandOptions {
  dump?: string
  recordings?: 'copy' | 'leave'
  json?: true
}

interface RestoreCommandOptions {
  verifyOnly?: true
  despiteProblems?: true
  json?: true
}

export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description(
      'copy database and recordings into a new folder, while the service runs or not; never the master key',
    )
    .argument('<target>', 'a folder that is new or empty')
    .addOption(
      new Option(
        '--recordings <how>',
        'copy: into the backup; leave: in the object store, for its own tools. Default: a folder is copied, S3 left',
      ).choices(['copy', 'leave']),
    )
    .option('--dump <file>', 'for your own PostgreSQL without pg_dump here: the dump that you made')
    .option('--json', 'print the manifest')
    .action(runBackup)
  program
    .command('restore')
    .description(
      'check a backup, restore it into an empty data folder or database, and verify all of it; exits 1 if anything is not well',
    )
    .argument('<source>', 'the folder of a backup')
    .option('--verify-only', 'restore into a folder that is removed again, and say what was found')
    .option(
      '--despite-problems',
      'let the service start although recordings are damaged or values do not open',
    )
    .option('--json', 'print JSON')
    .action(runRestore)
}

async function runBackup(target: string, { dump, recordings, json }: BackupCommandOptions): Promise<void> {
  const config = readConfig(process.env)
  // A command prints its result; of the server it tells only what goes wrong.
  const log = openLog(config, 'command', 'error')
  const bar = new ProgressBar(process.stderr, process.env)
  const source = await openDatabaseForCommand(config, log)
  let manifest: Manifest
  try {
    manifest = await makeBackup(config, source, log, {
      target,
      copiesRecordings: recordings === undefined ? null : recordings === 'copy',
      dump: dump ?? null,
      show: (stage, fraction) => bar.show(stage, fraction),
      say: (line) => bar.line(line),
    })
  } finally {
    bar.end()
    await source.close()
  }
  const { missing } = manifest.recordings
  // No fault of the backup, which is whole: another one would be no better.
  if (missing > 0) {
    process.stderr.write(
      `casenote: warning: ${missing} parts of recordings were MISSING in the blob store before, and are in no backup\n`,
    )
  }
  print(json === true, manifest, describeBackup(target, manifest))
}

const inMegabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

function describeBackup(target: string, manifest: Manifest): string[] {
  const { recordings, database, contents, dataUntil, masterKeyIds } = manifest
  return [
    `The backup is in ${target}.`,
    `  as of       ${dataUntil ?? 'the beginning of your dump'}: what was acknowledged before is in it`,
    `  database    PostgreSQL ${formatVersion(database.postgresql)}, schema ${manifest.schemaVersion}, ` +
      inMegabytes(contents.bytes - recordings.bytes),
    `  recordings  ${recordings.included ? `${recordings.parts} parts, ${inMegabytes(recordings.bytes)}` : 'left in the object store'}`,
    `  master key  ${masterKeyIds.join(' and ')} is needed to restore it`,
    'NOT in it:',
    ...manifest.notIncluded.map((one) => `  - ${one}`),
    'Names, birth dates and contact data are plain in the database: encrypt the place where the backup is kept.',
  ]
}

const formatVersion = (postgresql: number): string =>
  `${Math.floor(postgresql / 10_000)}.${postgresql % 10_000}`

async function runRestore(source: string, options: RestoreCommandOptions): Promise<void> {
  const config = readConfig(process.env)
  const log = openLog(config, 'command', 'error')
  const bar = new ProgressBar(process.stderr, process.env)
  const isVerifyOnly = options.verifyOnly === true
  let report: RestoreReport
  try {
    report = await restoreBackup(config, log, {
      source,
      isVerifyOnly,
      isDespiteProblems: options.despiteProblems === true,
      show: (stage, fraction) => bar.show(stage, fraction),
    })
  } finally {
    bar.end()
  }
  if (!report.isWell) process.exitCode = 1
  print(options.json === true, report, [
    ...describeChecks(report),
    ...describeEnd(report, isVerifyOnly ? null : config.dataDir),
  ])
}

/** On the screen; `--json` lists more. */
const namedMost = 20

function nameSome(names: readonly string[], count: number): string[] {
  const named = names.slice(0, namedMost).map((name) => `    ${name}`)
  return count > named.length ? [...named, `    … and ${count - named.length} more`] : named
}

function describeChecks({
  manifest,
  files,
  changes,
  erased,
  notErased,
  deleted,
  restored,
}: RestoreReport): string[] {
  const lines = [
    `Backup of ${manifest.dataUntil ?? 'an operator’s dump'}, made by Casenote ${manifest.product.version}, schema ${manifest.schemaVersion}`,
    `  files       ${files.files} checked, ${files.damagedCount} damaged or missing`,
    ...nameSome(
      files.damaged.map(({ path, how }) => `${path} (${how})`),
      files.damagedCount,
    ),
  ]
  if (restored === null) return [...lines, '  database    NOT READ']
  const { tables, audit, sealed, recordings } = restored
  const entries = audit.tenants.reduce((sum, tenant) => sum + tenant.entries, 0)
  return [
    ...lines,
    ...changes.map((line) => `  database    ${line}`),
    `  tables      ${tables.tables} read from end to end, ${tables.rows} rows, ${tables.unreadable.length} cannot be read`,
    ...nameSome(tables.unreadable, tables.unreadable.length),
    '  rights      owners, grants, policies and roles are in place',
    `  audit log   ${audit.verdict}: ${entries} entries; partners: ${audit.tenants.length}`,
    ...(audit.tenants.every(({ isAnchored }) => isAnchored)
      ? []
      : [
          '              without anchors of all partners: that the end of a log was cut off before the backup cannot be seen',
        ]),
    ...audit.tenants.flatMap(({ tenantId, findings, findingCount }) =>
      nameSome(
        findings.map(({ message }) => `${tenantId} ${message}`),
        findingCount,
      ),
    ),
    `  sealed      ${sealed.opened} values opened, ${sealed.unreadableCount} do not open`,
    ...nameSome(sealed.unreadable, sealed.unreadableCount),
    `  recordings  ${recordings.opened} parts opened, ${recordings.missingCount} missing, ${recordings.unreadableCount} do not open`,
    ...nameSome(recordings.missing, recordings.missingCount),
    ...nameSome(recordings.unreadable, recordings.unreadableCount),
    ...(recordings.lostBeforeCount === 0
      ? []
      : [`              ${recordings.lostBeforeCount} parts were lost in the store before the backup`]),
    ...nameSome(recordings.lostBefore, recordings.lostBeforeCount),
    ...(erased === 0 ? [] : [`  erased      ${erased} erasures of after the backup were applied to it`]),
    ...(notErased.length === 0
      ? []
      : [`  NOT ERASED  ${notErased.length} erasures of after the backup were refused: ask for them again`]),
    ...nameSome(
      notErased.map(({ erasureId, kind, subjectId }) => `${erasureId} (${kind} ${subjectId})`),
      notErased.length,
    ),
    ...(deleted === 0 ? [] : [`  deleted     ${deleted} recordings that were deleted while the backup ran`]),
  ]
}

function describeEnd(
  { problems, isWell, isUsable, restored }: RestoreReport,
  dataDir: string | null,
): string[] {
  if (dataDir === null) {
    if (!isWell) return [`The backup has PROBLEMS: ${problems.join('; ')}.`]
    return restored === null
      ? [
          'The files are as they were written. A dump’s rows are read only by restoring it into an empty database.',
        ]
      : ['The backup is good: it was restored, read from end to end, and removed again.']
  }
  if (!isUsable) {
    return restored === null
      ? [`NOTHING was restored: ${problems.join('; ')}.`]
      : [
          `The restore found PROBLEMS: ${problems.join('; ')}.`,
          `Nothing starts on ${dataDir}. Restore a better backup, or this one with --despite-problems.`,
        ]
  }
  return [
    ...(isWell ? ['Restored.'] : [`Restored DESPITE PROBLEMS: ${problems.join('; ')}.`]),
    'What was done after the backup is not there. Events of before may be sent again, with the webhook-id that they had;',
    'work that was under way is done again. All tokens and sessions ended: partners, clinicians and users of the console',
    'sign in again. Who was cut off, and keys that were rotated after the backup, are as they were before: do that again.',
  ]
}
