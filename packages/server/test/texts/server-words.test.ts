import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { labelFinding } from '../../src/engines/ledger/label-finding.js'
import type { Finding } from '../../src/engines/reader/reading.js'
import { SESSION_FAILURES } from '../../src/features/sessions/session-lifecycle.js'

const spanish = JSON.parse(
  readFileSync(new URL('../../../widget/src/frame/texts/es.json', import.meta.url), 'utf8'),
) as { serverWords: Record<string, string> }
const isKnown = (words: string): boolean => spanish.serverWords[words] !== undefined

/** What a frame asks of these is shown when it is refused. */
const shownFolders = [
  'sessions',
  'transcripts',
  'vocabulary',
  'progress-notes',
  'danger',
  'signing-checks',
  'session-gaps',
  'strikes',
].map((feature) => `features/${feature}`)
const editFiles = ['engines/writer/edits', 'pipeline/write-note.ts']

/** Only the Partner API says these, or a frame that is not ours. */
const unseen = new Set([
  'item must be an item of the transcript',
  'clientId must be a client of the clinician',
  'clientId must be another client than the one of the session',
  'version must be a version of the note',
  'end must not be less than start',
  'end must be greater than start',
  'version must have the note type that the note has now',
  'Progress note does not pass the checks before signing. {}',
])

/** The sentences in the calls that refuse, as far as they stand there; `{}` in place of what is put into them. */
function listRefusals(path: string): string[] {
  const place = new URL(`../../src/${path}`, import.meta.url)
  const files = path.endsWith('.ts')
    ? [place]
    : readdirSync(place).map((file) => new URL(`${path.split('/').at(-1)}/${file}`, place))
  return files.flatMap((file) => {
    const calls = readFileSync(file, 'utf8').matchAll(
      /(?:refuse\.(?:(?:conflict|conflictForNow|forbidden|rule|gone)\(\s*'\w+',|(?:notReady|invalid)\()|EditRefus(?:al|ed)\()\s*\[?(['`])([^\n]{1,400}?)\1/g,
    )
    return [...calls]
      .map(([, , sentence = '']) => sentence.replaceAll(/\$\{[^}]*\}/g, '{}'))
      .filter((sentence) => !unseen.has(sentence))
  })
}

const matters = ['suicide', 'self_harm', 'harm_to_others', 'abuse', 'psychosis']
const elements =
  'thoughts wish_to_be_dead plan intent means preparation attempt act threat violence neglect control voices commands beliefs'
const statuses = 'taken started stopped raised lowered kept considered declined past mentioned'
const abouts = 'appointment homework referral test medicine safety_step disposition other'

/** A label of every kind. Only what labels are made of matters here. */
const labels = [
  ...matters.flatMap((matter) =>
    elements.split(' ').flatMap((element) =>
      ['affirmed', 'denied', 'unclear'].flatMap((standing) =>
        [null, 1].map((questionItem) => ({
          kind: 'danger',
          matter,
          element,
          standing,
          questionItem,
          time: 'past',
          whose: 'other',
          certainty: 'plain',
        })),
      ),
    ),
  ),
  { kind: 'danger', matter: 'suicide', element: 'thoughts', certainty: 'suspected' },
  ...statuses.split(' ').map((status) => ({
    kind: 'medicine',
    name: 'sertraline',
    dose: '50 mg',
    status,
    whose: 'other',
  })),
  { kind: 'allergy', standing: 'denied' },
  { kind: 'allergy', standing: 'unclear', substance: 'penicillin', reaction: 'rash' },
  ...abouts
    .split(' ')
    .flatMap((about) =>
      ['agreed', 'declined', 'proposed'].map((standing) => ({ kind: 'decision', about, standing })),
    ),
].map((finding) => labelFinding(finding as unknown as Finding))

describe('what the service says in English, on a screen in Spanish', () => {
  it('has words for every part of every label', () => {
    const names = new Set(['', 'Sertraline 50 mg', 'penicillin', 'rash'])
    const parts = labels.flatMap((label) => label.split(/: |, |(Allergy to )|( \(not clear\))/))
    const unknown = parts.filter((part) => part !== undefined && !names.has(part) && !isKnown(part))
    expect([...new Set(unknown)]).toEqual([])
  })

  it('has words for what a clinician is refused, and why a magic edit is', () => {
    const sentences = [...shownFolders, ...editFiles].flatMap((path) => listRefusals(path))
    expect(sentences.length).toBeGreaterThan(50)
    expect(sentences.filter((sentence) => !isKnown(sentence))).toEqual([])
  })

  it('has a name for every severity', () => {
    const folder = new URL('../../instruments/', import.meta.url)
    const names = readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .flatMap((file) => {
        const { scoring } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as {
          scoring: { bandSets: { bands: { name: string }[] }[] }
        }
        return scoring.bandSets[0]?.bands.map(({ name }) => name) ?? []
      })
    expect(names.length).toBeGreaterThan(20)
    expect(names.filter((name) => !isKnown(name))).toEqual([])
  })

  it('has words for every reason why a session failed', () => {
    expect(Object.values(SESSION_FAILURES).filter((reason) => !isKnown(reason))).toEqual([])
  })
})
