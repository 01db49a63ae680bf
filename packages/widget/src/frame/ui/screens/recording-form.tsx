import type { NoteType, WidgetClient } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { FileRefusal, type NewRecording } from '../../engine/engine.js'
import { chooseLanguage, optionsOf } from '../chart/options-of.js'
import { formatName } from '../format.js'
import { attempt } from '../load.js'
import { Failure } from '../parts/failure.js'
import { Choice } from '../parts/field.js'
import { NoRecorder, RecordButton } from '../parts/record-button.js'
import { stayPut } from '../stay-put.js'
import { useTask } from '../task.js'
import { TypeInstead } from '../typing/type-instead.js'
import { useUi } from '../ui-context.js'
import { LazyFormPad } from '../work/lazy-work.js'
import { chooseNoteType, listNoteTypes } from '../templates/choose-note-types.js'
import { FileChoice, RefusedFile } from './file-choice.js'

/** Note type, microphone, the two ways to a recording, and typing or dictating instead. */
export function RecordingForm({ client }: { client: WidgetClient }) {
  const ui = useUi()
  const { engine, texts, getClinician, isCompact } = ui
  const { setup } = texts.value
  const clinician = getClinician()
  const options = optionsOf(engine, client.id)
  const chosen = useSignal<NoteType | null>(null)
  const deviceId = useSignal('')
  const chosenFile = useSignal<File | null>(null)
  const jotted = useSignal('')
  const template = useSignal('')
  const spoken = useSignal<string | null>(null)
  const { isBusy, failure, run } = useTask()
  useEffect(() => {
    // Before the first permission browsers tell no labels; the choice then holds the default alone.
    attempt(
      () => engine.recorder.refreshMicrophones(),
      () => {},
    )
  }, [])
  if (clinician === null) return null
  const noteType = chosen.value ?? chooseNoteType(clinician, options.noteOptions)
  // Unplugged since it was chosen: the default takes its place.
  const isThere = engine.recorder.microphones.value.some((device) => device.deviceId === deviceId.value)
  const language = chooseLanguage(clinician, spoken.value, options)
  const recording: NewRecording = {
    clientId: client.id,
    clientLabel: formatName(client),
    noteType,
    templateId: template.value,
    options: { ...options, language },
    ...(isThere ? { deviceId: deviceId.value } : {}),
  }
  const start = async (): Promise<void> => {
    const goOn = stayPut(ui)
    await engine.recorder.start(recording)
    if (!('recordingId' in engine.recorder.state.peek())) return
    // Written down before it was plain that it would be recorded: it goes on in the pad.
    if (jotted.value.trim() !== '') engine.recorder.jot(jotted.value)
    jotted.value = ''
    goOn({ name: 'recording' })
  }
  const late = { clientId: client.id, name: formatName(client) }
  const upload = (file: File, despiteDoubt = false): void => {
    const goOn = stayPut(ui)
    chosenFile.value = file
    run(async () => {
      const given = jotted.peek()
      const { sessionId } = await engine.recorder.uploadFile(
        { ...recording, jotted: given },
        file,
        despiteDoubt,
      )
      // What was typed meanwhile is for the next one.
      const now = jotted.peek()
      jotted.value = now.startsWith(given) ? now.slice(given.length).trimStart() : now
      goOn({ name: 'session', sessionId })
    }, late)
  }
  return (
    <div class="stack">
      <details class="setup" open={!isCompact.value}>
        <summary>{setup.options}</summary>
        <SetupFields
          types={listNoteTypes(clinician, options.noteOptions)}
          noteType={noteType}
          onNoteType={(next) => (chosen.value = next)}
          deviceId={isThere ? deviceId.value : ''}
          onDevice={(next) => (deviceId.value = next)}
        />
      </details>
      <NoRecorder />
      {failure instanceof FileRefusal ? (
        <RefusedFile
          refusal={failure}
          onFile={upload}
          onAnyway={() => chosenFile.value === null || upload(chosenFile.value, true)}
        />
      ) : (
        <Failure error={failure} />
      )}
      <div class="row">
        <RecordButton title={setup.start} isBusy={isBusy} onStart={() => run(start)} />
        {failure instanceof FileRefusal ? null : (
          <FileChoice title={setup.upload} isDisabled={isBusy} onFile={upload} />
        )}
        <TypeInstead clientId={client.id} />
      </div>
      <LazyFormPad
        clientId={client.id}
        text={jotted}
        noteType={noteType}
        value={template}
        language={language}
        spoken={spoken}
      />
    </div>
  )
}

interface SetupFieldsProps {
  types: readonly NoteType[]
  noteType: NoteType
  onNoteType: (noteType: NoteType) => void
  deviceId: string
  onDevice: (deviceId: string) => void
}

function SetupFields({ types, noteType, onNoteType, deviceId, onDevice }: SetupFieldsProps) {
  const { engine, texts } = useUi()
  const { setup, noteTypes } = texts.value
  const microphones = engine.recorder.microphones.value
    .filter((device) => device.deviceId !== '' && device.deviceId !== 'default')
    .map((device) => ({ value: device.deviceId, title: device.label }))
  return (
    <div class="fields">
      <Choice
        label={setup.noteType}
        value={noteType}
        choices={types.map((type) => ({ value: type, title: noteTypes[type] }))}
        onChange={(value) => onNoteType(types.find((type) => type === value) ?? noteType)}
      />
      <Choice
        label={setup.microphone}
        value={deviceId}
        choices={[{ value: '', title: setup.defaultMicrophone }, ...microphones]}
        onChange={onDevice}
      />
    </div>
  )
}
