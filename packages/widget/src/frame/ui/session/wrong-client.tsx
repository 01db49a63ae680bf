import type { WidgetSession } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { Later } from '../parts/later.js'
import { useUi } from '../ui-context.js'
import { useSession } from '../open-session/session-context.js'

/** A part of its own: most sessions are of whom they were recorded for. */
const load = () => import('./wrong-client-dialog.js')

/** Until it is signed, also where a co-signature is yet to come, and once all of the recording is there. */
const canBePutRight = (session: WidgetSession): boolean =>
  !['recording', 'uploading'].includes(session.stage) &&
  (session.stage !== 'failed' || isLeft(session)) &&
  session.note.status !== 'finalized' &&
  session.note.awaited === null

/** One that failed may be all that there is of a session; not where another one has its recording or text. */
const isLeft = ({ hasAudio, source, isWithdrawn, triedAgainAs }: WidgetSession): boolean =>
  (hasAudio || source === 'typed') && !isWithdrawn && triedAgainAs === null

/** The way out when a session was recorded under somebody else's name; for the clinician whose session it is. */
export function WrongClient() {
  const { texts, getClinician } = useUi()
  const { session } = useSession()
  const isOpen = useSignal(false)
  const isOffered = session.clinicianId === getClinician()?.id && canBePutRight(session)
  return (
    <>
      {isOffered ? (
        <button type="button" class="link" onClick={() => (isOpen.value = true)}>
          {texts.value.wrongClient.link}
        </button>
      ) : null}
      {isOpen.value ? (
        <Later
          load={load}
          pending={null}
          show={({ WrongClientDialog }) => <WrongClientDialog onClose={() => (isOpen.value = false)} />}
        />
      ) : null}
    </>
  )
}

/** What was copied of a withdrawn session, for its own clinician: the answer that named it may never have come. */
export const LazyCopies = (of: { sessionId: string }) => (
  <Later load={load} show={({ CopiesToTakeOut }) => <CopiesToTakeOut {...of} />} />
)
