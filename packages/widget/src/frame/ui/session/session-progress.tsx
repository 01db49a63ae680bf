import type { WidgetSession, WidgetStage } from '@casenote/contract'
import { useEffect } from 'preact/hooks'
import { fill } from '../../texts/fill.js'
import type { Texts } from '../../texts/texts.js'
import type { Engine } from '../../engine/engine.js'
import { toPercent } from '../format.js'
import { Bar } from '../parts/bar.js'
import { Button } from '../parts/button.js'
import { Icon } from '../parts/icon.js'
import { Notice } from '../parts/notice.js'
import { useUi } from '../ui-context.js'
import { FailedSession } from './failed-session.js'
import { SendingTrouble } from './sending-trouble.js'
import { LazyCopies } from './wrong-client.js'
import { useSession } from '../open-session/session-context.js'

const steps = ['uploading', 'preparing', 'transcribing', 'writing'] as const satisfies WidgetStage[]

/** What was typed is neither uploaded nor heard. */
const stepsOf = ({ source }: WidgetSession): readonly (typeof steps)[number][] =>
  source === 'typed' ? ['preparing', 'writing'] : steps

function wordStep(
  { steps: usual, typedSteps, dictatedSteps }: Texts['progress'],
  step: (typeof steps)[number],
  { source }: WidgetSession,
): { title: string; body: string } {
  if (source === 'typed') return typedSteps[step === 'writing' ? 'writing' : 'preparing']
  const isOther = source === 'dictated' && (step === 'transcribing' || step === 'writing')
  return isOther ? { ...usual[step], body: dictatedSteps[step] } : usual[step]
}

interface StepProps {
  step: (typeof steps)[number]
  session: WidgetSession
  share: number | null
}

/** What happens to the recording now, what happened, and what is still to come. */
export function SessionProgress() {
  const { engine, texts, announce, go } = useUi()
  const { session } = useSession()
  const { progress, sessions, general, wrongClient } = texts.value
  useEffect(() => {
    announce(session.stage === 'failed' ? progress.failedTitle : sessions.stage[session.stage])
  }, [session.stage])
  const { sessionId, isWithdrawn, correctedBy } = session
  if (isWithdrawn) {
    return (
      <Notice
        kind="info"
        title={wrongClient.withdrawnTitle}
        actions={
          correctedBy === null ? undefined : (
            <Button onClick={() => go({ name: 'session', sessionId: correctedBy })}>
              {wrongClient.openNew}
            </Button>
          )
        }
      >
        <p>{wrongClient.withdrawn}</p>
        {correctedBy === null ? <p>{wrongClient.notYours}</p> : null}
        <LazyCopies sessionId={sessionId} />
      </Notice>
    )
  }
  if (session.stage === 'failed') return <FailedSession />
  if (session.stage === 'recording') {
    return (
      <Notice
        kind="info"
        actions={<Button onClick={() => engine.select(session.client.id)}>{general.back}</Button>}
      >
        {progress.waitingForRecording}
      </Notice>
    )
  }
  return (
    <section class="card stack">
      <h2>{progress.title}</h2>
      <ol class="steps">
        {stepsOf(session).map((step) => (
          <Step key={step} step={step} session={session} share={shareOf(step, session, engine)} />
        ))}
      </ol>
      <SendingTrouble sessionId={session.sessionId} />
      <p class="muted detail">{progress.leave}</p>
    </section>
  )
}

function Step({ step, session, share }: StepProps) {
  const { progress } = useUi().texts.value
  const { title, body } = wordStep(progress, step, session)
  const order: readonly WidgetStage[] = steps
  const difference = order.indexOf(session.stage) - order.indexOf(step)
  const state = difference > 0 ? 'past' : difference === 0 ? 'now' : 'next'
  return (
    <li class="step" data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
      <span class="step-mark" aria-hidden="true">
        {state === 'past' ? <Icon name="check" /> : null}
      </span>
      <div class="grow">
        <p class="step-title">
          {title}
          {state === 'now' && share !== null ? (
            <span class="muted"> {fill(progress.percent, { percent: toPercent(share) })}</span>
          ) : null}
        </p>
        {state === 'now' ? (
          <>
            <p class="muted detail">{body}</p>
            <Bar label={title} share={share} />
          </>
        ) : null}
      </div>
    </li>
  )
}

/** Of an upload from this device we know more than the service does. */
function shareOf(step: WidgetStage, session: WidgetSession, engine: Engine): number | null {
  const upload = engine.recorder.sending.value.find(({ sessionId }) => sessionId === session.sessionId)
  if (step !== 'uploading' || upload === undefined || upload.recordedBytes === 0) return session.stageProgress
  return upload.uploadedBytes / upload.recordedBytes
}
