import {
  sessionTextLengthMax,
  type NoteType,
  type WidgetClient,
  type WidgetSessionText,
} from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useEffect, useId, useMemo } from 'preact/hooks'
import { sendWithContext } from '../../engine/send-context.js'
import { fill, fillCount } from '../../texts/fill.js'
import { ChartNotice } from '../chart/chart-notice.js'
import { chooseLanguage, optionsOf } from '../chart/options-of.js'
import { formatDate, formatName } from '../format.js'
import { useLoad } from '../load.js'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { Choice } from '../parts/field.js'
import { LanguageChoice } from '../parts/language-choice.js'
import { Notice } from '../parts/notice.js'
import { PendingScreen } from '../parts/pending-screen.js'
import { ScreenHeading } from '../parts/screen-heading.js'
import { chooseNoteType, listNoteTypes } from '../templates/choose-note-types.js'
import { stayPut } from '../stay-put.js'
import { useTask } from '../task.js'
import { Templates } from '../templates/templates.js'
import { useUi } from '../ui-context.js'
import { Dictating } from './dictating.js'
import { makeTypedDraft } from './typed-draft.js'

/** Where the session is not recorded: what happened, in the clinician's own words. */
interface TypingProps {
  clientId: string
  fromSessionId?: string
  isDictated?: boolean
}

export function TypingScreen({ clientId, fromSessionId, isDictated }: TypingProps) {
  const { engine } = useUi()
  const client = useLoad(
    () => engine.api.get<WidgetClient>(`/clients/${encodeURIComponent(clientId)}`),
    [clientId],
  )
  const result = client.result.value
  if (result.state === 'loaded' && isDictated === true) return <Dictating client={result.value} />
  if (result.state === 'loaded')
    return <Typing client={result.value} {...(fromSessionId === undefined ? {} : { fromSessionId })} />
  if (result.state === 'loading') return <PendingScreen />
  return <Failure error={result.error} onRetry={client.again} />
}

function Typing({ client, fromSessionId }: { client: WidgetClient; fromSessionId?: string }) {
  const ui = useUi()
  const { engine, texts, announce, getClinician } = ui
  const { typing, general, locale, setup, noteTypes, chart } = texts.value
  const id = useId()
  const draft = useMemo(() => makeTypedDraft(engine, client.id), [client.id])
  useEffect(() => draft.close, [draft])
  const earlier = useLoad(async () => {
    if (fromSessionId === undefined) return
    const { text } = await engine.api.get<WidgetSessionText>(`/sessions/${fromSessionId}/text`)
    if (text !== null) await draft.add(text)
  }, [draft, fromSessionId])
  const taken = earlier.result.value
  const chosen = useSignal<NoteType | null>(null)
  const template = useSignal('')
  const written = useSignal<string | null>(null)
  const task = useTask()
  const clinician = getClinician()
  if (clinician === null) return null
  const options = optionsOf(engine, client.id)
  const noteType = chosen.value ?? chooseNoteType(clinician, options.noteOptions)
  const types = listNoteTypes(clinician, options.noteOptions)
  // What is spoken in the session says nothing about what the clinician writes in.
  const language = chooseLanguage(clinician, written.value, {})
  const length = Array.from(draft.text.value.trim()).length
  const tooMany = length - sessionTextLengthMax
  const send = async (): Promise<void> => {
    const goOn = stayPut(ui)
    const { sessionExternalId = null, sessionSetting = null, noteOptions } = options
    const { sessionId } = await sendWithContext(
      options.context ?? null,
      (given) =>
        draft.send({
          noteType,
          templateId: template.value,
          sessionExternalId,
          sessionSetting,
          language: language || null,
          sessionType: noteOptions?.sessionType ?? null,
          treatmentApproaches: noteOptions?.treatmentApproaches ?? [],
          startedAt: null,
          ...given,
        }),
      (event, detail) => engine.raise(event, detail),
    )
    announce(typing.sent)
    goOn({ name: 'session', sessionId })
  }
  return (
    <section class="screen">
      <ScreenHeading
        title={formatName(client)}
        detail={fill(general.born, { date: formatDate(locale, client.dateOfBirth) })}
        onBack={() => engine.select(client.id)}
        focusKey={`typing/${client.id}`}
      />
      <ChartNotice clientId={client.id}>{fill(chart.here, { name: formatName(client) })}</ChartNotice>
      <form
        class="card stack typing"
        onSubmit={(event) => {
          event.preventDefault()
          if (length > 0 && tooMany <= 0) task.run(send)
        }}
      >
        <h2>
          <label for={id}>{typing.title}</label>
        </h2>
        <p class="muted" id={`${id}-lead`}>
          {typing.lead}
        </p>
        <textarea
          id={id}
          class="account"
          rows={10}
          aria-describedby={`${id}-lead ${id}-room`}
          value={draft.text.value}
          onInput={(event) => draft.write(event.currentTarget.value)}
        />
        <p class="muted detail" id={`${id}-room`} role={tooMany > 0 ? 'alert' : undefined}>
          {tooMany > 0
            ? fillCount(texts.value, typing.tooLong, tooMany)
            : `${fill(typing.room, {
                count: length.toLocaleString(locale),
                most: sessionTextLengthMax.toLocaleString(locale),
              })} ${draft.isKept.value ? typing.kept : ''}`}
        </p>
        {draft.isKept.value ? null : (
          <Notice kind="warning" role="alert">
            {typing.notKept}
          </Notice>
        )}
        <Choice
          label={setup.noteType}
          value={noteType}
          choices={types.map((type) => ({ value: type, title: noteTypes[type] }))}
          onChange={(value) => (chosen.value = types.find((type) => type === value) ?? noteType)}
        />
        <LanguageChoice
          label={typing.language}
          value={language}
          onChange={(next) => (written.value = next)}
          instead={setup.inEnglish}
        />
        <Templates noteType={noteType} value={template} />
        {taken.state === 'failed' ? <Failure error={taken.error} onRetry={earlier.again} /> : null}
        <Failure error={task.failure} />
        <div class="row">
          <Button
            type="submit"
            kind="primary"
            icon="check"
            isBusy={task.isBusy}
            isDisabled={length === 0 || tooMany > 0}
          >
            {typing.send}
          </Button>
        </div>
      </form>
    </section>
  )
}
