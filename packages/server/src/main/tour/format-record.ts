import type { Mdm, NoteSection, ProgressNote, Transcript } from '@casenote/contract'
import { escapeControls, type Paint } from '../terminal/paint.js'

/** Every line begins with the number that evidence names. */
export const formatTranscript = ({ transcriptItems }: Transcript, paint: Paint): string[] =>
  transcriptItems.map(({ startTime, speaker, transcript }, index) => {
    const place = paint('dim', `[${index}]`.padStart(5) + ` ${formatClock(startTime)}`)
    return `${place}  ${speaker.padEnd(10)} ${escapeControls(transcript)}`
  })

export const formatNote = ({ note }: ProgressNote, paint: Paint): string[] =>
  note.flatMap((section) => [
    '',
    paint('bold', escapeControls(section.title)),
    ...citeEvidence(section, paint).split('\n'),
  ])

/** Puts behind each sentence the transcript lines that it rests on. */
function citeEvidence({ content, evidence }: NoteSection, paint: Paint): string {
  let cited = ''
  let rest = content
  for (const { sentence, transcriptItems, supported } of evidence) {
    const at = rest.indexOf(sentence)
    // Formatted otherwise than it was written: it stays, without its references.
    if (at === -1) continue
    const end = at + sentence.length
    const mark = supported ? cite(transcriptItems, paint) : paint('red', ' [not in transcript]')
    cited += `${escapeControls(rest.slice(0, end))}${mark}`
    rest = rest.slice(end)
  }
  return cited + escapeControls(rest)
}

export function formatMdm(mdm: Mdm, paint: Paint): string[] {
  const { problemsAddressed, riskOfComplications: risk } = mdm
  const crisis = mdm.crisisInterventionIdentified ? (mdm.crisisInterventionRationale ?? 'yes') : 'none'
  const format = (name: string, text: string, evidence: readonly number[]): string =>
    `${name.padEnd(9)}${escapeControls(text)}${cite(evidence, paint)}`
  return [
    ...problemsAddressed.map(({ problem, level, rationale, evidence }) =>
      format('problem', `${problem} (${level}): ${rationale}`, evidence),
    ),
    format('risk', `${risk.level}: ${risk.rationale}`, risk.evidence),
    format('crisis', crisis, mdm.crisisInterventionEvidence),
  ]
}

export const countWords = ({ note }: ProgressNote): number =>
  note.flatMap(({ content }) => content.split(/\s+/).filter((word) => word !== '')).length

const cite = (items: readonly number[], paint: Paint): string =>
  items.length === 0 ? '' : paint('dim', ` [${items.join(', ')}]`)

const formatClock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`

/** What was said and is not in the note, as the clinician sees it before signing. */
export const formatReview = ({ review }: ProgressNote): string[] =>
  review.length === 0
    ? []
    : [
        '',
        'Said, not written:',
        ...review.map(({ label, words }) => escapeControls(`- ${label}: “${words}”`)),
      ]
