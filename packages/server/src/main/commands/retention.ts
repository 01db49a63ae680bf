import { InvalidArgumentError, type Command } from 'commander'
import { keptForGood, selectRetention, setRetention, type Retention } from '../../features/erasure/index.js'
import type { TenantId } from '../../kernel/ids.js'
import { operator } from '../../kernel/operator.js'
import { asOperator } from './operator-session.js'
import { getTenant } from './partner.js'
import { formatFields, print } from './print.js'

interface RetentionOptions {
  recordings?: number | 'default'
  transcripts?: number | 'default'
  drafts?: number | 'default'
  events?: number | 'default'
  json?: true
}

/** How long a partner's recordings, transcripts, drafts and events are kept. */
export function addRetentionCommands(program: Command): void {
  const retention = program.command('retention').description('how long what of a partner is kept')
  retention
    .command('set')
    .description(
      'in days, or "default": recordings as CASENOTE_AUDIO_RETENTION_DAYS has it (a year while nobody signs the note), all else for good',
    )
    .argument('<partnerId>')
    .option(
      '--recordings <days>',
      'after the note was finalized or the session failed; while nobody signs the note, after they were made',
      parseDays(1, 3_650),
    )
    .option('--transcripts <days>', 'after they were made', parseDays(1, 36_500))
    .option('--drafts <days>', 'notes that nobody signs, after their last change', parseDays(1, 36_500))
    .option('--events <days>', 'with their deliveries, once none is still to be sent', parseDays(5, 36_500))
    .option('--json', 'print JSON')
    .action(async (partnerId: TenantId, { json, ...given }: RetentionOptions) => {
      const wanted = Object.fromEntries(
        (
          [
            ['recordingDays', given.recordings],
            ['transcriptDays', given.transcripts],
            ['draftDays', given.drafts],
            ['eventDays', given.events],
          ] as const
        )
          .filter(([, days]) => days !== undefined)
          .map(([name, days]) => [name, days === 'default' ? null : days]),
      ) as Partial<Retention>
      if (Object.keys(wanted).length === 0)
        throw new Error('name at least one of --recordings, --transcripts, --drafts, --events')
      const days = await asOperator(async ({ owner }) =>
        owner.write(await getTenant(owner, partnerId), (tx) => setRetention(tx, operator, wanted)),
      )
      print(json === true, { partnerId, ...days }, describe(days))
    })
  retention
    .command('show')
    .description(
      'the days that are set; without any: for good, recordings as CASENOTE_AUDIO_RETENTION_DAYS has it',
    )
    .argument('<partnerId>')
    .option('--json', 'print JSON')
    .action(async (partnerId: TenantId, { json }: { json?: true }) => {
      const days = await asOperator(async ({ owner }) => {
        const tenant = await getTenant(owner, partnerId)
        const [row] = await owner.read(tenant, selectRetention(tenant))
        return row ?? keptForGood
      })
      print(json === true, { partnerId, ...days }, describe(days))
    })
}

const describe = (days: Retention): string[] =>
  formatFields({
    recordings: days.recordingDays === null ? 'as the installation has it' : `${days.recordingDays} days`,
    transcripts: days.transcriptDays === null ? 'for good' : `${days.transcriptDays} days`,
    drafts: days.draftDays === null ? 'for good' : `${days.draftDays} days`,
    events: days.eventDays === null ? 'for good' : `${days.eventDays} days`,
  })

function parseDays(least: number, most: number): (text: string) => number | 'default' {
  return (text) => {
    if (text === 'default') return text
    const days = Number(text)
    if (!/^\d+$/.test(text) || days < least || days > most)
      throw new InvalidArgumentError(`It must be "default" or a whole number from ${least} to ${most}.`)
    return days
  }
}
