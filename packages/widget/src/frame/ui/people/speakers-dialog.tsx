import type { Transcript, TranscriptPatch } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { fill } from '../../texts/fill.js'
import { Button } from '../parts/button.js'
import { ConfirmDialog } from '../parts/confirm-dialog.js'
import { Choice } from '../parts/field.js'
import { useUi } from '../ui-context.js'
import { useSession } from '../open-session/session-context.js'
import { listSpeakers, nameSpeaker } from '../open-session/speaker-name.js'

interface SpeakersDialogProps {
  transcript: Transcript
  onClose: () => void
  onSaved: () => void
}

const swapped: Record<string, string> = { clinician: 'client', client: 'clinician' }

export function SpeakersDialog({ transcript, onClose, onSaved }: SpeakersDialogProps) {
  const { engine, texts, announce } = useUi()
  const { model } = useSession()
  const words = texts.value.speakers
  const voices = listSpeakers(transcript.transcriptItems)
  const chosen = useSignal(new Map(voices.map(({ label }) => [label, label])))
  const labels = [...new Set(['clinician', 'client', ...voices.map(({ label }) => label)])]
  const changes = [...chosen.value].filter(([label, next]) => label !== next)
  const save = async (): Promise<void> => {
    const patch: TranscriptPatch = { speakers: Object.fromEntries(changes) }
    model.setTranscript(await engine.api.send<Transcript>('PATCH', `${model.path}/transcript`, patch))
    announce(words.saved)
    onSaved()
  }
  const swap = (): void => {
    chosen.value = new Map([...chosen.value].map(([label, next]) => [label, swapped[next] ?? next]))
  }
  return (
    <ConfirmDialog
      title={words.title}
      action={words.save}
      icon="check"
      isDisabled={changes.length === 0}
      work={save}
      onClose={onClose}
    >
      <p class="muted">{words.lead}</p>
      {voices.map(({ label, sample }) => (
        <div key={label} class="stack tight">
          <Choice
            label={fill(words.voice, { label: nameSpeaker(label, texts.value) })}
            value={chosen.value.get(label) ?? label}
            choices={labels.map((value) => ({ value, title: nameSpeaker(value, texts.value) }))}
            onChange={(next) => (chosen.value = new Map([...chosen.value, [label, next]]))}
          />
          <p class="muted detail quote">“{sample}”</p>
        </div>
      ))}
      <div class="row">
        <Button icon="people" onClick={swap}>
          {words.swap}
        </Button>
      </div>
    </ConfirmDialog>
  )
}
