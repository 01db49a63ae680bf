import type { NoteTemplate } from '@casenote/contract'
import type { LedgerEntry } from '../../ledger/ledger.js'
import type { Finding } from '../../reader/reading.js'
import { placeJotted } from '../place-jotted.js'
import { templateOf } from '../templates/built-in-templates.js'
import { refuseForbidden } from '../templates/forbidden-words.js'
import { listKeys } from '../templates/note-template.js'
import { toNoteSections } from '../to-note-sections.js'
import type { DraftSection, JudgedSection, WritingEvent, WritingRequest } from '../writer-engine.js'
import { draftNote, estimateNotePrompt } from './draft-note.js'
import { findDanger } from './find-danger.js'
import { openSession } from './gather-material.js'
import { asUnjudged, backgroundOf, judgeSections } from './judge-sections.js'
import { requireAnswer, withFindings, type ProseParts, type Session } from './prose-parts.js'
import { askForRepair, keepUnrefused, listFaulty, mend } from './repair-note.js'

/**
 * The order of work, and what each stage may change:
 *
 * 1. draft: the model writes all sections; each is shown as it comes, judged by nobody yet.
 * 2. danger: the model is asked for danger alone; adds findings to the reader's, removes none, changes no text.
 * 3. judge: exact checks, then the model's verification; gives every sentence a judgement, changes no text.
 *    What a template forbids is refused here, too.
 * 4. ledger: compares the findings with the text; changes nothing.
 * 5. repair: one round. The model replaces or drops refused sentences and those that a finding contradicts, upholds a refused
 *    one in its words by naming the items that bear it out, and adds missing findings; no other sentence changes.
 * 6. judge again: only what the repair wrote.
 * 7. settle: a sentence that is still refused is left out if it is about danger, medicines or numbers, and the words that it
 *    rests on are quoted instead, or it is named for the clinician's list; else it stays, marked.
 * 8. not asked: what nobody asked or mentioned about danger is said to be so.
 * 9. jotted: what the clinician typed during the session stands behind it, as it is; the draft knew of it.
 *
 * So six kinds of questions at most: the draft, up to six rounds of it where its answers are cut short; danger; verification, in
 * batches of 40 sentences; one repair; verification of what it wrote; and before all of them, where the transcript does not fit,
 * its windows. An answer that cannot be used is asked for once more. What is missing in the end is listed for the clinician by
 * whoever keeps the note (pipeline/write-note.ts), by the same ledger.
 */
export async function* writeNote(
  parts: ProseParts,
  request: WritingRequest,
  signal: AbortSignal,
): AsyncGenerator<WritingEvent> {
  const { jotted } = request
  const template = templateOf(request)
  if (request.transcript.length === 0) {
    // A model that is given nothing makes something up.
    yield {
      kind: 'end',
      note: { sections: placeJotted(template, emptySections(template), jotted), findings: [] },
    }
    return
  }
  const session = {
    ...(await openSession(parts, request, estimateNotePrompt(request), signal)),
    ...backgroundOf(request),
  }
  const drafts: DraftSection[] = []
  for await (const section of draftNote(parts, session, request, signal)) {
    drafts.push(section)
    yield { kind: 'section', section: asUnjudged(await hideBackground(parts, session, section)) }
  }
  const findings = await findDanger(parts, session, signal)
  const known = withFindings(session, findings)
  const judged = await judgeSections(parts, known, drafts, [], signal)
  const mended = await repair(parts, known, { template, sections: judged, findings }, signal)
  const { transcript } = request
  const { sections: finished, leftOut } = requireAnswer(
    await parts.checker.finish({
      template,
      sections: mended,
      findings,
      transcript,
      edited: null,
      jotted: jotted ?? [],
      language: request.reading.language,
      ...backgroundOf(request),
    }),
  )
  yield {
    kind: 'end',
    note: { sections: finished, findings, leftOut },
    repair: {
      draftSentences: judged.flatMap(({ sentences }) => sentences).length,
      refusedBefore: countRefused(judged),
      refusedAfter: countRefused(mended),
      upheld: countUpheld(judged, mended),
    },
  }
}

/** A draft is shown as it comes: what rests on the background is not shown even so long. */
async function hideBackground(
  { checker }: ProseParts,
  session: Session,
  section: DraftSection,
): Promise<DraftSection> {
  if (session.background === undefined) return section
  const { transcript, reading, background } = session
  const [verdicts] =
    (await checker.checkExactly({ sections: [section], transcript, reading, background })) ?? []
  return {
    ...section,
    sentences: section.sentences.filter(
      (_, place) => verdicts !== undefined && verdicts[place]?.isBackground !== true,
    ),
  }
}

const countRefused = (sections: readonly JudgedSection[]): number =>
  sections.flatMap(({ sentences }) => sentences).filter(({ judgement }) => judgement === 'refused').length

const countUpheld = (before: readonly JudgedSection[], after: readonly JudgedSection[]): number => {
  const refused = new Set(
    before.flatMap(({ sentences }) =>
      sentences.flatMap(({ judgement, text }) => (judgement === 'refused' ? [text] : [])),
    ),
  )
  return after
    .flatMap(({ sentences }) => sentences)
    .filter(({ judgement, text }) => judgement !== 'refused' && refused.has(text)).length
}

const emptySections = (template: NoteTemplate): JudgedSection[] =>
  listKeys(template).map((key) => ({ key, layout: 'paragraph', sentences: [] }))

interface Repairable {
  template: NoteTemplate
  sections: JudgedSection[]
  findings: readonly Finding[]
  /** What else has to be put back; an edit names what it dropped. */
  dropped?: readonly Finding[]
}

/** Steps 4 to 6. A note without damage costs no question. */
export async function repair(
  parts: ProseParts,
  session: Session,
  { template, sections: given, findings, dropped }: Repairable,
  signal: AbortSignal,
): Promise<JudgedSection[]> {
  const sections = refuseForbidden(template, given)
  // Where nothing was said there is nothing to mend it by.
  if (session.transcript.length === 0) return sections
  const { entries } = await parts.checker.compare({
    sections: toNoteSections(template, sections),
    findings,
    transcript: session.transcript,
  })
  const droppedIds = dropped === undefined ? null : new Set(dropped.map(({ id }) => id))
  const isDropped = ({ finding }: LedgerEntry): boolean => droppedIds?.has(finding.id) ?? true
  const missing = entries.filter((entry) => isWorthRepair(entry) && isDropped(entry))
  const faulty = listFaulty(sections, missing)
  if (faulty.length === 0 && missing.length === 0) return sections
  const mending = await askForRepair(parts, session, template, sections, { faulty, missing }, signal)
  if (mending === null) return sections
  const judged = await judgeSections(parts, session, mend(sections, mending), sections, signal)
  return refuseForbidden(template, keepUnrefused(judged, mending))
}

/** What is only suspected is the clinician's to judge; a rating or a proposal that a note leaves out is no loss. */
const isWorthRepair = ({ finding, state }: LedgerEntry): boolean => {
  if (state === 'stated') return false
  if (finding.kind === 'danger') return finding.certainty === 'plain'
  if (finding.kind === 'medicine') return finding.whose === 'client' && finding.status !== 'mentioned'
  if (finding.kind === 'decision') return finding.about !== 'other' && finding.standing !== 'proposed'
  return finding.kind === 'allergy' || state === 'contradicted'
}
