import type { NoteType, WidgetClient } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { fill } from '../../texts/fill.js'
import { ChartNotice } from '../chart/chart-notice.js'
import { chooseLanguage, optionsOf } from '../chart/options-of.js'
import { formatDate, formatName } from '../format.js'
import { attempt } from '../load.js'
import { Failure } from '../parts/failure.js'
import { Choice } from '../parts/field.js'
import { LanguageChoice } from '../parts/language-choice.js'
import { NoRecorder, RecordButton } from '../parts/record-button.js'
import { ScreenHeading } from '../parts/screen-heading.js'
import { stayPut } from '../stay-put.js'
import { useTask } from '../task.js'
import { chooseNoteType, listNoteTypes } from '../templates/choose-note-types.js'
import { Templates } from '../templates/templates.js'
import { useUi } from '../ui-context.js'

/** What happened is told afterwards by the clinician, who alone is heard. */
export function Dictating({ client }: { client: WidgetClient }) {
  const ui = useUi()
  const { engine, texts, getClinician } = ui
  const { dictating, general, locale, setup, noteTypes, chart } = texts.value
  const chosen = useSignal<NoteType | null>(null)
  const deviceId = useSignal('')
  const template = useSignal('')
  const spoken = useSignal<string | null>(null)
  const { isBusy, failure, run } = useTask()
  useEffect(() => {
    attempt(
      () => engine.recorder.refreshMicrophones(),
      () => {},
    )
  }, [])
  const clinician = getClinician()
  if (clinician === null) return null
  const options = optionsOf(engine, client.id)
  const noteType = chosen.value ?? chooseNoteType(clinician, options.noteOptions)
  // What is spoken in the session says nothing about what the clinician dictates in.
  const language = chooseLanguage(clinician, spoken.value, {})
  const types = listNoteTypes(clinician, options.noteOptions)
  const devices = engine.recorder.microphones.value
  // Unplugged since it was chosen: the default takes its place.
  const device = devices.find((one) => one.deviceId === deviceId.value)
  const microphones = devices
    .filter((one) => one.deviceId !== '' && one.deviceId !== 'default')
    .map((one) => ({ value: one.deviceId, title: one.label }))
  const start = async (): Promise<void> => {
    const goOn = stayPut(ui)
    await engine.recorder.start({
      clientId: client.id,
      clientLabel: formatName(client),
      noteType,
      templateId: template.value,
      options: { ...options, language },
      isDictated: true,
      ...(device === undefined ? {} : { deviceId: device.deviceId }),
    })
    if ('recordingId' in engine.recorder.state.peek()) goOn({ name: 'recording' })
  }
  return (
    <section class="screen">
      <ScreenHeading
        title={formatName(client)}
        detail={fill(general.born, { date: formatDate(locale, client.dateOfBirth) })}
        onBack={() => engine.select(client.id)}
        focusKey={`dictating/${client.id}`}
      />
      <ChartNotice clientId={client.id}>{fill(chart.here, { name: formatName(client) })}</ChartNotice>
      <div class="card stack">
        <h2>{dictating.title}</h2>
        <p>
          <strong>{dictating.only}</strong>
        </p>
        <p class="muted">{dictating.lead}</p>
        <Choice
          label={setup.noteType}
          value={noteType}
          choices={types.map((type) => ({ value: type, title: noteTypes[type] }))}
          onChange={(value) => (chosen.value = types.find((type) => type === value) ?? noteType)}
        />
        <Choice
          label={setup.microphone}
          value={device?.deviceId ?? ''}
          choices={[{ value: '', title: setup.defaultMicrophone }, ...microphones]}
          onChange={(value) => (deviceId.value = value)}
        />
        <LanguageChoice
          label={dictating.language}
          value={language}
          onChange={(next) => (spoken.value = next)}
          instead={setup.inEnglish}
        />
        <Templates noteType={noteType} value={template} />
        <NoRecorder />
        <Failure error={failure} />
        <div class="row">
          <RecordButton title={dictating.start} isBusy={isBusy} onStart={() => run(start)} />
        </div>
      </div>
    </section>
  )
}
