import type { WidgetSession } from '@casenote/contract'
import { useEffect, useMemo } from 'preact/hooks'
import { fill } from '../../texts/fill.js'
import { formatName } from '../format.js'
import { Button } from '../parts/button.js'
import { Notice } from '../parts/notice.js'
import { useUi } from '../ui-context.js'
import { notify } from './notify.js'
import { hasFailed, watchForReady } from './ready-news.js'

/** Wherever the clinician is: what has become ready, or failed, with the way to it. */
export function ReadyNotices() {
  const ui = useUi()
  const { engine, texts, view, go, announce, begun } = ui
  const open = (sessionId: string): void => go({ name: 'session', sessionId })
  const news = useMemo(
    () =>
      watchForReady(engine, (session) => {
        const { ready, failed, body } = texts.peek().work.news
        const title = hasFailed(session) ? failed : ready
        announce(title)
        const { sessionId } = session
        notify({ title, body, sessionId }, () => open(sessionId))
      }),
    [engine],
  )
  useEffect(() => () => news.stop(), [news])
  useEffect(() => {
    if (begun.value > 0) news.look()
  }, [begun.value])
  const current = view.value
  const shown = current.name === 'session' ? current.sessionId : null
  useEffect(() => {
    if (shown !== null) news.dismiss(shown)
  }, [shown, news.ended.value])
  // Behind the cover it hears on, and names nobody.
  if (engine.auth.value.state === 'locked') return null
  return (
    <>
      {news.ended.value
        .filter(({ sessionId }) => sessionId !== shown)
        .map((session) => (
          <ReadyNotice
            key={session.sessionId}
            session={session}
            onOpen={() => open(session.sessionId)}
            onDismiss={() => news.dismiss(session.sessionId)}
          />
        ))}
    </>
  )
}

interface ReadyNoticeProps {
  session: WidgetSession
  onOpen: () => void
  onDismiss: () => void
}

function ReadyNotice({ session, onOpen, onDismiss }: ReadyNoticeProps) {
  const { engine, texts, view } = useUi()
  const { news, dismiss, open } = texts.value.work
  const isFailed = hasFailed(session)
  // Somebody else sits beside the clinician while they are recorded, whatever screen is shown meanwhile.
  const isAlone = view.value.name !== 'recording' && !('recordingId' in engine.recorder.state.value)
  const name = formatName(session.client)
  const title = isFailed ? news.failed : news.ready
  return (
    <Notice
      kind={isFailed ? 'warning' : 'good'}
      title={isAlone ? fill(isFailed ? news.failedOf : news.readyOf, { name }) : title}
      actions={
        <>
          <Button onClick={onOpen}>{open}</Button>
          <Button kind="quiet" onClick={onDismiss}>
            {dismiss}
          </Button>
        </>
      }
    />
  )
}
