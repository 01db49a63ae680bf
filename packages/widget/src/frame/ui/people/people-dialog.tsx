import type { SpeakerRole, SpeakersChange, Transcript } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { fill } from '../../texts/fill.js'
import { ConfirmDialog } from '../parts/confirm-dialog.js'
import { Choice, Field } from '../parts/field.js'
import { recordLanguage } from '../record-language.js'
import { useSession } from '../open-session/session-context.js'
import { listSamples } from '../open-session/speaker-name.js'
import { useUi } from '../ui-context.js'

interface PeopleDialogProps {
  transcript: Transcript
  onClose: () => void
  onSaved: () => void
}

interface Draft {
  name: string
  role: SpeakerRole | ''
}

const isLabel = (speaker: string): speaker is 'client' | 'clinician' =>
  speaker === 'client' || speaker === 'clinician'

/** Who each voice is, where more than two are heard: a name and who that is to the client. */
export function PeopleDialog({ transcript, onClose, onSaved }: PeopleDialogProps) {
  const { engine, texts, announce } = useUi()
  const { model } = useSession()
  const words = texts.value.speakers
  const speakers = transcript.speakers ?? []
  const samples = listSamples(transcript.transcriptItems, ({ voice }) => voice)
  const drafts = useSignal<ReadonlyMap<number, Draft>>(
    new Map(
      speakers.map(({ voice, speaker, name, role }) => [
        voice,
        { name: name ?? '', role: role ?? (isLabel(speaker) ? speaker : '') },
      ]),
    ),
  )
  const changed = speakers.flatMap(({ voice, speaker, name, role }): SpeakersChange['speakers'] => {
    const draft = drafts.value.get(voice)
    if (draft === undefined) return []
    const now = { name: draft.name.trim() || null, role: draft.role || null }
    const isSame = now.name === name && now.role === (role ?? (isLabel(speaker) ? speaker : null))
    return isSame ? [] : [{ voice, ...now }]
  })
  const save = async (): Promise<void> => {
    const body: SpeakersChange = { speakers: changed }
    model.setTranscript(await engine.api.send<Transcript>('PATCH', `${model.path}/speakers`, body))
    announce(words.saved)
    onSaved()
  }
  const set = (voice: number, change: Partial<Draft>): void => {
    const draft = drafts.peek().get(voice) ?? { name: '', role: '' }
    drafts.value = new Map([...drafts.peek(), [voice, { ...draft, ...change }]])
  }
  return (
    <ConfirmDialog
      title={words.title}
      action={words.save}
      icon="check"
      isDisabled={changed.length === 0}
      work={save}
      onClose={onClose}
    >
      <p class="muted">{words.namesLead}</p>
      {speakers.map(({ voice, speaker }) => (
        <fieldset key={voice} class="stack tight">
          <legend>{fill(words.voiceNumber, { number: voice })}</legend>
          <p class="muted detail quote" lang={recordLanguage}>
            “{samples.get(voice)}”
          </p>
          <Choice
            label={words.role}
            value={drafts.value.get(voice)?.role ?? ''}
            choices={[
              // Who was taken for one of the two is that or another person.
              ...(isLabel(speaker) ? [] : [{ value: '', title: words.unknown }]),
              ...Object.entries(words.roles).map(([value, title]) => ({ value, title })),
            ]}
            onChange={(role) => set(voice, { role: role as Draft['role'] })}
          />
          <NameField value={drafts.value.get(voice)?.name ?? ''} onInput={(name) => set(voice, { name })} />
        </fieldset>
      ))}
    </ConfirmDialog>
  )
}

function NameField({ value, onInput }: { value: string; onInput: (name: string) => void }) {
  const id = useId()
  const { texts } = useUi()
  return (
    <Field label={texts.value.speakers.name} id={id}>
      <input
        id={id}
        type="text"
        maxLength={80}
        autocomplete="off"
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </Field>
  )
}

/** It is opened from there, and so loaded before: `loaded-later.ts` says why it is named here. */
export * from '../loaded-later.js'
export { SpeakersDialog } from './speakers-dialog.js'
