import type { WidgetSession } from '@casenote/contract'
import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useId, useMemo, useRef } from 'preact/hooks'
import { EngineError } from '../../engine/engine.js'
import { toEngineError } from '../../engine/to-engine-error.js'
import { AssessmentsTab } from '../assessments/assessments-tab.js'
import { fill } from '../../texts/fill.js'
import { ChartNotice } from '../chart/chart-notice.js'
import { makeDangerList } from '../danger/danger-list.js'
import { DangerStrip } from '../danger/danger-strip.js'
import { formatName, formatTime } from '../format.js'
import { explain } from '../load.js'
import { HandCopies } from '../note/hand-copies.js'
import { NoteTab } from '../note/note-tab.js'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { nameLanguage } from '../parts/language-choice.js'
import { Notice } from '../parts/notice.js'
import { Pending } from '../parts/pending.js'
import { ScreenHeading } from '../parts/screen-heading.js'
import { TabList, TabPanel, type Tab } from '../parts/tabs.js'
import { SessionChip } from '../parts/session-chip.js'
import { useTask } from '../task.js'
import { useTexts, useUi } from '../ui-context.js'
import { useRefresh } from '../use-refresh.js'
import { makeClipPlayer } from '../open-session/clip-player.js'
import { ContextLeftOut } from './context-left-out.js'
import { CorrectedSession } from './corrected-session.js'
import { KeptPad } from './marked-moments.js'
import { MdmTab } from './mdm-tab.js'
import { OneVoice } from './one-voice.js'
import { SessionProvider, useSession, type ChosenSentence } from '../open-session/session-context.js'
import { makeSessionModel } from '../open-session/session-model.js'
import { SessionProgress } from './session-progress.js'
import { SummaryTab } from './summary-tab.js'
import { TranscriptTab } from './transcript-tab.js'
import { isChanged } from '../open-session/word-corrections.js'
import { WrongClient } from './wrong-client.js'

type TabKey = 'note' | 'transcript' | 'summary' | 'mdm' | 'assessments'

/** One session: its way to a note, then everything that came of it. */
export function SessionScreen({ sessionId }: { sessionId: string }) {
  const { engine, go, texts, begun } = useUi()
  const model = useMemo(() => makeSessionModel(engine, sessionId), [sessionId])
  const player = useMemo(() => makeClipPlayer(engine.api, model.path), [sessionId])
  const danger = useMemo(() => makeDangerList(engine.api, `${model.path}/danger`), [sessionId])
  const tab = useSignal<TabKey>('note')
  const asked = useSignal<{ lines: readonly number[]; from: string } | null>(null)
  const chosen = useSignal<ChosenSentence | null>(null)
  const leaving = useTask()
  const tellUnsaved = (error: unknown): never => {
    const { status } = toEngineError(error)
    throw new EngineError(`${texts.peek().save.failed}: ${explain(error, texts.peek())}`, status)
  }
  const returnTo = useRef<string | null>(null)
  useEffect(() => {
    model.open()
    return () => {
      player.stop()
      const { client } = model.session.peek() ?? {}
      leaving.run(
        () => model.close().catch(tellUnsaved),
        client === undefined ? undefined : { clientId: client.id, name: formatName(client) },
      )
    }
  }, [model])
  useSignalEffect(() => {
    // Nobody is there who could stop it.
    if (engine.auth.value.state === 'locked') player.pause()
  })
  useEffect(() => {
    if (returnTo.current !== null) document.querySelector<HTMLElement>(returnTo.current)?.focus()
    returnTo.current = null
  }, [tab.value])
  const open = (next: TabKey): void => {
    asked.value = null
    tab.value = next
  }
  const goBack = (): void => {
    returnTo.current = asked.value?.from ?? null
    open('note')
  }
  const showLines = (lines: readonly number[], from: string): void => {
    asked.value = { lines, from }
    tab.value = 'transcript'
  }
  const session = model.session.value
  // What was found comes before the note is written, and each text holds something else of it.
  const known = session === null ? null : `${session.note.etag} ${session.hasTranscript}`
  useEffect(() => {
    if (known !== null) void danger.load()
  }, [danger, known])
  useRefresh(() => danger.load())
  // Typed, moved or written anyway: no recording that was sent has told of it.
  const isOnItsWay = session !== null && ['preparing', 'transcribing', 'writing'].includes(session.stage)
  useEffect(() => {
    if (isOnItsWay) begun.value = begun.peek() + 1
  }, [isOnItsWay])
  if (session === null) {
    return (
      <section class="screen">
        <ScreenHeading title={texts.value.general.loading} onBack={() => go({ name: 'home' })} />
        {model.failure.value === null ? (
          <Pending lines={6} />
        ) : (
          <Failure error={model.failure.value} onRetry={model.open} />
        )}
      </section>
    )
  }
  return (
    <SessionProvider
      value={{
        model,
        player,
        danger,
        chosen,
        showLines,
        asked: asked.value === null ? null : { lines: asked.value.lines, goBack },
      }}
    >
      <OpenSessionScreen tab={tab.value} onTab={open} />
    </SessionProvider>
  )
}

