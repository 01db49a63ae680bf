import { parentPort } from 'node:worker_threads'
import type { GoneItem } from '@casenote/contract'
import { compareNote } from '../ledger/compare-note.js'
import { findDropped } from '../ledger/find-dropped.js'
import { findGone } from '../ledger/find-gone.js'
import { readFindings } from '../reader/read-findings.js'
import type { DangerFinding, Finding } from '../reader/reading.js'
import { readTalk } from '../reader/talk/read-talk.js'
import { readForSigning } from '../signing/read-for-signing.js'
import { isUnknownLanguage } from '../text/is-unknown-language.js'
import { splitAccount } from '../text/split-account.js'
import { linkGoals } from '../writer/link-goals.js'
import { finishNote } from '../writer/prose/finish-note.js'
import { makeNamedFinder } from '../writer/prose/is-named.js'
import { placeDanger } from '../writer/prose/place-danger.js'
import { quoteNote } from '../writer/prose/quote-data.js'
import { takeEdit } from '../writer/prose/take-edit.js'
import { listUnmet } from '../writer/templates/list-unmet.js'
import { checkExactly } from './check-exactly.js'
import { unpackTask, type Account, type CheckerTask, type PackedTask } from './checker-messages.js'
import type { AccountRequest, DroppedRequest, HeardRequest, PackedGoneRequest } from './checker-requests.js'
import { judgeAgain } from './judge-again.js'
import { keepNote, recheckNote, unpackRecheck, unpackTalk } from './recheck-note.js'

/** The thread in which notes are checked: text of any length is read here, and nobody else waits for it. */

const port = parentPort
if (port === null) throw new Error('notes are checked in a thread')

const work = (task: CheckerTask): unknown => {
  switch (task.kind) {
    case 'check':
      return checkExactly(task.request)
    case 'recheck':
      return recheckNote(unpackRecheck(task.request))
    case 'again':
      return judgeAgain(task.request.sections, task.request)
    case 'gone':
      return findGoneIn(task.request)
    case 'keep':
      return keepNote(task.request)
    case 'account':
      return takeAccount(task.request)
    case 'quote':
      return quoteNote(task.request.note)
    case 'edit':
      return takeEdit(task.request)
    case 'dropped':
      return findDroppedIn(task.request)
    case 'finish':
      return finishNote(task.request)
    case 'place':
      return placeDanger(task.request)
    case 'signing':
      return readForSigning(task.request)
    case 'goals':
      return linkGoals(task.request)
    case 'unmet':
      return listUnmet(task.request)
    case 'danger':
      return findPlainDanger(task.request)
    default:
      return compareNote(task.request)
  }
}

const findGoneIn = ({ before, after, talk }: PackedGoneRequest): GoneItem[] => {
  if (talk === null) return findGone({ before, after, findings: [], transcript: [] })
  const { transcript, reading, names } = unpackTalk(talk)
  return findGone({ before, after, findings: reading?.findings ?? [], transcript, names })
}

/** By plain words alone: without the encoder's figures nothing is found in what says it otherwise, and no figure of speech is told apart. */
const findPlainDanger = ({ transcript }: HeardRequest): DangerFinding[] =>
  readFindings(readTalk(transcript), []).findings.filter((finding) => finding.kind === 'danger')

const takeAccount = ({ text, isKnown }: AccountRequest): Account => {
  const items = splitAccount(text)
  return { items, isUnknown: !isKnown && isUnknownLanguage(items.map(({ transcript }) => transcript)) }
}

const findDroppedIn = ({ before, after, instructions }: DroppedRequest): Finding[] => {
  const isNamed = makeNamedFinder(instructions)
  return findDropped(before, after)
    .map(({ finding }) => finding)
    .filter((finding) => !isNamed(finding))
}

port.on('message', (packed: PackedTask) => {
  let answer: unknown = null
  try {
    answer = work(unpackTask(packed))
  } catch {
    // What failed may quote the note; the caller only needs to know that there is no answer.
    answer = null
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
  port.postMessage(answer)
})
