import { readFile } from 'node:fs/promises'
import { TEXT_LANGUAGES, textVersionLengthMax, type TextLanguage } from '@casenote/contract'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { addText, listTexts } from '../../features/consents/index.js'
import { isId } from '../../kernel/ids.js'
import { operator } from '../../kernel/operator.js'
import { asOperator } from './operator-session.js'
import { getTenant } from './partner.js'
import { formatTable, print } from './print.js'

interface Addition {
  partner: string
  organization?: string
  clinic?: string
  language: TextLanguage
  version: string
  json?: true
}

/** Four pages; who is asked to sign more reads none of it. The table has the same bound. */
const bodyLengthMax = 20_000

/** What clients are asked to agree to (docs/consent.md). */
export function addConsentCommands(program: Command): void {
  const consent = program.command('consent').description('what clients agree to before they are recorded')
  consent
    .command('list-texts')
    .description(
      'a partner’s own texts, newest first; without any, the one that comes with Casenote is shown',
    )
    .requiredOption('--partner <id>', 'the partner')
    .option('--json', 'print JSON')
    .action(async ({ partner, json }: { partner: string; json?: true }) => {
      const rows = await asOperator(async ({ owner }) => listTexts(owner, await getTenant(owner, partner)))
      const texts = rows.map(({ textId, organizationId, clinicId, language, version, body, createdAt }) => ({
        id: textId,
        organizationId,
        clinicId,
        language,
        version,
        text: body,
        createdAt: createdAt.toISOString(),
      }))
      const lines = texts.map(({ version, language, organizationId, clinicId, createdAt }) => [
        version,
        language,
        organizationId ?? 'all',
        clinicId ?? 'all',
        createdAt,
      ])
      print(
        json === true,
        { texts },
        formatTable(['version', 'language', 'organization', 'clinic', 'added'], lines),
      )
    })
  consent
    .command('add-text')
    .description(
      'a new text, or a new version of one; it is shown from now on, what was signed stays as it was',
    )
    .argument('<file>', 'plain text: paragraphs with an empty line between them, lists with "- "')
    .requiredOption('--partner <id>', 'the partner')
    .option('--organization <id>', 'for the clients of this organization alone', parseId)
    .option(
      '--clinic <id>',
      'for the clients of this clinic alone, before the text of its organization',
      parseId,
    )
    .addOption(
      new Option('--language <language>', 'of the text').choices(TEXT_LANGUAGES).makeOptionMandatory(),
    )
    .requiredOption('--version <name>', 'how this wording is called, for example 2026-11', parseVersion)
    .option('--json', 'print JSON')
    .action(async (file: string, { partner, organization, clinic, language, version, json }: Addition) => {
      const body = (await readFile(file, 'utf8')).replaceAll('\r\n', '\n').trim()
      if (body === '' || body.length > bodyLengthMax)
        throw new Error(`the text must have 1 to ${bodyLengthMax} characters`)
      const given = {
        organizationId: organization ?? null,
        clinicId: clinic ?? null,
        language,
        version,
        body,
      }
      const id = await asOperator(async ({ owner }) =>
        owner.write(await getTenant(owner, partner), (tx) => addText(tx, operator, given)),
      )
      print(json === true, { id, version, language }, [
        `added; clients who read ${language} are shown version ${version} from now on`,
      ])
    })
}

function parseId(given: string): string {
  if (!isId(given)) throw new InvalidArgumentError('it must be an id')
  return given
}

function parseVersion(given: string): string {
  const version = given.trim()
  if (version === '' || version.length > textVersionLengthMax)
    throw new InvalidArgumentError(`It must have 1 to ${textVersionLengthMax} characters.`)
  return version
}