interface OpenSessionScreenProps {
  tab: TabKey
  onTab: (tab: TabKey) => void
}

function OpenSessionScreen({ tab, onTab }: OpenSessionScreenProps) {
  const { tabs, chart } = useTexts()
  const { session, danger, showLines } = useSession()
  const id = useId()
  const isUnderWay = session.stage !== 'done'
  // Before anything was heard there is nothing to put into tabs.
  const hasTabs = !isUnderWay || session.hasTranscript
  return (
    <section class="screen">
      <div class="screen-top">
        <SessionHeading session={session} />
        {hasTabs ? (
          <TabList
            id={id}
            label={tabs.label}
            tabs={listTabs(session, tabs)}
            selected={tab}
            onSelect={onTab}
          />
        ) : null}
      </div>
      <ChartNotice clientId={session.client.id}>
        {fill(chart.session, { name: formatName(session.client) })}
      </ChartNotice>
      <CorrectedSession />
      <HandCopies />
      <DangerStrip list={danger} ofNote={{ sessionId: session.sessionId, showLines }} />
      <ContextLeftOut />
      <OneVoice />
      {hasTabs && tab !== 'transcript' ? <WaitingCorrection onOpen={() => onTab('transcript')} /> : null}
      {isUnderWay ? <SessionProgress /> : null}
      {session.stage === 'failed' && !hasTabs ? <KeptPad /> : null}
      {hasTabs ? (
        <TabPanel id={id} selected={tab}>
          {tab === 'note' ? <NoteTab /> : null}
          {tab === 'transcript' ? <TranscriptTab /> : null}
          {tab === 'summary' ? <SummaryTab /> : null}
          {tab === 'mdm' ? <MdmTab /> : null}
          {tab === 'assessments' ? <AssessmentsTab clientId={session.client.id} /> : null}
        </TabPanel>
      ) : null}
    </section>
  )
}

/** What was begun in the transcript and not saved is in sight wherever the clinician is. */
function WaitingCorrection({ onOpen }: { onOpen: () => void }) {
  const { correction, typing } = useTexts()
  const { model } = useSession()
  const draft = model.words.draft.value
  // Of a transcript that has fewer lines now, nothing can be gone on with.
  const isThere = draft !== null && model.transcript.value?.transcriptItems[draft.item] !== undefined
  if (!isThere || !isChanged(draft)) return null
  return (
    <Notice kind="info" icon="edit" actions={<Button onClick={onOpen}>{typing.goOn}</Button>}>
      {correction.waiting}
    </Notice>
  )
}

function SessionHeading({ session }: { session: WidgetSession }) {
  const { engine, texts, go } = useUi()
  const { locale, noteTypes } = texts.value
  const back = (): void => {
    const { clientId } = engine.selection.peek()
    go(clientId === session.client.id ? { name: 'client', clientId } : { name: 'home' })
  }
  return (
    <ScreenHeading
      title={formatName(session.client)}
      detail={
        <>
          {formatTime(locale, session.startedAt ?? session.createdAt)} · {noteTypes[session.noteType]}
          {session.language === null ? '' : ` · ${nameLanguage(locale, session.language)}`}{' '}
          <SessionChip session={session} />
        </>
      }
      beside={<WrongClient />}
      onBack={back}
      focusKey={session.sessionId}
    />
  )
}

function listTabs(session: WidgetSession, titles: Record<TabKey, string>): Tab<TabKey>[] {
  const keys: TabKey[] = [
    'note',
    'transcript',
    'summary',
    ...(session.hasMdm ? ['mdm' as const] : []),
    // A supervisor reads the session, and nothing else of the client.
    ...(session.isTreated ? ['assessments' as const] : []),
  ]
  return keys.map((key) => ({ key, title: titles[key] }))
}
