import type { WidgetAssessments, WidgetLink } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { fill } from '../../texts/fill.js'
import { formatDay } from '../format.js'
import { Button } from '../parts/button.js'
import { ConfirmDialog } from '../parts/confirm-dialog.js'
import { Failure } from '../parts/failure.js'
import { useTask } from '../task.js'
import { useUi } from '../ui-context.js'
import { LinkDialog } from './link-dialog.js'

type Outstanding = WidgetAssessments['outstanding'][number]

interface OutstandingListProps {
  clientId: string
  assessments: WidgetAssessments
  onChange: () => void
}

/** What was sent and is not finished: how far it is, a new link, and the way to take it back. */
export function OutstandingList({ clientId, assessments, onChange }: OutstandingListProps) {
  const { assessments: words } = useUi().texts.value
  const { outstanding, canMail } = assessments
  if (outstanding.length === 0) return <p class="muted">{words.noneOutstanding}</p>
  return (
    <ul class="plain-list">
      {outstanding.map((one) => (
        <Waiting key={one.id} {...{ clientId, canMail, onChange }} outstanding={one} />
      ))}
    </ul>
  )
}

interface WaitingProps {
  clientId: string
  canMail: boolean
  outstanding: Outstanding
  onChange: () => void
}

function Waiting({ clientId, canMail, outstanding, onChange }: WaitingProps) {
  const { engine, texts, announce } = useUi()
  const { assessments: words, locale } = texts.value
  const { id: assignmentId, name, openedAt, assignedAt, expiresAt, emailStatus, sentWith } = outstanding
  const link = useSignal<WidgetLink | null>(null)
  const isAsking = useSignal(false)
  const task = useTask()
  const path = `/clients/${clientId}/assessments`
  const renew = async (): Promise<void> => {
    // Only where the link before was mailed: who handed it over may have had a reason not to write.
    const body = { assignmentId, sendEmail: canMail && emailStatus !== null }
    link.value = await engine.api.send<WidgetLink>('POST', `${path}/reissue`, body)
  }
  const revoke = async (): Promise<void> => {
    await engine.api.send('POST', `${path}/revoke`, { assignmentId })
    announce(words.revoked)
    onChange()
  }
  const close = (): void => {
    link.value = null
    onChange()
  }
  return (
    <li class="outstanding">
      <span class="row-title">{name}</span>{' '}
      <span class={openedAt === null ? 'chip' : 'chip busy'}>
        {openedAt === null ? words.state.sent : words.state.opened}
      </span>
      <p class="muted detail">
        {fill(words.assigned, { date: formatDay(locale, assignedAt) })}
        {openedAt === null ? null : `, ${fill(words.opened, { date: formatDay(locale, openedAt) })}`},{' '}
        {fill(words.expires, { date: formatDay(locale, expiresAt) })}
        {emailStatus === null ? null : ` · ${words.mail[emailStatus]}`}
      </p>
      <div class="row">
        <Button
          icon="refresh"
          label={`${words.newLink}: ${name}`}
          isBusy={task.isBusy}
          onClick={() => task.run(renew)}
        >
          {words.newLink}
        </Button>
        <Button kind="quiet" label={`${words.revoke}: ${name}`} onClick={() => (isAsking.value = true)}>
          {words.revoke}
        </Button>
      </div>
      <Failure error={task.failure} />
      {link.value === null ? null : <LinkDialog link={link.value} onClose={close} />}
      {isAsking.value ? (
        <ConfirmDialog
          title={fill(words.revokeTitle, { name })}
          action={words.revoke}
          icon="trash"
          isDanger
          work={revoke}
          onClose={() => (isAsking.value = false)}
        >
          <p>
            {sentWith.length === 0
              ? words.revokeBody
              : fill(words.revokeShared, { name, others: sentWith.join(', ') })}
          </p>
        </ConfirmDialog>
      ) : null}
    </li>
  )
}
