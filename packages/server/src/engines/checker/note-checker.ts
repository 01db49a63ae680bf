import type { GoneItem, NoteSection, ReviewItem } from '@casenote/contract'
import { startingModule } from '../../kernel/own-files.js'
import type { GoalLinks } from '../background.js'
import { withoutComparison } from '../ledger/compare-note.js'
import type { Ledger, LedgerRequest } from '../ledger/ledger.js'
import type { DangerFinding, Finding } from '../reader/reading.js'
import type { SigningReading, SigningRequest } from '../signing/read-for-signing.js'
import {
  packTask,
  type Account,
  type Asked,
  type CheckerTask,
  type ExactVerdict,
  type Rechecked,
  type TaskKind,
  type Told,
} from './checker-messages.js'
import { makeThreadPool } from '../thread-pool.js'
import type { Verdict } from '../writer/prose/ask-for-json.js'
import type { FinishRequest } from '../writer/prose/finish-note.js'
import type { PlaceDangerRequest } from '../writer/prose/place-danger.js'
import type { Settled } from '../writer/prose/settle-refused.js'
import type { TakeEditRequest, TakenEdit } from '../writer/prose/take-edit.js'
import type { LinkGoalsRequest } from '../writer/link-goals.js'
import { hasMust, type UnmetRequest } from '../writer/templates/list-unmet.js'
import type {
  AccountRequest,
  DroppedRequest,
  ExactCheckRequest,
  HeardRequest,
  JudgeAgainRequest,
  PackedGoneRequest,
  PackedRecheckRequest,
  RecheckRequest,
} from './checker-requests.js'

/** Text work of any length, off the caller's thread, each call under its own deadline. Owners take turns. */
export interface NoteChecker {
  /** One verdict for each sentence of each section. Null: no answer, and what was not checked is not to be called so. */
  checkExactly(request: ExactCheckRequest, owner?: string): Promise<ExactVerdict[][] | null>
  /**
   * After a person changed the text: what stayed keeps its judgement, what is new is theirs, unless it contradicts. Where that could not
   * be compared, what is new is theirs, and nothing counts as stated. Null: no thread answered, and whoever sent it sends it again.
   */
  recheck(request: RecheckRequest | PackedRecheckRequest, owner?: string): Promise<Rechecked | null>
  /** What its template wants a note to say, and it does not (`listUnmet`). Null: no answer. */
  listUnmet(request: UnmetRequest, owner?: string): Promise<ReviewItem[] | null>
  /** After words of the transcript were put right (`judgeAgain`). Null: no answer, and what was judged stands. */
  judgeAgain(request: JudgeAgainRequest, owner?: string): Promise<Rechecked | null>
  compare(request: LedgerRequest, owner?: string): Promise<Ledger>
  /** What one text of a note said and another does not (`findGone`). Null: no answer, so nobody knows. */
  findGone(request: PackedGoneRequest, owner?: string): Promise<GoneItem[] | null>
  /** A typed text as a transcript (`splitAccount`), and whether it can be read. Null: no answer. */
  takeAccount(request: AccountRequest, owner?: string): Promise<Account | null>
  /** What plain words say about danger in lines that nobody has read yet. Null: no answer. */
  findPlainDanger(request: HeardRequest, owner?: string): Promise<DangerFinding[] | null>
  /** A note for a model's prompt (`quoteNote`). Null, here and below: no answer. */
  quote(note: readonly NoteSection[], owner?: string): Promise<string | null>
  /** What a model answered to a magic edit (`takeEdit`). */
  takeEdit(request: TakeEditRequest, owner?: string): Promise<Verdict<TakenEdit> | null>
  /** What an edit dropped although nobody asked for that (`findDropped`). */
  findDropped(request: DroppedRequest, owner?: string): Promise<Finding[] | null>
  /** The last steps of a note that a model wrote (`finishNote`). */
  finish(request: FinishRequest, owner?: string): Promise<Settled | null>
  /** Where it was said what a model found (`placeDanger`). */
  placeDanger(request: PlaceDangerRequest, owner?: string): Promise<DangerFinding[] | null>
  /** What the text says about itself before it is signed (`readForSigning`). */
  readForSigning(request: SigningRequest, owner?: string): Promise<SigningReading | null>
  /** Which sentences share their words with which goal (`linkGoals`). */
  linkGoals(request: LinkGoalsRequest, owner?: string): Promise<GoalLinks[] | null>
  close(): Promise<void>
}

