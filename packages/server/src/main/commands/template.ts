import { readFile } from 'node:fs/promises'
import { NOTE_TYPES, templateLimits } from '@casenote/contract'
import { InvalidArgumentError, type Command } from 'commander'
import { readTemplateFile, TemplateProblem } from '../../engines/writer/templates/read-template-file.js'
import { addTemplate, listTemplates, removeTemplate } from '../../features/templates/index.js'
import type { Database } from '../../kernel/db/database.js'
import { isId, type TemplateId, type TenantId } from '../../kernel/ids.js'
import { operator } from '../../kernel/operator.js'
import { asOperator } from './operator-session.js'
import { formatTable, print } from './print.js'

interface Whose {
  partner: string
  json?: true
}

interface Addition extends Whose {
  clinic?: string
  clinician?: string
  all?: true
  default?: boolean
}

/** Templates of notes that the operator adds (docs/templates.md). */
export function addTemplateCommands(program: Command): void {
  const template = program.command('template').description('templates that notes are written with')
  template
    .command('list')
    .description('what a partner’s clinicians can choose from')
    .requiredOption('--partner <id>', 'the partner', parseId)
    .option('--json', 'print JSON')
    .action(({ partner, json }: Whose) => list(partner, json === true))
  template
    .command('check')
    .description('whether files fit, without adding them; needs no database')
    .argument('<files...>')
    .action(async (files: string[]) => {
      await eachFile(files, async (text) => {
        const { id, version } = readTemplateFile(text)
        return `fits, ${id} version ${version}`
      })
    })
  template
    .command('add')
    .description('add templates or new versions of them, for a partner, a clinic or a clinician')
    .argument('<files...>')
    .requiredOption('--partner <id>', 'the partner', parseId)
    .option('--clinic <id>', 'for the clinicians of this clinic', parseId)
    .option('--clinician <id>', 'for this clinician', parseId)
    .option('--all', 'for all clinicians of the partner; a new template is, a new version stays whose it was')
    .option('--default', 'use it where a session names its note type and no template')
    .option('--no-default', 'no longer; a new version stays what it was')
    .action((files: string[], given: Addition) =>
      asOperator(({ owner }) => eachFile(files, (text) => add(owner, text, given))),
    )
  template
    .command('remove')
    .description('no longer offer a template; notes that were written with it keep it')
    .argument('<templateId>')
    .requiredOption('--partner <id>', 'the partner', parseId)
    .action(async (templateId: TemplateId, { partner: tenantId }: Whose) => {
      const isDone = await asOperator(({ owner }) =>
        owner.write({ tenantId }, (tx) => removeTemplate(tx, operator, templateId)),
      )
      if (!isDone) throw new Error(`nothing was added of ${templateId}`)
      print(false, null, [`${templateId} is no longer offered`])
    })
}

function parseId(given: string): string {
  if (!isId(given)) throw new InvalidArgumentError('it must be an id')
  return given
}

/** With all that there can be. */
const onePage = { number: 1, size: NOTE_TYPES.length + templateLimits.templates }

async function list(tenantId: TenantId, isJson: boolean): Promise<void> {
  const { data: heads } = await asOperator(({ owner }) => listTemplates(owner, { tenantId }, onePage))
  const rows = heads.map(({ id, version, noteType, title, scope, clinicId, clinicianId, isDefault }) => [
    id,
    String(version),
    noteType,
    title,
    [scope, clinicianId ?? clinicId, isDefault && '(default)'].filter(Boolean).join(' '),
  ])
  print(isJson, { templates: heads }, formatTable(['template', 'version', 'note type', 'title', 'for'], rows))
}

async function add(owner: Database, text: string, given: Addition): Promise<string> {
  if (given.all === true && (given.clinic !== undefined || given.clinician !== undefined))
    throw new Error('--all must not be given together with --clinic or --clinician')
  const template = readTemplateFile(text)
  const named = {
    clinicId: given.clinic ?? (given.all === true ? null : undefined),
    clinicianId: given.clinician,
    isDefault: given.default,
  }
  const { clinicId, clinicianId, isDefault } = await owner.write({ tenantId: given.partner }, (tx) =>
    addTemplate(tx, operator, template, named),
  )
  const whose =
    clinicianId !== null
      ? `clinician ${clinicianId}`
      : clinicId !== null
        ? `clinic ${clinicId}`
        : 'all of the partner'
  return `added, ${template.id} version ${template.version}, for ${whose}${isDefault ? ' (default)' : ''}`
}

/** All files are looked at, so that one run shows every problem. */
async function eachFile(files: readonly string[], work: (text: string) => Promise<string>): Promise<void> {
  const problems: string[] = []
  for (const file of files) {
    try {
      print(false, null, [`${file}: ${await work(await readFile(file, 'utf8'))}`])
    } catch (error) {
      if (!(error instanceof TemplateProblem)) throw error
      problems.push(...error.problems.map((problem) => `${file}: ${problem}`))
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))
}
