import type { WidgetAssessments, WidgetLink } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { ConfirmDialog } from '../parts/confirm-dialog.js'
import { useUi } from '../ui-context.js'
import { LinkDialog } from './link-dialog.js'

interface SendDialogProps {
  clientId: string
  assessments: WidgetAssessments
  onSent: () => void
  onClose: () => void
}

/** Which, and by which way. What is still waiting is not sent twice. */
export function SendDialog({ clientId, assessments, onSent, onClose }: SendDialogProps) {
  const { engine, texts } = useUi()
  const { assessments: words } = texts.value
  const { offered, outstanding, canMail } = assessments
  const waiting = new Set(outstanding.map(({ assessmentId }) => assessmentId))
  const chosen = useSignal<string[]>([])
  const sendEmail = useSignal(canMail)
  const link = useSignal<WidgetLink | null>(null)
  const toggle = (id: string, isChosen: boolean): void => {
    chosen.value = isChosen ? [...chosen.value, id] : chosen.value.filter((one) => one !== id)
  }
  const send = async (): Promise<void> => {
    const body = { assessmentIds: chosen.value, sendEmail: sendEmail.value }
    link.value = await engine.api.send<WidgetLink>('POST', `/clients/${clientId}/assessments`, body)
    onSent()
  }
  if (link.value !== null) return <LinkDialog link={link.value} onClose={onClose} />
  return (
    <ConfirmDialog
      title={words.send}
      action={sendEmail.value ? words.sendMail : words.makeLink}
      icon="send"
      isDisabled={chosen.value.length === 0}
      work={send}
      // The link is shown in its place.
      onClose={() => (link.peek() === null ? onClose() : undefined)}
    >
      <fieldset class="stack tight choices">
        <legend>{words.which}</legend>
        {offered.map(({ id, name, description }) => (
          <Check
            key={id}
            label={name}
            detail={waiting.has(id) ? words.alreadyWaiting : description}
            isChecked={chosen.value.includes(id)}
            isDisabled={waiting.has(id)}
            onChange={(isChosen) => toggle(id, isChosen)}
          />
        ))}
      </fieldset>
      {canMail ? (
        <Check
          label={words.byMail}
          detail={words.byMailLead}
          isChecked={sendEmail.value}
          onChange={(isChecked) => (sendEmail.value = isChecked)}
        />
      ) : (
        <p class="muted detail">{words.noMail}</p>
      )}
    </ConfirmDialog>
  )
}

interface CheckProps {
  label: string
  detail: string
  isChecked: boolean
  isDisabled?: boolean
  onChange: (isChecked: boolean) => void
}

function Check({ label, detail, isChecked, isDisabled = false, onChange }: CheckProps) {
  const id = useId()
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        aria-describedby={`${id}-detail`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>
        <label for={id}>{label}</label>{' '}
        <span class="muted detail" id={`${id}-detail`}>
          {detail}
        </span>
      </span>
    </div>
  )
}