const threadFile = startingModule('engines/checker/note-checker-thread.js')

export interface NoteCheckerOptions {
  /** Two for one owner, and one for the others while both of these are busy; more take the cores from speech. */
  threads?: number
  /** A note of the greatest length against three hours of talk takes under 5 s here; longer is a thread in trouble. */
  answerWithinMs?: number
  threadFile?: URL
}

/** Without an answer nothing is called borne out, and nothing counts as stated. */
export const makeNoteChecker = ({
  threads = 3,
  answerWithinMs = 10_000,
  threadFile: file = threadFile,
}: NoteCheckerOptions = {}): NoteChecker => {
  // Each waiting call holds its note and transcript in memory; a hundred of the largest are 500 MB.
  const pool = makeThreadPool({ file, threads, answerWithinMs, waitingMax: 100, memoryMb: 256 })
  const askIn = async <Kind extends TaskKind>(
    threadPool: typeof pool,
    kind: Kind,
    request: Asked<Kind>,
    owner = everyone,
  ): Promise<Told<Kind> | null> =>
    // A thread answers a task of a kind with what `Tasks` says of that kind.
    (await threadPool.ask(packTask({ kind, request } as CheckerTask), owner)) as Told<Kind> | null
  const ask = <Kind extends TaskKind>(kind: Kind, request: Asked<Kind>, owner?: string) =>
    askIn(pool, kind, request, owner)
  // A thread of its own: a note whose comparison was given up is kept by it, and must not wait behind the comparisons that are slow.
  const keeping = makeThreadPool({
    file,
    threads: 1,
    answerWithinMs: keptWithinMs,
    waitingMax: 100,
    memoryMb: 256,
  })
  const keep = (request: Asked<'keep'>, owner?: string) => askIn(keeping, 'keep', request, owner)
  return {
    checkExactly: (request, owner) => ask('check', request, owner),
    recheck: async (request, owner) =>
      (await ask('recheck', request, owner)) ??
      keep(
        {
          sections: request.sections,
          reading: 'talk' in request ? request.talk.reading : request.reading,
          names: ('talk' in request ? request.talk.names : request.names) ?? [],
        },
        owner,
      ),
    listUnmet: async (request, owner) => (hasMust(request.template) ? ask('unmet', request, owner) : []),
    judgeAgain: (request, owner) => ask('again', request, owner),
    compare: async (request, owner) =>
      (await ask('compare', request, owner)) ?? withoutComparison(request.findings, request.names),
    findGone: (request, owner) => ask('gone', request, owner),
    takeAccount: (request, owner) => ask('account', request, owner),
    findPlainDanger: (request, owner) => ask('danger', request, owner),
    quote: (note, owner) => ask('quote', { note }, owner),
    takeEdit: (request, owner) => ask('edit', request, owner),
    findDropped: (request, owner) => ask('dropped', request, owner),
    finish: (request, owner) => ask('finish', request, owner),
    placeDanger: (request, owner) => ask('place', request, owner),
    readForSigning: (request, owner) => ask('signing', request, owner),
    linkGoals: (request, owner) => ask('goals', request, owner),
    close: async () => {
      await Promise.all([pool.close(), keeping.close()])
    },
  }
}

/** One checker, asked by a caller who does not know whose turn it is. */
export const inTurnOf = (checker: NoteChecker, owner: string): NoteChecker => ({
  checkExactly: (request) => checker.checkExactly(request, owner),
  recheck: (request) => checker.recheck(request, owner),
  listUnmet: (request) => checker.listUnmet(request, owner),
  judgeAgain: (request) => checker.judgeAgain(request, owner),
  compare: (request) => checker.compare(request, owner),
  findGone: (request) => checker.findGone(request, owner),
  takeAccount: (request) => checker.takeAccount(request, owner),
  findPlainDanger: (request) => checker.findPlainDanger(request, owner),
  quote: (note) => checker.quote(note, owner),
  takeEdit: (request) => checker.takeEdit(request, owner),
  findDropped: (request) => checker.findDropped(request, owner),
  finish: (request) => checker.finish(request, owner),
  placeDanger: (request) => checker.placeDanger(request, owner),
  readForSigning: (request) => checker.readForSigning(request, owner),
  linkGoals: (request) => checker.linkGoals(request, owner),
  close: () => checker.close(),
})

/** The tenant of whoever names none: evaluations, and tests. */
const everyone = ''

/** Nothing is looked up: milliseconds, and some for hours of talk. */
const keptWithinMs = 10_000
